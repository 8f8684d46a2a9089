# mutants: programs made of ours by chance behave under kinst as they do plainly (mutate.sh).  Each part has its own, always
# the same; PART=3/4 is the third of four parts (tests/slices), by itself it takes the first.  `make check-mutants` makes
# new ones.
. "$srcdir/tests/lib.sh"
need gfortran
need g++

part=${PART:-1/4}
mutate() {
	"$srcdir/tests/corpus/mutate.sh" --mutants=150 --seed=$(((${part%/*} - 1) * 150 + 1)) --keep=kept "$@" "$srcdir/tests/corpus/cases" \
		"$srcdir/tests/runtime/constructs.c" "$srcdir/tests/runtime/constructs.f90" >out
}

mutate || fail "$(cat out)"
cat out
# a kinst that changes programs is found
cat >kinst-bad <<'BAD'
#!/bin/sh
kinst "$@" -D_OPENMP=1 -Dputs=abs -Dprintf=abs
BAD
chmod +x kinst-bad
"$srcdir/tests/corpus/mutate.sh" --mutants=20 --seed=1 --kinst="$work/kinst-bad" "$srcdir/tests/corpus/cases/blocks.c" >out &&
	fail "a change is not found"
grep -q 'differs\|status of the compile' out || fail "a change is not named: $(cat out)"
