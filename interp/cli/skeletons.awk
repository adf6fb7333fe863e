# Writes skeletons.c, the texts of `ferz new`, from skeletons.txt, which describes its own form.

function string(text) {
    gsub(/\\/, "&&", text)
    gsub(/"/, "\\\"", text)
    gsub(/\n/, "\\n\"\n     \"", text)
    return "\"" text "\""
}

# Lines that begin with # before the first text are comments.
/^@(part|skeleton) / {
    name = $2
    if ($1 == "@skeleton")
        names[++count] = name
    next
}
name == "" { next }
/^\{[a-z]+\}$/ {
    key = substr($0, 2, length($0) - 2)
    texts[name] = texts[name] (key in texts ? texts[key] : $0)
    next
}
{ texts[name] = texts[name] $0 "\n" }

END {
    print "/* Made by skeletons.awk. */"
    print "#include \"interp/cli/cli.h\"\n"
    print "const fzi_skeleton fzi_skeletons[] = {"
    for (i = 1; i <= count; i++)
        print "    {\"" names[i] "\",\n     " string(texts[names[i]]) "},"
    print "    {0},\n};"
}
