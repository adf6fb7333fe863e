// Starts `ferz lsp` for Ferz scripts and `ferz dap` to debug them, and runs the commands of code
// lenses in a terminal.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function settings() {
  const chosen = vscode.workspace.getConfiguration("ferz");
  const include = chosen.get("include").flatMap((folder) => ["-I", folder]);
  return { path: chosen.get("path"), include };
}

async function start() {
  const { path, include } = settings();
  client = new LanguageClient(
    "ferz",
    "Ferz",
    { command: path, args: ["lsp", ...include] },
    {
      documentSelector: [{ language: "ferz" }],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.game") },
    }
  );
  await client.start();
}

// Runs ferz with the arguments of a lens.
function run(word) {
  return async (uri, words) => {
    const { path, include } = settings();
    await vscode.workspace.saveAll(false);
    const file = vscode.Uri.parse(uri).fsPath;
    const task = new vscode.Task(
      { type: "process" },
      vscode.TaskScope.Workspace,
      `ferz ${word}`,
      "Ferz",
      new vscode.ProcessExecution(path, [word, ...include, file, ...words])
    );
    task.presentationOptions = { focus: word === "play", clear: true };
    return vscode.tasks.executeTask(task);
  };
}

// The debugger of rules is `ferz dap`. Without a launch.json it takes the script that is open.
const debuggers = {
  createDebugAdapterDescriptor() {
    const { path, include } = settings();
    return new vscode.DebugAdapterExecutable(path, ["dap", ...include]);
  },
  resolveDebugConfiguration(folder, configuration) {
    const given = { type: "ferz", request: "launch", name: "Ferz rules", program: "${file}" };
    return configuration.type ? configuration : given;
  },
};

async function activate(context) {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("ferz", debuggers),
    vscode.debug.registerDebugConfigurationProvider("ferz", debuggers),
    vscode.commands.registerCommand("ferz.runTest", run("test")),
    vscode.commands.registerCommand("ferz.play", run("play")),
    vscode.commands.registerCommand("ferz.restart", async () => {
      await client?.stop();
      await start();
    })
  );
  await start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
