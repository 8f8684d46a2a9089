# mutants_ways: programs made by chance of ours with data directives count accesses by whole loops as by hooks: by object,
# region and thread, to the digit, with all memory named (mutate.sh --ways).  PART=3/8 is the third of eight parts
# (tests/slices), by itself it takes the first.
. "$srcdir/tests/lib.sh"
need gfortran
need g++

# the kernels as programs of one file each
mkdir sources
cp "$srcdir/tests/access/kernels/kernel.h" sources
for kernel in "$srcdir"/tests/access/kernels/*.c; do
	[ "${kernel##*/}" = kernel.c ] || cat "$kernel" "$srcdir/tests/access/kernels/kernel.c" >"sources/${kernel##*/}"
done
cp "$srcdir"/tests/corpus/cases/*.c "$srcdir"/tests/corpus/cases/*.f90 "$srcdir"/tests/corpus/cases/*.cpp sources
cp "$srcdir"/tests/corpus/cases/*.h "$srcdir"/tests/corpus/cases/*.inc sources 2>/dev/null || :

part=${PART:-1/8}
seed=$(((${part%/*} - 1) * 150 + 1))
"$srcdir/tests/corpus/mutate.sh" --ways --mutants=150 --seed=$seed --keep="$work/kept" sources >out || fail "$(cat out)"
cat out
[ "$(sed -n 's/^mutants .* \([0-9]*\) lines of counts$/\1/p' out)" -gt 500 ] || fail 'few counts were compared'

# a way that counts otherwise is found: --access=hooks is taken as asked, and --access counts what the source says
cat >kinst-bad <<'BAD'
#!/bin/sh
[ "$1" != --access ] || { shift; set -- --access=source "$@"; }
exec kinst "$@"
BAD
chmod +x kinst-bad
"$srcdir/tests/corpus/mutate.sh" --ways --mutants=10 --seed=1 --kinst="$work/kinst-bad" sources/matvec.c >out &&
	fail "another way to count is not found: $(cat out)"
grep -q 'counts differ' out || fail "it is not named: $(cat out)"
