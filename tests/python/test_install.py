"""make_module.py puts a module into a folder of others, and takes away no more than that."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

from support import ROOT

MAKE = ROOT / "interp/python/make_module.py"


def make(*words):
    return subprocess.run([sys.executable, "-B", str(MAKE), *map(str, words)], capture_output=True,
                          text=True, check=False)


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


class Installing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.module = self.folder / "ferz"
        (self.folder / "numbers.py").write_text("")

    def install(self):
        return make("--version", "0.1.0", "--library", "/nowhere/libferz.so", self.folder)

    def test_nothing_of_it_is_left(self):
        self.assertEqual(self.install().returncode, 0)
        self.assertEqual(self.install().returncode, 0)      # again
        compiled = self.module / "__pycache__/states.cpython-39.pyc"
        compiled.parent.mkdir()
        compiled.write_bytes(b"")
        self.assertIn("ferz/_declarations.py", files(self.folder))
        self.assertEqual(make("--remove", self.folder).returncode, 0)
        self.assertEqual(files(self.folder), ["numbers.py"])
        self.assertFalse(self.module.exists())
        self.assertEqual(make("--remove", self.folder).returncode, 0)

    def test_files_of_others_stay(self):
        self.assertEqual(self.install().returncode, 0)
        (self.module / "own.py").write_text("")
        make("--remove", self.folder)
        self.assertEqual(files(self.module), ["own.py"])

    def test_a_package_of_others_stays(self):
        self.module.mkdir()
        for name in ("__init__.py", "states.py"):
            (self.module / name).write_text("# of somebody else\n")
        made = self.install()
        self.assertEqual((made.returncode, made.stdout), (1, ""))
        self.assertIn("is another package", made.stderr)
        make("--remove", self.folder)
        self.assertEqual(files(self.module), ["__init__.py", "states.py"])
        self.assertEqual((self.module / "states.py").read_text(), "# of somebody else\n")


if __name__ == "__main__":
    unittest.main()
