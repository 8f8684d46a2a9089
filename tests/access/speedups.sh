# speedups: how many times as fast a region is said to be with another layout or order of its loops is how many times as
# fast the rewritten program really is, or nothing is said.  Pairs of programs before and after a rewrite (speedups.py):
# what is foretold of their misses and what the rewritten one misses, in the same modelled caches; and times.  As others
# may use the machine, these are the processor time of loops before and after the rewrite in one process, in turn, and of
# all turns the median, of three processes the one in the middle; the time of the program as it is, from which the
# interval follows, is the least of many runs; and the roofs of `ompp machine` are the highest of three.  In nine of ten
# pairs with an interval it has to hold, to within 7 % for what times of the same program differ by.
#
# PART=2/6 takes the second of six parts of the pairs (tests/slices); by itself it takes the first.  RUNS=20 is how often
# the program runs as it is.
. "$srcdir/tests/lib.sh"
need python3
need gcc
pairs="python3 $srcdir/tests/access/speedups.py"
part=${PART:-1/6}
export OMPP_QUIET=1 OMPP_OVERWRITE=1 OMPP_SAMPLE=off OMPP_HOT=0 OMP_NUM_THREADS=1
kinst --work --verbose gcc -c -o none.o -x c /dev/null 2>said || fail "--work: $(cat said)"
grep -q 'operations are counted by .*loops_' said || skip 'no plug-in of gcc that counts operations'

# count NAME OPTION…: builds the program with hooks, counts by caches of our own: NAME.json, NAME.csv
count() {
	name=$1
	shift
	rm -f "$name".*.ompp
	kinst --work --access gcc -w -g -O2 -fopenmp "$@" pair.c -o "$name" || fail "pair $pair"
	OMPP_APPNAME=$name OMPP_LAYOUTS=1 OMPP_OBJECTS=all OMPP_CACHE=L1=48K/12/64,L2=512K/8/64 "./$name" >out ||
		fail "pair $pair"
	ompp report --format=json "$name".*.ompp >"$name.json" || fail "pair $pair"
	ompp report --format=CSV --view=layouts "$name".*.ompp >"$name.csv" || fail "pair $pair"
}

# part NAME [OPTION]: one of the two halves of what times both
part() {
	gcc -w -O2 -fopenmp -DBOTH ${2:-} "-DPART(name)=$1_##name" -c pair.c -o "$1.o" || fail "pair $pair"
}

# measure: prints what it was and what was said; 0: it holds, 1: it does not, 2: nothing was said
measure() {
	rm -f before.*.ompp timed.*.ompp out.* turns.*
	OMPP_APPNAME=timed OMPP_LAYOUTS=1 OMPP_WORK=1 OMPP_OBJECTS=all OMPP_CACHE=1 ./counted >out || fail "pair $pair"
	for run in $(seq "${RUNS:-20}"); do
		OMPP_APPNAME=before.$run OMPP_CACHE=0 ./before >"out.$run" || fail "pair $pair"
	done
	best=$($pairs best out.*)
	for run in 1 2 3; do
		./both >turns.$run || fail "pair $pair"
	done
	ompp report --machine=machine --times="$(echo before."${best#out.}".*.ompp)" --view=layouts --format=CSV \
		timed.*.ompp >report.csv || fail "pair $pair"
	$pairs judge "$pair" report.csv turns.*
}

# Two processes have their arrays at other addresses, which may be in one set of a cache by chance.
misses() {
	count counted
	count rewritten -DAFTER
	$pairs traffic "$pair" counted.json rewritten.json counted.csv rewritten.csv
}

$pairs both both.c
for i in 1 2 3; do
	ompp machine --file=m$i >out 2>&1 || fail "ompp machine: $(cat out)"
done
$pairs roofs machine m1 m2 m3
n=0
n_held=0
for pair in $($pairs list); do
	[ $((pair % ${part##*/})) = $((${part%/*} - 1)) ] || continue
	$pairs make "$pair" pair.c
	retry 3 misses || fail "pair $pair: its misses"
	kinst --no-access gcc -w -g -O2 -fopenmp pair.c -o before || fail "pair $pair"
	part before
	part after -DAFTER
	gcc -w -O2 -fopenmp both.c before.o after.o -o both || fail "pair $pair"
	found=0
	measure || found=$?
	[ $found -ne 1 ] || { found=0; measure || found=$?; }
	[ $found -ge 2 ] || n=$((n + 1))
	[ $found -ne 0 ] || n_held=$((n_held + 1))
done
echo "$n intervals, $n_held hold"
[ $((n - n_held)) -le $((1 + n / 10)) ] || fail "of $n intervals $n_held hold"
