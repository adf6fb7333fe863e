# Makes C of the headers that generated code is compiled with: their texts, by name without folder.
BEGIN {
    print "/* Made of headers by texts.awk. */"
    print "#include \"interp/native/texts.h\""
}
FNR == 1 {
    if (count)
        print ";"
    name = FILENAME
    sub(/.*\//, "", name)
    names[++count] = name
    printf "static const char text_%d[] =\n", count
}
{
    gsub(/\\/, "&&")
    gsub(/"/, "\\\"")
    printf "\"%s\\n\"\n", $0
}
END {
    print ";"
    print "const fzi_native_text fzi_native_texts[] = {"
    for (i = 1; i <= count; i++)
        printf "    {\"%s\", text_%d},\n", names[i], i
    print "    {0, 0}\n};"
}
