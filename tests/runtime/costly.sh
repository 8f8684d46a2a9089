# costly: constructs of the size of the profiler's own cost: their time lies in the interval that the report states, and
# what is stated as own cost is about what the processors do more
. "$srcdir/tests/lib.sh"

${CC:-cc} -O2 -fopenmp "$srcdir/tests/bench/storm.c" -o plain
kinst ${CC:-cc} -O2 -fopenmp "$srcdir/tests/bench/storm.c" -o ours
export OMP_NUM_THREADS=1 OMPP_OUTFORMAT=CSV OMPP_QUIET=1 OMPP_PROFILE=0 OMPP_REPORTFILE="$PWD/report"

# The least of five runs of each, in turn: what disturbs a run only makes it longer.
measure() {
	rm -f plain.times ours.times costs
	for i in 1 2 3 4 5; do
		./plain "$@" | tail -1 >>plain.times
		./ours "$@" | tail -1 >>ours.times
		sed -n 's/^Own cost of the profiler,\([0-9.]*\),.*/\1/p' report >>costs
	done
	plain=$(sort -g plain.times | head -1) ours=$(sort -g ours.times | head -1) cost=$(sort -g costs | head -1)
}

# The interval of a construct: "least most".
interval() {
	awk -F, -v type="$1" '/^##BEG costly regions/ { on = 1; getline; for (i = 1; i <= NF; i++) col[$i] = i; next }
		/^##END costly/ { on = 0 } on && $2 == type { print $col["at least"], $col["at most"] }' report
}

# All of the plain program's time is the construct's, and the loop around it.
is_inside() {
	awk -v t="$1" -v least="$2" -v most="$3" 'BEGIN { exit !(least <= t && t * 0.5 <= most && least <= most) }'
}

# Half and twice: what a processor does beside the events is another thing in each program (`make bench` says how near).
is_about() {
	awk -v added="$1" -v stated="$2" 'BEGIN { exit !(stated > added * 0.5 && stated < added * 2) }'
}

try() {
	kind=$1 type=$2 n=$3
	measure "$kind" "$n"
	bounds=$(interval "$type")
	[ -n "$bounds" ] || { echo "$kind: not marked as costly"; return 1; }
	added=$(awk -v p="$plain" -v o="$ours" 'BEGIN { print o - p }')
	echo "$kind: plain $plain s, reported between $bounds; added $added s, stated $cost"
	# shellcheck disable=SC2086
	is_inside "$plain" $bounds && is_about "$added" "$cost"
}

retry 5 try alone ATOMIC 1000000 || fail "atomic"
retry 5 try critical CRITICAL 500000 || fail "critical"

# what stands around the events is in the interval, too
awk -F, '/^Own cost of the profiler/ { cost = $2 } /^Own cost at least/ { least = $2 } /^Own cost at most/ { most = $2 }
	END { exit !(least <= cost && cost <= most && most > 0) }' report || fail "$(grep '^Own cost' report)"

# a region that is no smaller than that is not marked
cat >long.c <<'EOF'
static volatile double x;

int main(void)
{
#pragma omp parallel for
	for (int i = 0; i < 20000000; i++)
		x = i;
	return 0;
}
EOF
kinst ${CC:-cc} -O1 -fopenmp long.c -o long
./long
[ -z "$(interval 'PARALLEL LOOP')" ] || fail "a long region is marked: $(interval 'PARALLEL LOOP')"
! grep -q '^##BEG costly' report || fail "a table of no regions"
