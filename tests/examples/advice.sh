# advice: each example with a planted problem has it as the first property that the program is to blame for, at its place;
# programs in which nothing is wrong have none of these.  All of it several times, counted.
. "$srcdir/tests/lib.sh"
export OMP_NUM_THREADS=2 OMPP_QUIET=1 OMPP_OVERWRITE=1

# What a machine that others use does to a program, and what starting threads costs: not what was planted.
machine='^(ProcessorTakenAway|ThreadsOnOneProcessor|MoreThreadsThanProcessors|ThreadsComeLate|TeamMade|ManagementOfTeams|WorkVariesBetweenThreads|SpeedVaries)$'

# properties NAME COMMAND…: the properties of a run, a line each, "NAME TYPE FILE:LINE", those of the machine left out
properties() {
	name=$1
	shift
	OMPP_APPNAME=$name "$@" >printed 2>&1 || fail "$*: $?: $(cat printed)"
	ompp report --format=json "$name.2.ompp" >"$name.json" || fail "ompp report of $name"
	python3 - "$name.json" "$machine" <<'P'
import json, os, re, sys
p = json.load(open(sys.argv[1]))
r = p["regions"]
for f in p["findings"]["list"]:
    if not re.match(sys.argv[2], f["name"]):
        i = f["region"]
        assert f["meaning"] and f["advice"] and (f["time_ns"] is None or f["gain_ns"] is None or f["gain_ns"] <= f["time_ns"])
        print(f["name"], "(program)" if i is None else "%s:%s" % (os.path.basename(r["file"][i]), r["begin_line"][i]))
P
}
need python3

runs=0 right=0 wrong=0 n_good=0 alarms=0
# planted EXAMPLE PROPERTY PATTERN [ALSO]: the first property is this one, where the source has the pattern; ALSO may be
# there as well, as it follows from it
planted() {
	line=$(awk -v pattern="$3" '$0 ~ pattern { print NR; exit }' "$srcdir/examples/$1.c")
	want="$2 $1.c:$line"
	[ "$3" != program ] || want="$2 (program)"
	[ -x "$1.program" ] || kinst $CC -O2 -g -fopenmp "$srcdir/examples/$1.c" -o "$1.program" || fail "kinst $1"
	properties "$1" "./$1.program" >found
	runs=$((runs + 1))
	if [ "$(head -1 found)" = "$want" ]; then
		right=$((right + 1))
	else
		echo "$1: not '$want' first, but: $(cat found)"
	fi
	others=$(tail -n +2 found | grep -v -E "^(${4:-none}) " || :)
	[ -z "$others" ] || { wrong=$((wrong + 1)); echo "$1: also: $others"; }
}
# good WAY: nothing is found
good() {
	properties "good_$1" ./good "$1" >found
	n_good=$((n_good + 1))
	[ ! -s found ] || { alarms=$((alarms + 1)); echo "good $1: $(cat found)"; }
}

kinst $CC -O2 -g -fopenmp "$srcdir/tests/examples/good.c" -o good || fail 'kinst good'
for _ in $(seq "${ADVICE_REPEATS:-3}"); do
	planted barrier WaitAtBarrier 'omp barrier'
	planted critical CriticalSectionContention 'omp critical'
	planted imbalance ImbalanceInParallelLoop 'omp for'
	planted locks LockContention '^static omp_lock_t|omp_init_lock'
	planted sections ImbalanceDueToUnevenSectionDistribution 'omp sections'
	planted single UnparallelizedInSingleRegion 'omp single'
	planted first_touch UnparallelizedInMasterRegion 'omp master' ImbalanceBefore
	planted userregions SerialPart program
	for way in loop dynamic reduction critical lock sections barrier tasks single master; do
		good $way
	done
done
echo "right causes: $right of $runs, with others: $wrong of $runs; false alarms: $alarms of $n_good"
# On a machine that others use, one run of twenty may show something else.
[ $((right * 20)) -ge $((runs * 19)) ] && [ $((alarms * 20)) -le "$n_good" ] || fail 'wrong causes or false alarms'
[ $((wrong * 4)) -le "$runs" ] || fail 'more is found than was planted'
