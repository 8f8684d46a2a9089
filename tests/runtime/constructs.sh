# constructs: the counts of every construct are those of arithmetic, in C and in Fortran
. "$srcdir/tests/lib.sh"

export OMPP_OUTFORMAT=CSV OMPP_REPORTFILE="$PWD/report"

# The sum of a column over all regions of a type, in the flat profile.
sum() {
	awk -F, -v type="$1" -v column="${2:-execC}" '
		/^##BEG flat/ { flat = 1 }
		/^##END flat/ { flat = 0 }
		flat && /^R[0-9]+,/ { inside = $2 == type }
		flat && $1 == "TID" { for (i = 1; i <= NF; i++) if ($i == column) at = i }
		flat && inside && $1 == "SUM" { n += $at }
		END { print n + 0 }' report
}
is() {
	[ "$(sum "$1" "${3:-execC}")" = "$2" ] || fail "$language: $1: $(sum "$1" "${3:-execC}") ${3:-execC}, not $2"
}

check() {
	KINST=off kinst "$@" -o plain -w
	kinst "$@" -o ours -w 2>err || fail "$language: does not build"
	! grep 'not instrumented' err || fail "$language: not instrumented"
	./plain >want
	./ours >got 2>err || fail "$language: status $?"
	same "$language: output" want got
	is PARALLEL 2
	is LOOP 40                      # two loops
	is ORDERED 80
	is SECTIONS 20
	is SECTIONS 30 sectC
	is SINGLE 20
	is SINGLE 10 singleC
	is MASTER 10
	is CRITICAL 20
	is BARRIER 20
	is FLUSH 20
	is ATOMIC $((30 + 10 + 20 + 20))
	is TASK 20
	is TASKEXEC 20
	is TASKWAIT 20
	is LOCK 20
	is 'NEST LOCK' 40
	is 'USER REGION' 20
	is 'PARALLEL LOOP' 6
}

language=C
check $CC -fopenmp "$srcdir/tests/runtime/constructs.c"
is 'PARALLEL SECTIONS' 6
is 'PARALLEL SECTIONS' 6 sectC
if [ -n "$GFORTRAN" ]; then
	language=Fortran
	check $GFORTRAN -fopenmp "$srcdir/tests/runtime/constructs.f90"
	is WORKSHARE 20
	is 'PARALLEL WORKSHARE' 6
fi
