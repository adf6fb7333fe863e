# Makes a man page from docs/commands.md; docs/Makefile.inc calls it.
#
#   awk -f docs/man.awk -v page=ferz-perft -v version=0.1.0 docs/commands.md > ferz-perft.1
#
# With `about`, it makes one page of whole files, each a section of its own:
#
#   awk -f docs/man.awk -v page=ferz-agents -v volume=7 -v about="agents" docs/agents.md
#
# The page of a command is made from its section, the rows and details of its options, and the
# tables of exit statuses and variables; the page `ferz` from the sections before the first command.
# Blocks of shell commands (```sh) are the page's examples.

BEGIN {
    name = page
    sub(/^ferz-?/, "", name)
    summary[""] = "a language and a machine for board games"
}

# ---- whole files ----

about != "" {
    if ($0 !~ /^<!--|^\[The manual\]|^!\[/)
        line[++lines] = $0
    next
}

# ---- the parts of commands.md ----

/^## / { section = substr($0, 4); next }
/^<!--/ { next }
/^\| \[`ferz / { note_command($0) }
section == "Options" && /^\| `-/ { note_option($0); next }
section == "Options" && /^- `--/ { option = substr($0, 6, index($0, "`:") - 6) }
section == "Options" && option != "" {
    text = $0
    sub(/^- `--[a-z-]+`: /, "", text)
    sub(/^ +/, "", text)
    detail[option] = detail[option] (detail[option] == "" ? "" : " ") text
    next
}
/^\| exit status/ { table = "exit"; delete_status(); next }
/^\| variable/ { table = "variable"; next }
/^\| ---/ && table { next }
/^\|/ && table == "exit" { if (mine() || section == "Conventions") add_status($0); next }
/^\|/ && table == "variable" { add_variable($0); next }
!/^\|/ { table = "" }
name != "" && mine() && /^`ferz / && !usage { usage = $0; next }
NR == 1 { next }
mine() && /^\[Options\]/ { listing = 1 }
listing { listed = listed " " $0; listing = $0 !~ /\.$/; next }
mine() { line[++lines] = $0 }

function mine() { return name == "" ? section == "" || section == "Conventions" : section == name }

function cells(row, into,    count) {
    sub(/^\| /, "", row)
    sub(/ \|$/, "", row)
    gsub(/\\\|/, "\001", row)
    count = split(row, into, / \| /)
    for (i = 1; i <= count; i++)
        gsub(/\001/, "|", into[i])
    return count
}

function note_command(row,    cell, of) {
    cells(row, cell)
    of = cell[1]
    sub(/^\[`ferz /, "", of)
    sub(/`.*/, "", of)
    order[++known] = of
    summary[of] = cell[2]
}

function note_option(row,    cell, long) {
    cells(row, cell)
    long = cell[1]
    sub(/.*`--/, "", long)
    sub(/[ `].*/, "", long)
    head[long] = cell[1]
    meaning[long] = cell[2]
}

# A table of exit statuses in a command's section takes the place of the common one.
function delete_status() {
    if (mine())
        statuses = 0
}

function add_status(row,    cell) {
    cells(row, cell)
    status[++statuses] = cell[1]
    status_meaning[statuses] = cell[2]
}

function add_variable(row) { variable[++variables] = row }

# ---- text ----

# Backslashes and hyphens of code for roff.
function plain(text, code) {
    gsub(/\\/, "\\e", text)
    if (code)
        gsub(/-/, "\\-", text)
    return text
}

# Code, emphasis and links of Markdown in roff.
function inline(text,    out, at, rest, target) {
    out = ""
    while (match(text, /`[^`]+`|\*\*[^*]+\*\*|\*[^* ][^*]*\*|\[[^]]+\]\([^)]*\)/)) {
        out = out plain(substr(text, 1, RSTART - 1))
        at = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        if (at ~ /^`/) {
            out = out "\\fB" plain(substr(at, 2, length(at) - 2), 1) "\\fR"
        } else if (at ~ /^\*\*/) {
            out = out "\\fB" plain(substr(at, 3, length(at) - 4)) "\\fR"
        } else if (at ~ /^\*/) {
            out = out "\\fI" plain(substr(at, 2, length(at) - 2)) "\\fR"
        } else {
            rest = substr(at, 2, index(at, "](") - 2)
            target = substr(at, index(at, "](") + 2)
            sub(/[#)].*/, "", target)
            out = out inline(rest)
            if (target != "" && rest != target)
                out = out " (" plain(target) ")"
        }
    }
    return protected(out plain(text))
}

function protected(text) { return (text ~ /^[.']/ ? "\\&" : "") text }

function sentence(text) { return inline(toupper(substr(text, 1, 1)) substr(text, 2)) }

# ---- the page ----

function section_of(title) { print ".SH " title }

function literal(from) {
    print ".PP\n.RS 4\n.nf"
    for (from++; in_block(from); from++)
        print protected(plain(line[from], 1))
    print ".fi\n.RE"
    return from
}

# Is it a line of a block of code? A block that nothing closes ends the work.
function in_block(at) {
    if (at > lines) {
        print "man.awk: a block of code is not closed" > "/dev/stderr"
        failed = 1
        exit 1
    }
    return line[at] !~ /^```/
}

function row_of(row,    cell, count) {
    count = cells(row, cell)
    print ".TP\n" inline(cell[1])
    for (i = 2; i <= count; i++)
        print (i > 2 ? ".br\n" : "") inline(cell[i])
}

# The blocks of the section; examples wait for their place.
function body(    i, between) {
    between = 1
    for (i = 1; i <= lines; i++) {
        if (line[i] == "") {
            between = 1
        } else if (line[i] ~ /^```sh/ && about == "") {
            for (i++; in_block(i); i++)
                examples = examples example(line[i])
        } else if (line[i] ~ /^```/) {
            i = literal(i)
        } else if (about != "" && line[i] ~ /^#/) {
            heading(line[i])
            between = 1
        } else if (line[i] ~ /^###/) {
            print ".SS " toupper(substr(line[i], 5, 1)) substr(line[i], 6)
            between = 0
        } else if (line[i] ~ /^\|/) {
            if (line[i + 1] ~ /^\| ---/)
                i++
            else if (line[i] !~ /^\| \[`ferz /)
                row_of(line[i])
        } else if (line[i] ~ /^- /) {
            print ".IP \\(bu 2\n" inline(substr(line[i], 3))
            between = 0
        } else {
            if (between)
                print line[i] ~ /^  / ? ".IP" : ".PP"
            sub(/^ +/, "", line[i])
            print inline(line[i])
            between = 0
        }
    }
}

# Of whole files: their titles, their sections, and what is below.
function heading(text,    depth) {
    depth = match(text, / /) - 1
    text = inline(substr(text, depth + 2))
    print depth == 1 ? ".SH " toupper(text) : depth == 2 ? ".SS " text : ".PP\n\\fI" text "\\fR"
}

function begin_page() {
    print ".TH " toupper(page) " " (volume ? volume : 1) " \"\" \"Ferz " version "\" \"Ferz\""
    section_of("NAME")
}

function example(text) {
    if (text ~ /^# /)
        return ".PP\n" inline(substr(text, 3)) "\n"
    return ".PP\n.RS 4\n.nf\n" protected(plain(text, 1)) "\n.fi\n.RE\n"
}

# Joins lines: what code, a link or bold text leaves open at the end of a line.
function join(    i) {
    for (i = 1; i < lines; i++) {
        if (line[i] ~ /^```/) {
            for (i++; in_block(i); i++)
                ;
        } else if (line[i] !~ /^\|/ && line[i + 1] != "" && is_open(line[i])) {
            sub(/^ +/, "", line[i + 1])
            line[i + 1] = line[i] " " line[i + 1]
            line[i] = "\002"
        }
    }
    for (i = known_lines = 1; i <= lines; i++) {
        if (line[i] != "\002")
            line[known_lines++] = line[i]
    }
    lines = known_lines - 1
}

function is_open(text) {
    return gsub(/`/, "", text) % 2 || gsub(/\*\*/, "", text) % 2 || text ~ /\[[^]]*$|\]\([^)]*$/
}

function options(    i, count, names, long) {
    count = split(listed, names, /`--/)
    if (count < 2)
        return
    section_of("OPTIONS")
    for (i = 2; i <= count; i++) {
        long = names[i]
        sub(/`.*/, "", long)
        taken[long] = 1
        print ".TP\n" inline(head[long])
        print sentence(meaning[long]) "."
        if (detail[long] != "")
            print sentence(detail[long])
    }
}

function concerns(row) {
    if (row ~ /`NO_COLOR`/ || name == "")
        return 1
    return row ~ /`FERZ_PATH`/ ? taken["include"] : taken["native"]
}

function environment(    i) {
    section_of("ENVIRONMENT")
    for (i = 1; i <= variables; i++) {
        if (concerns(variable[i]))
            row_of(variable[i])
    }
}

function see_also(text,    i, also) {
    section_of("SEE ALSO")
    also = name == "" ? "" : "\\fBferz\\fR(1)"
    for (i = 1; i <= known; i++) {
        if (order[i] != name && (name == "" || index(text, "ferz " order[i] "`") ||
                                 index(text, "ferz " order[i] " ")))
            also = also (also == "" ? "" : ",\n") "\\fBferz\\-" order[i] "\\fR(1)"
    }
    print also
}

END {
    for (i = 1; i <= lines; i++)
        text = text " " line[i]
    join()
    print ".\\\" Made by docs/man.awk from docs/."
    begin_page()
    if (about != "") {
        print plain(page, 1) " \\- " about
        body()
        section_of("SEE ALSO")
        print "\\fBferz\\fR(1), \\fBferz\\-language\\fR(5), \\fBferz\\-agents\\fR(7)"
        exit
    }
    print plain(page, 1) " \\- " summary[name]
    section_of("SYNOPSIS")
    if (name == "")
        usage = "`ferz COMMAND [OPTION...] [ARGUMENT...]`"
    sub(/^`ferz [a-z]* ?/, "", usage)
    sub(/`$/, "", usage)
    print ".B " (name == "" ? "ferz" : "ferz " name) "\n" plain(usage, 1)
    if (name == "")
        print ".br\n.B ferz help\n[COMMAND]\n.br\n.B ferz \\-\\-version"
    section_of("DESCRIPTION")
    for (i = 1; i <= lines && line[i] == "";)
        i++
    body()
    if (name == "") {
        section_of("COMMANDS")
        for (i = 1; i <= known; i++)
            print ".TP\n\\fB" order[i] "\\fR\n" inline(summary[order[i]])
    }
    options()
    environment()
    section_of("EXIT STATUS")
    for (i = 1; i <= statuses; i++)
        print ".TP\n" status[i] "\n" inline(status_meaning[i])
    if (examples != "") {
        section_of("EXAMPLES")
        printf "%s", examples
    }
    see_also(text)
}
