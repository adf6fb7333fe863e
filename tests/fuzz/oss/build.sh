#!/bin/sh
# Builds the fuzz targets as OSS-Fuzz wants them: programs in $OUT that run on a machine without the
# libraries of this one, a dictionary and a seed corpus for each, and the scripts that they read.
# `./dev fuzz` runs it too. From the environment: CC, CXX, CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE,
# OUT, WORK.
set -eu

root=$(cd "$(dirname "$0")/../../.." && pwd)
: "${CC:=clang}" "${CXX:=clang++}" "${CFLAGS:=}" "${CXXFLAGS:=$CFLAGS}"
: "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}"
mkdir -p "$WORK" "$OUT"

[ -f "$root/configure" ] || autoreconf -fi "$root"
cd "$WORK"
# The loop for two widths of sets only: sanitizers take minutes for each.
[ -f Makefile ] || "$root/configure" -q --disable-shared --disable-man --enable-debug \
    --enable-quick CC="$CC" CFLAGS="$CFLAGS"
make -s -j"$(nproc)" ferz

# Libraries from their archives, but for those of every system.
libraries=$(sed -n "s/^dependency_libs='\(.*\)'/\1/p" libferz-core.la | tr ' ' '\n' |
            grep -v -E '^(-L.*|-lm|-ldl|-lpthread|-pthread|)$' | sort -u | tr '\n' ' ')
texts="move position fen record learned"
targets="script compiled damage import $texts"
# The targets of small texts compile their games once and need no coverage of the compiler:
# libFuzzer reads all counters after each execution, which takes longer than reading a text.
rm -rf uncovered
find grammar -name '*.o' ! -path '*/.libs/*' | while read -r object; do
    mkdir -p "uncovered/${object%/*}"
    objcopy --rename-section __sancov_cntrs=uncovered --rename-section __sancov_pcs=uncovered_pcs \
        "$object" "uncovered/$object"
done
for source in common tour mutator $targets; do
    # shellcheck disable=SC2086
    $CC $CFLAGS -std=c11 -D_POSIX_C_SOURCE=200809L -I. -I"$root" -I"$root/interp" \
        -DFZ_SOURCE_STDLIB_DIR="\"$root/stdlib\"" -c "$root/tests/fuzz/$source.c" \
        -o "fuzz_$source.o"
done
python3 -B "$root/tests/fuzz/seeds.py" ./ferz seeds
rm -rf "$OUT/stdlib" "$OUT/games" "$OUT/tests"
mkdir "$OUT/tests"
cp -R "$root/stdlib" "$root/games" "$OUT/"
cp -R "$root/tests/language" "$OUT/tests/"
for target in $targets; do
    mutator=fuzz_mutator.o compiler=
    case $target in compiled|damage) mutator= ;; esac
    case " $texts " in *" $target "*) compiler=$(find uncovered -name '*.o') ;; esac
    # shellcheck disable=SC2086
    $CXX $CXXFLAGS fuzz_$target.o fuzz_common.o fuzz_tour.o $mutator $compiler $LIB_FUZZING_ENGINE \
        .libs/libferz-core.a -Wl,-Bstatic $libraries -Wl,-Bdynamic -lm -ldl -lpthread \
        -o "$OUT/$target"
    (cd seeds/$target && python3 -B -m zipfile -c "$OUT/${target}_seed_corpus.zip" .)
    [ ! -f seeds/$target.dict ] || cp "seeds/$target.dict" "$OUT/"
    printf '[libfuzzer]\nmax_len = 40000\ntimeout = 20\nrss_limit_mb = 1500\n' \
        >"$OUT/$target.options"
done
