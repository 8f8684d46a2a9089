# samples_errors: over 400 processes, 95 ± 2.5 % of the estimates by samples lie within two of the standard errors that
# the report states, for each kind: loads, stores, latencies, the far share and the share of who touched first.  Each
# process samples otherwise; OMPP_SAMPLE_SEED repeats one, and a child of fork() has a seed of its own.
. "$srcdir/tests/lib.sh"
has_sample_clock || skip "this processor has no clock for it"
: "${RUNS=400}"
export OMPP_OUTFORMAT=CSV OMPP_QUIET=1 OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=101 OMPP_NUMA=emulate:2 OMP_NUM_THREADS=2 OMPP_PROFILE=0
kinst --access gcc -O1 -fopenmp "$srcdir/tests/runtime/samples_errors.c" -o errors || fail "errors"

# samples FILE: the table of the samples' numbers, without latencies; seed FILE: the seed that it states
samples() {
	sed -n '/^##BEG sampled accesses$/,/^##END/p' "$1" | cut -d, -f1-5
}
seed() {
	sed -n 's/^Sample Seed,"*\([0-9]*\).*/\1/p' "$1"
}
for i in 1 2 3 4 5; do
	OMPP_REPORTFILE=own$i.csv ./errors >/dev/null || fail "ends with $?"
	seed own$i.csv
done >seeds
[ "$(sort -u seeds | grep -c .)" = 5 ] || fail "five processes do not have five seeds: $(cat seeds)"
[ "$(for i in 1 2 3 4 5; do samples own$i.csv | cksum; done | sort -u | grep -c .)" = 5 ] || fail "two processes have the same samples"
OMPP_SAMPLE_SEED=$(seed own1.csv) OMPP_REPORTFILE=again.csv ./errors >/dev/null
samples own1.csv | grep '^plain' >want
samples again.csv | grep '^plain' >got
same "the samples of the same seed" want got

# Ranks of an MPI run that are given one seed do not sample alike.
for i in 0 1; do
	OMPI_COMM_WORLD_RANK=$i OMPI_COMM_WORLD_SIZE=2 OMPP_SAMPLE_SEED=3 OMPP_REPORTFILE=rank ./errors >/dev/null
done
samples rank.r0 | grep '^plain' >rank0 && samples rank.r1 | grep '^plain' >rank1 || fail "no samples of ranks"
! cmp -s rank0 rank1 || fail "two ranks sample alike"

# A forked child samples otherwise than its parent and than its brothers, whose accesses are the same. The seed is given, so
# that all of it is the same each time.
OMPP_SAMPLE_SEED=3 OMPP_USEPID=1 OMPP_APPNAME=forked OMPP_REPORTFILE='' ./errors fork >/dev/null || fail "fork: ends with $?"
for report in forked*.csv; do
	echo "$(seed "$report") $(samples "$report" | grep '^plain' | cksum)"
done >forked
[ "$(cut -d' ' -f1 forked | sort -u | grep -c .)" = 4 ] && [ "$(cut -d' ' -f2- forked | sort -u | grep -c .)" = 4 ] ||
	fail "a parent and three children: $(cat forked)"

# The seeds are given, so that the numbers of samples are the same each time; what the clock says is not.
run_all() {
	rm -f run*.csv
	for i in $(seq 1 "$RUNS"); do
		OMPP_SAMPLE_SEED=$i OMPP_REPORTFILE=run$i.csv ./errors >/dev/null || fail "ends with $?"
	done
	awk -F, -v period=$OMPP_SAMPLE_PERIOD -f "$srcdir/tests/runtime/samples_errors.awk" run*.csv >within
	cat within
	awk -v runs="$RUNS" '{ k++; share = $2 / $3; bad += $3 < 0.95 * runs || share < 0.925 || share > 0.975
	                       print $1 ": " 100 * share " % within two errors, " 100 * $4 / $3 " % above the truth" }
	                     END { exit !(k == 5 && !bad) }' within
}
retry 2 run_all || fail "the errors are not those that are stated"
