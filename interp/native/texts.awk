# Writes texts.c: everything of the library's own text that generated C consists of (texts.h), from
# the files that interp/Makefile.inc names. Words that begin with @ say what the files behind them
# are:
#
#   @api          api.def: functions that generated C calls through pointers
#   @preface      what stands in the first comment of a standalone file
#   @header       headers; the first is the public one
#   @included     lists and parts that other files include, each time they are named
#   @instruction  parts of the loop, cut into the text of each instruction
#   @often, @seldom, @main    source files of a standalone file; seldom ones are not worth
#                             optimising
#
# An #include of one of these files becomes its text; other #include "..." lines are dropped.

function fail(text) {
    print "texts.awk: " text > "/dev/stderr"
    failed = 1
    exit 1
}

function read(path,   line, text) {
    if (path in content)
        return content[path]
    while ((getline line < path) > 0)
        text = text line "\n"
    close(path)
    if (text == "")
        fail("cannot read " path)
    return content[path] = text
}

# ---- output: C strings ----

function string(text,   lines, count, i) {
    gsub(/\\/, "&&", text)
    gsub(/"/, "\\\"", text)
    count = split(text, lines, "\n")
    for (i = 1; i < count || (i == count && lines[i] != ""); i++)
        print "\"" lines[i] "\\n\""
    if (text == "")
        print "\"\""
}

function named(name, text) {
    print "const char " name "[] ="
    string(text)
    print ";"
}

# ---- headers, flattened ----

# The file that an #include in `from` names; "" if it is none of ours.
function resolved(name, from) {
    if (name in kind)
        return name
    if (("interp/" name) in kind) # ferz.h, ferz_tools.h
        return "interp/" name
    sub(/[^\/]*$/, "", from)
    return (from name) in kind ? from name : ""
}

# The function of the api that a line at the left margin declares; "".
function declared(line,   before) {
    if (line ~ /^[ #\/]/ || !index(line, "("))
        return ""
    before = substr(line, 1, index(line, "(") - 1)
    if (!match(before, /[ *][A-Za-z0-9_]+$/))
        return ""
    before = substr(before, RSTART + 1)
    return before in api ? before : ""
}

function ends_declaration(line) {
    sub(/\/\*.*/, "", line)
    return line ~ /; *$/
}

# The text of a file with the files that it includes, headers once. With `through`, functions of the
# api become pointers of fz_api.
function flat(path, through,   lines, count, i, out, name, waiting) {
    if (path in seen)
        return ""
    if (kind[path] == "header")
        seen[path] = 1
    count = split(read(path), lines, "\n") - 1
    for (i = 1; i <= count; i++) {
        if (lines[i] ~ /^#include "/) {
            name = lines[i]
            sub(/^#include "/, "", name)
            sub(/".*/, "", name)
            name = resolved(name, path)
            if (name != "")
                out = out flat(name, through)
            continue
        }
        out = out lines[i] "\n"
        if (!through)
            continue
        name = declared(lines[i])
        if (name != "")
            waiting = name
        if (waiting != "" && ends_declaration(lines[i])) {
            out = out "#define " waiting " (*(__typeof__(" waiting ") *)fz_api[" api[waiting] "])\n"
            waiting = ""
        }
    }
    return out
}

# ---- instructions ----

# The name of the instruction that begins in this line; "".
function begins(line) {
    if (line !~ /^    [A-Z][A-Z0-9_]*\(/)
        return ""
    sub(/^ *[A-Z0-9_]+\(/, "", line)
    sub(/[^A-Z0-9_].*/, "", line)
    return line
}

# From the line where an instruction begins to the next one; a CASE alone shares the text that
# follows.
function cut(path,   lines, count, i, name, open, n, names) {
    count = split(read(path), lines, "\n") - 1
    for (i = 1; i <= count; i++) {
        name = begins(lines[i])
        if (name != "" && !open)
            n = 0
        if (name != "")
            names[++n] = cut_names[++cut_count] = name
        open = name != "" && lines[i] ~ /^    CASE\([A-Z0-9_]+\)$/ && begins(lines[i + 1]) != ""
        add(names, n, lines[i], name)
    }
}

# Instructions that share a text have all of its lines from their own CASE on.
function add(names, n, line, name,   i) {
    for (i = 1; i <= n; i++)
        unit[names[i]] = unit[names[i]] line "\n"
}

function instructions(   i) {
    print "const char *const fzi_native_instructions[FZ_OP_COUNT] = {"
    for (i = 1; i <= cut_count; i++) {
        print "[FZ_OP_" cut_names[i] "] ="
        string(unit[cut_names[i]])
        print ","
    }
    print "};"
}

# ---- sources of a standalone file ----

# The name of the function or table that begins in this line and belongs to its file alone; "".
function static_name(line) {
    if (line ~ /^[ #]/ || line !~ /static |FZ_INLINE / || line ~ /=/ || !index(line, "("))
        return ""
    if (!sub(/.*static /, "", line))
        sub(/.*FZ_INLINE /, "", line)
    line = substr(line, 1, index(line, "(") - 1)
    return match(line, /[A-Za-z0-9_]+$/) ? substr(line, RSTART) : ""
}

function know(path,   lines, count, i, name) {
    count = split(read(path), lines, "\n") - 1
    for (i = 1; i <= count; i++) {
        name = static_name(lines[i])
        if (name != "")
            known[name] = 1
    }
}

# One file cannot define a name twice: statics that an earlier file has too get a number, and macros
# end with the file that defines them.
function source(path, number,   lines, count, i, name, mine, before, after, macros) {
    count = split(read(path), lines, "\n") - 1
    for (i = 1; i <= count; i++) {
        name = static_name(lines[i])
        if (name != "" && name in known && !(name in mine))
            before = before "#define " name " " name "_" number "\n"
        if (name != "") {
            after = after "#undef " name "\n"
            mine[name] = 1
        }
        if (lines[i] ~ /^#define /) {
            name = substr(lines[i], 9)
            sub(/[ (].*/, "", name)
            macros = macros "#undef " name "\n"
        }
    }
    for (name in mine)
        known[name] = 1
    name = path
    sub(/.*\//, "", name)
    return "\n/* ---- " name " ---- */\n" (kind[path] == "often" ? "" : slow) before \
           flat(path, 0) after macros (kind[path] == "often" ? "" : normal)
}

# ---- the whole ----

function arguments(   i, what) {
    for (i = 1; i < ARGC; i++) {
        if (ARGV[i] ~ /^@/) {
            what = substr(ARGV[i], 2)
            continue
        }
        kind[ARGV[i]] = what
        file[++files] = ARGV[i]
    }
}

function of_kind(what,   i, n) {
    split("", chosen)
    for (i = 1; i <= files; i++)
        if (kind[file[i]] == what)
            chosen[++n] = file[i]
    return n
}

function commented(text) {
    gsub(/\n/, "\n * ", text)
    return " * " substr(text, 1, length(text) - 3)
}

BEGIN {
    slow = "#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC push_options\n" \
           "#pragma GCC optimize(\"O0\")\n#endif\n"
    normal = "#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC pop_options\n#endif\n"
    arguments()
    print "/* Made by texts.awk. */"
    print "#include \"interp/native/texts.h\""

    n = of_kind("api")
    count = split(read(chosen[1]), lines, "\n")
    numbers = 0
    for (i = 1; i <= count; i++)
        if (lines[i] ~ /^FUNCTION\(/) {
            name = substr(lines[i], 10)
            sub(/\).*/, "", name)
            api[name] = numbers++
        }

    n = of_kind("instruction")
    for (i = 1; i <= n; i++)
        cut(chosen[i])
    instructions()

    # Generated C needs these headers, and what they include.
    text = ""
    n = of_kind("header")
    for (i = 1; i <= n; i++)
        if (chosen[i] ~ /\/(instructions|ops_[a-z]+)\.h$/)
            text = text flat(chosen[i], 1)
    named("fzi_native_headers", text)
    n = of_kind("included")
    for (i = 1; i <= n; i++) {
        name = chosen[i]
        if (sub(/.*\/vm_/, "", name)) {
            sub(/\..*/, "", name)
            named("fzi_native_" name, flat(chosen[i], 0))
        } else if (name ~ /\/opcodes\.def$/) {
            named("fzi_native_opcodes", flat(name, 0))
        }
    }

    n = of_kind("preface")
    named("fzi_alone_preface", commented(read(chosen[1])) \
          " *\n * The library's part of this file:\n *\n" commented(read(chosen[2])))
    split("", seen)
    n = of_kind("header")
    named("fzi_alone_interface", flat(chosen[1], 0))
    text = ""
    for (i = 2; i <= n; i++)
        text = text flat(chosen[i], 0)
    named("fzi_alone_headers", text)

    for (i = 1; i <= files; i++)
        if (kind[file[i]] ~ /^(header|included|instruction)$/)
            know(file[i])
    number = 0
    print "const char *const fzi_alone_sources[] = {"
    for (i = 1; i <= files; i++)
        if (kind[file[i]] ~ /^(often|seldom)$/) {
            string(source(file[i], ++number))
            print ","
        }
    print "0};"
    n = of_kind("main")
    named("fzi_alone_main", source(chosen[1], ++number))
}
