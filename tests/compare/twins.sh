# twins: a program and its twin, which has a few more stores to other data, access their named data alike: no comparison of
# their samples may be sure of a change there, also where all runs of a side were drawn by one seed, and so have one error.
. "$srcdir/tests/lib.sh"
need python3
has_sample_clock || skip "this processor has no clock for it"
export OMPP_QUIET=1 OMP_NUM_THREADS=2 OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=1009 OMPP_OUTFORMAT=text
cp "$srcdir/tests/compare/twins.c" .
kinst --access gcc -O1 -g -fopenmp twins.c -o one && kinst --access gcc -O1 -g -fopenmp -DTWIN twins.c -o two || fail "kinst"
for i in 1 2 3 4 5; do
	for program in one two; do
		OMPP_REPORTFILE=own.$program$i ./$program >/dev/null &&
			OMPP_SAMPLE_SEED=7 OMPP_REPORTFILE=same.$program$i ./$program >/dev/null || fail "$program"
	done
done
ompp diff --format=json own.one?.ompp -- own.two?.ompp >own.json && ompp diff --format=json same.one?.ompp -- same.two?.ompp >same.json ||
	fail "ompp diff"
python3 "$srcdir/tests/compare/twins_judge.py" own.json same.json >judged || fail "twins_judge.py"
[ "$(cat judged)" = "2 0 0" ] || fail "comparisons, sure ones, intervals without a width: $(cat judged)"
ompp diff own.one?.ompp -- own.two?.ompp >text
grep -q '^Runs are too short to compare times' text || fail "no note about short runs"
! grep -q '"sample_seed":null' own.json || fail "no seed"

# with one run of a side nothing says how latencies differ from run to run
ompp diff --top=0 own.one1.ompp own.two1.ompp >single
! grep -q ' yes *mean latency' single || fail "one run of a side is sure of a latency"
