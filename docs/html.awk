# Makes an HTML page from a page of docs/, for `make install` and for the manual of `ferz web`.
# Links to other pages lead to their HTML; pictures and other files are where the page has them.
#
#   awk -f docs/html.awk docs/agents.md > agents.html

BEGIN {
    words = "``[^`]+(`[^`]+)*``|`[^`]+`|[*][*][^*]+[*][*]|[*][^* ][^*]*[*]|" \
            "!?[[][^]]*[]][(][^)]*[)]"
    style = "body{max-width:50em;margin:2em auto;padding:0 1em;font:16px/1.5 sans-serif;" \
            "color:#222;background:#fff}pre,code{background:#f4f2ee;font-size:90%}" \
            "pre{padding:.7em;overflow:auto}table{border-collapse:collapse;display:block;" \
            "overflow:auto}td,th{border:1px solid #ccc;padding:.2em .5em;text-align:left;" \
            "vertical-align:top}@media(prefers-color-scheme:dark){body{color:#ddd;" \
            "background:#1d1d1d}pre,code{background:#2a2a2a}a{color:#8bf}}"
}

# ---- text ----

function escaped(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    return text
}

# Pictures and line breaks are HTML in the pages, too.
function marked(text,    out) {
    while (match(text, /<(img [^>]*|br)>/)) {
        out = out escaped(substr(text, 1, RSTART - 1)) substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
    }
    return out escaped(text)
}

function target(link) {
    if (link !~ /^[a-z]+:/)
        sub(/\.md$|\.md#/, link ~ /#/ ? ".html#" : ".html", link)
    return escaped(link)
}

function code_of(text) {
    sub(/^`+ ?/, "", text)
    sub(/ ?`+$/, "", text)
    return "<code>" escaped(text) "</code>"
}

function inline(text,    out, at, cut, from) {
    while (match(text, words)) {
        at = substr(text, RSTART, RLENGTH)
        from = RSTART + RLENGTH
        out = out marked(substr(text, 1, RSTART - 1))
        text = substr(text, from)
        cut = index(at, "](")
        if (at ~ /^`/)
            out = out code_of(at)
        else if (at ~ /^\*\*/)
            out = out "<b>" inline(substr(at, 3, length(at) - 4)) "</b>"
        else if (at ~ /^\*/)
            out = out "<i>" inline(substr(at, 2, length(at) - 2)) "</i>"
        else if (at ~ /^!/)
            out = out "<img src=\"" target(substr(at, cut + 2, length(at) - cut - 2)) "\" alt=\"" \
                  escaped(substr(at, 3, cut - 3)) "\">"
        else
            out = out "<a href=\"" target(substr(at, cut + 2, length(at) - cut - 2)) "\">" \
                  inline(substr(at, 2, cut - 2)) "</a>"
    }
    return out marked(text)
}

# The anchor of a heading, as in links of the pages.
function anchor(text) {
    gsub(/\]\([^)]*\)/, "", text)
    gsub(/[^A-Za-z0-9_ -]/, "", text)
    gsub(/ /, "-", text)
    return tolower(text)
}

# ---- blocks ----

# Ends what is open: a paragraph, a list, a table.
function finish() {
    if (paragraph != "")
        print (in_list ? "<li>" : "<p>") inline(paragraph) (in_list ? "</li>" : "</p>")
    paragraph = ""
}

function finish_all() {
    finish()
    if (in_list)
        print "</" in_list ">"
    if (in_table)
        print "</table>"
    in_list = in_table = ""
}

function begin_list(kind) {
    finish()
    if (in_list == kind)
        return
    finish_all()
    in_list = kind
    print "<" kind ">"
}

function row(text, tag,    cell, count, i) {
    sub(/^\| */, "", text)
    sub(/ *\|$/, "", text)
    gsub(/\\\|/, "\001", text)
    count = split(text, cell, / *\| */)
    printf "<tr>"
    for (i = 1; i <= count; i++) {
        gsub(/\001/, "|", cell[i])
        printf "<%s>%s</%s>", tag, inline(cell[i]), tag
    }
    print "</tr>"
}

NR == 1 {
    title = $0
    sub(/^#+ */, "", title)
    print "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"
    print "<title>" escaped(title) "</title>\n<style>" style "</style>\n</head>\n<body>"
}

/^ *```/ {
    if (in_code) {
        print "</pre>"
    } else {
        finish_all()
        printf "<pre>"
    }
    in_code = !in_code
    next
}
in_code { print escaped($0); next }
/^<!--/ { next }
/^#+ / {
    finish_all()
    depth = match($0, / /) - 1
    $0 = substr($0, depth + 2)
    print "<h" depth " id=\"" anchor($0) "\">" inline($0) "</h" depth ">"
    next
}
/^\|[ :|-]*-[ :|-]*$/ { next }
/^\|/ {
    if (!in_table) {
        finish_all()
        print "<table>"
        if ($0 !~ /^[| ]*$/)
            row($0, "th")
        in_table = 1
    } else {
        row($0, "td")
    }
    next
}
/^- / { begin_list("ul"); paragraph = substr($0, 3); next }
/^[0-9]+\. / { begin_list("ol"); sub(/^[0-9]+\. */, ""); paragraph = $0; next }
/^$/ {
    finish()
    if (!in_list)
        finish_all()
    next
}
/^[^ ]/ && in_list && paragraph == "" { finish_all() }
{
    sub(/^ +/, "")
    paragraph = paragraph (paragraph == "" ? "" : " ") $0
}
END {
    finish_all()
    print "</body>\n</html>"
}
