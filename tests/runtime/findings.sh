# findings: what is found is what the program has, and nothing else is said; on a busy machine, too
. "$srcdir/tests/lib.sh"
need python3

kinst --strict $CC -O1 -fopenmp "$srcdir/tests/runtime/findings.c" -o findings
$CC -w -shared -fPIC "$srcdir/tests/runtime/late.c" -o late.so -ldl -lpthread
export OMPP_PROPERTY_MIN=0               # beside others on this machine, waiting for them may be most of a run
export OMPP_OUTFORMAT=CSV OMPP_REPORTFILE="$PWD/report" OMPP_VIEW=overhead,properties OMPP_QUIET=1 OMP_NUM_THREADS=2

# found NAME: prints its severity in per cent; nothing when it is not found.
found() {
	awk -F, -v name="$1" '/^P[0-9]+,/ && $2 == name { print $9; exit }' report
}
is_found() {
	[ -n "$(found "$1")" ] || { grep -h '^P[0-9]\|^Total\|^Out of' report; fail "$2: no $1"; }
}
is_not_found() {
	for name; do
		[ -z "$(found "$name")" ] || { cat report; fail "$name is found"; }
	done
}
imbalances='ImbalanceInParallelLoop ImbalanceInParallelRegion'

# A uniform loop whose second thread starts 100 ms late.
late() {                                  # what other programs take meanwhile is charged to the system
	OMPP_PROPERTY_MIN=1 LD_PRELOAD=$PWD/late.so ./findings uniform 1 >out
	# shellcheck disable=SC2086
	is_not_found $imbalances WorkVariesBetweenThreads
	is_found TeamMade 'a thread that starts late'
	awk -v s="$(found TeamMade)" 'BEGIN { exit !(s > 50) }' || { cat report; fail 'the thread that starts late is not most of it'; }
	! grep -q 'schedule(dynamic)' report || fail 'a uniform loop is advised to have a schedule'
}
retry 5 late || fail 'a thread that starts late'

# Work that differs by two is found, and by how much; of one execution by CPU time.
twice() {
	is_found ImbalanceInParallelLoop "$1"
	ratio=$(sed -n 's/^P[0-9]*,ImbalanceInParallelLoop.*Threads work \([0-9.]*\) to \([0-9.]*\) .*/\1 \2/p' report |
		awk 'NR == 1 { print $2 / $1 }')
	near "$1: the work of one to that of the other" "$ratio" 2 15 || { cat report; fail "$1"; }
}
unequal() {                               # other virtual machines may take from one thread for most of 0.1 s
	./findings ramp 40 100000 >out
	twice 'a loop with unequal iterations'
}
retry 5 unequal || fail 'a loop with unequal iterations'
grep -q '^P.*Try a smaller chunk' report || { cat report; fail 'the advice does not know the clauses'; }
once() {
	./findings ramp 1 4000000 >out
	is_found ImbalanceInParallelLoop 'one execution'
}
retry 5 once || fail 'one execution'
grep -q '^P.*CPU times were compared' report || { cat report; fail 'how sure it is, is not said'; }

# The same beside other programs: one processor for four threads and two programs more.
processor=$(taskset -cp $$ 2>/dev/null | sed 's/.*: *\([0-9]*\).*/\1/')
[ -n "$processor" ] || skip 'taskset cannot say which processors there are'
others=
for i in 1 2; do
	taskset -c "$processor" sh -c 'while :; do :; done' &
	others="$others $!"
done
# shellcheck disable=SC2086
trap 'status=$?; kill $others; finish $status' EXIT
busy() {                                  # the processor may be given so that the longer work never is the last
	taskset -c "$processor" ./findings ramp 20 400000 >out
	twice 'a loop with unequal iterations on a busy machine'
}
retry 5 busy || fail 'unequal work on a busy machine'
is_found MoreThreadsThanProcessors 'two threads on one processor'
OMPP_PROPERTY_MIN=1 OMP_NUM_THREADS=4 OMP_WAIT_POLICY=passive taskset -c "$processor" ./findings uniform 2000 5000 >out
# shellcheck disable=SC2086
is_not_found $imbalances
is_found MoreThreadsThanProcessors 'four threads on one processor'
! grep -q 'Iterations differ' report || { cat report; fail 'a uniform loop is told that its iterations differ'; }
# That threads begin and end late where they wait for a processor is what the system took, and stands first.
takes() {
	OMPP_PROPERTY_MIN=1 OMP_NUM_THREADS=2 taskset -c "$processor" ./findings naps 60 200000 >out
	grep '^P00001,' report | grep -q ',MoreThreadsThanProcessors,' || { cat report; fail 'the system is not the first cause'; }
	is_not_found TeamMade ThreadsComeLate
	awk -v m="$(found ManagementOfTeams)" -v s="$(found MoreThreadsThanProcessors)" 'BEGIN { exit !(m + 0 < s / 2) }' ||
		{ cat report; fail 'what the system took is called the management of teams'; }
}
if [ -e /proc/self/schedstat ]; then
	retry 5 takes || fail 'what the system takes from teams'
fi
# its serial part waits for a processor as well: it does not sleep
waits() {
	taskset -c "$processor" ./findings serial 99 1000000 >out
	is_found SerialPart 'a program that is mostly serial, on a busy machine'
	is_not_found LowProcessorUse
}
if [ -e /proc/self/schedstat ]; then
	retry 5 waits || fail 'a program that is mostly serial, on a busy machine'
fi
# shellcheck disable=SC2086
kill $others
trap finish EXIT

# Serial: of 101 parts of the CPU time 99 are outside, during which the other thread has nothing to do.  Where other
# programs take processors the run is longer, but not these; then what the system took may stand first.
is_serial() {
	./findings serial 99 1000000 >out
	is_found SerialPart 'a program that is mostly serial'
	grep '^P[0-9]*,' report | grep -Ev ',(ProcessorTakenAway|ThreadsOnOneProcessor|MoreThreadsThanProcessors),' | head -n 1 |
		grep -Eq '^P[0-9]*,SerialPart,\(program\).*at most 1\.[0-9]+ times as fast' || { cat report; fail "Amdahl's law"; }
	ompp report --format=json --property-min=0 report.ompp >json
	python3 -c 'import json
p = json.load(open("json"))
print(p["run"]["user_ns"] * 99 / 101, *[f["time_ns"] for f in p["findings"]["list"] if f["name"] == "SerialPart"])' >figures
	read -r cpu serial <figures
	near 'the work of the serial part' "$serial" "$cpu" 10 || { cat report figures; fail 'its time'; }
}
retry 10 is_serial || fail 'a program that is mostly serial'

# Threads that sleep in a construct.  Where they wait for processors as well, that they slept may not be sure.
sleeps() {
	./findings sleep 10 >out
	is_found LowProcessorUse 'a thread that sleeps'
}
retry 10 sleeps || fail 'a thread that sleeps'
is_found ImbalanceInParallelLoop 'a thread that sleeps longer than the other'
grep -q '^P.*slept meanwhile' report || { cat report; fail 'that it sleeps is not said'; }
