# samples_hook: samples by access hooks: with a period of 1 they are the exact counts, of each kind of access and also in
# libraries; with a larger one they estimate them within their stated errors; page faults and results are the plain ones.
. "$srcdir/tests/lib.sh"
has_sample_clock || skip "this processor has no clock for it"
export OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=report.csv OMPP_QUIET=1 OMP_NUM_THREADS=2

# rows TAG COLUMN…: the values of these columns of a table of the report, a line each
rows() {
	awk -F, -v tag="$1" -v wanted="$(shift; echo "$*" | tr ' ' ,)" '
		$0 == "##BEG " tag { inside = 1; getline; for (i = 1; i <= NF; i++) at[$i] = i; next }
		/^##END/ { inside = 0 }
		inside { n = split(wanted, w, ","); line = ""
		         for (i = 1; i <= n; i++) line = line (i > 1 ? " " : "") $at[w[i]]; print line }' report.csv
}

# sampled OBJECT: "loads stores" as estimated; counted OBJECT: "loads stores atomics", exactly
sampled() {
	rows "sampled accesses" object kind accesses | awk -v o="$1" '$1 == o { n[$2] += $3 } END { print n["loads"] + 0, n["stores"] + 0 }'
}
counted() {
	rows "data objects" object loads stores atomics | awk -v o="$1" '$1 == o { print $2, $3, $4 }'
}

# build NAME WORD…: the program, and the library beside it
build() {
	name=$1
	shift
	kinst "$@" -O2 -g -fopenmp "$srcdir/tests/runtime/samples_hook.c" -o $name -ldl 2>build.err ||
		{ cat build.err; fail "$*: does not build"; }
}

check_kinds() {
	echo "$name"
	OMPP_SAMPLE=off ./$name kinds ./library.so >want || fail "$name: ends with $?"
	rows "data objects" object loads stores atomics bytes >counts_off
	OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=1 ./$name kinds ./library.so >got || fail "$name, sampled: ends with $?"
	same "$name: stdout" want got
	rows "data objects" object loads stores atomics bytes >counts_on
	same "$name: counts with samples" counts_off counts_on
	for object in plain volatiles atomics blocks theirs; do
		set -- $(counted $object) $(sampled $object)
		[ $# -eq 5 ] && [ "$1 $(($2 + $3))" = "$4 $5" ] ||
			fail "$name: $object: counted $(counted $object), sampled with a period of 1 $(sampled $object)"
	done
	[ "$(counted theirs)" = "1 1000 0" ] || fail "$name: the library's accesses are not counted"
	# what may not be probed has no latency, and all that may be has one, but for interrupted ones
	[ -z "$(rows "sampled accesses" object kind latency |
		awk '($1 == "volatiles" || $1 == "atomics" && $2 == "stores") && $3 != "-"')" ] || fail "$name: probed what must not be"
	rows "sampled accesses" object latency | awk '$1 == "plain" && $2 > 0 { n++ } END { exit n != 2 }' ||
		fail "$name: loads and stores have no latency"
}

for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	kinst --access $compiler -O2 -shared -fPIC "$srcdir/tests/runtime/samples_hook_library.c" -o library.so || fail "library"
	build by_$compiler --access $compiler
	check_kinds
done
build fixed --access gcc -no-pie -Wl,--gc-sections -Wl,-z,start-stop-gc
check_kinds

# of 200 objects, 190 are within 1.96 standard errors in the mean, and fewer than 178 in one of 10,000 programs; but the
# same seed always gives the same
OMPP_SAMPLE=hook OMPP_SAMPLE_SEED=1 OMPP_SAMPLE_PERIOD=97 ./by_gcc objects >got || fail "objects: ends with $?"
OMPP_SAMPLE=off OMPP_REPORTFILE=none ./by_gcc objects >want
same "objects: stdout" want got
rows "data objects" object loads stores >exact
rows "sampled accesses" object kind accesses "accesses +-" >/dev/null
awk -F, '$0 == "##BEG sampled accesses" { on = 1; getline; for (i = 1; i <= NF; i++) at[$i] = i; next } /^##END/ { on = 0 }
	on { print $at["object"], $at["kind"], $at["accesses"], $at["accesses +-"] }' report.csv >estimates
awk 'NR == FNR { exact[$1, "loads"] = $2; exact[$1, "stores"] = $3; next }
	$1 ~ /^o[0-9]/ { d = $3 - exact[$1, $2]; n[$2]++; within[$2] += d * d <= 1.96 * 1.96 * $4 * $4 }
	END { for (k in n) print k ":", within[k], "of", n[k], "objects"
	      exit !(n["loads"] == 200 && n["stores"] == 200 && within["loads"] >= 178 && within["stores"] >= 178) }' exact estimates ||
	fail "estimates are not within their errors"

# probes touch no page first: with them there would be some 4,000 page faults more; some are of the runtime's own memory
OMPP_SAMPLE=off ./by_gcc faults plain.faults >want
OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=11 ./by_gcc faults sampled.faults >got
same "faults: stdout" want got
echo "page faults: plain $(cat plain.faults), sampled $(cat sampled.faults)"
near "page faults" "$(cat sampled.faults)" "$(cat plain.faults)" 0 1000 || fail "probes make page faults"

# kinds and latencies that are not wanted are left out
OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=3 OMPP_SAMPLE_KIND=loads ./by_gcc kinds ./library.so >/dev/null
rows "sampled accesses" kind | grep -q loads || fail "SAMPLE_KIND=loads: no loads"
! rows "sampled accesses" kind | grep -q stores || fail "SAMPLE_KIND=loads: stores"

# a tick of latencies is as long as a program finds that reads the TSC itself
cat >tick.c <<'EOF'
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

int main(void)
{
	struct timespec begin, now;
	unsigned long long ticks = __rdtsc();
	double ns;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
		ns = (now.tv_sec - begin.tv_sec) * 1e9 + (now.tv_nsec - begin.tv_nsec);
	} while (ns < 1e8);
	printf("%.0f\n", 1e6 * ns / (__rdtsc() - ticks));
	return 0;
}
EOF
"$CC" tick.c -o tick || fail "tick.c"
OMPP_SAMPLE=hook OMPP_REPORTFILE= OMPP_APPNAME=tick OMPP_OVERWRITE=1 ./by_gcc kinds ./library.so >/dev/null
ompp report --format=json tick.2.ompp >tick.json || fail "tick.2.ompp: $?"
if grep -q '"clock":"tsc"' tick.json; then
	tick=$(sed -n 's/.*"tick_fs":\([0-9]*\).*/\1/p' tick.json)
	echo "a tick: $tick fs, as read: $(./tick)"
	near "a tick" "$tick" "$(./tick)" 1 || fail "a tick of $tick fs"
fi

# where it cannot be done, the program runs as ever, and the report says why
OMPP_SAMPLE=hook ./by_gcc objects >/dev/null
! grep -q 'OMPP_SAMPLE=hook' report.csv || fail "a note without a cause: $(grep 'OMPP_SAMPLE=hook' report.csv)"
build bare --no-access gcc
OMPP_SAMPLE=hook ./bare objects >got || fail "bare: ends with $?"
same "bare: stdout" got got
grep -q 'OMPP_SAMPLE=hook: the program has no access hooks.*kinst --access' report.csv || fail "bare: no note"
for unit in pebs:cpu*/events/mem-loads ibs:ibs_op spe:arm_spe_0; do
	[ -z "$(echo /sys/bus/event_source/devices/${unit#*:} | grep -v '[*]' | xargs -r ls -d 2>/dev/null)" ] || continue
	unit=${unit%%:*}
	OMPP_SAMPLE=$unit ./bare objects >got || fail "$unit: ends with $?"
	grep -q "OMPP_SAMPLE=$unit: no PMU .*memory accesses are not sampled" report.csv || fail "$unit: no note"
done
"$CC" "$srcdir/tests/runtime/refuse_code.c" -o refuse || fail "refuse_code.c"
OMPP_SAMPLE=off ./by_gcc kinds ./library.so >want
status=0
OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=1 ./refuse ./by_gcc kinds ./library.so >got || status=$?
if [ $status -ne 77 ]; then
	[ $status -eq 0 ] || fail "refused: ends with $status"
	same "refused: stdout" want got
	grep -q 'does not let the hooks.* code be changed' report.csv || fail "refused: no note"
	[ "$(counted theirs)" = "1 1000 0" ] || fail "refused: not counted"
fi
