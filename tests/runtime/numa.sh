# numa: on a machine with one NUMA node, reports show who uses whose pages, and emulated nodes by the real first touch;
# a program of tests/vm does what it knows of itself
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/runtime/numa_check.sh"

kinst --access $CC -O1 -g -fopenmp "$srcdir/tests/vm/numa_use.c" -o numa_use
grep -q '^flags.* rdtscp' /proc/cpuinfo || skip 'this processor does not tell where a thread is'
export OMP_NUM_THREADS=4 OMPP_QUIET=1 OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=1 OMPP_OUTFORMAT=CSV OMPP_PROPERTY_MIN=0
# Runs a pattern.  All threads read the same table, so chance tells which of them memory answers and which a cache; where
# that is often the one that has the table no other layout is better, and nothing is found.
run_planted() {
	OMPP_NUMA=emulate:4 OMPP_REPORTFILE=report_$1 ./numa_use "$1" >out
	[ "$1" = local ] || grep -q 'MemoryOn.*modelled\|PartsOn.*modelled\|UsedBy.*modelled\|PageShared.*modelled' "report_$1"
}
for planted in serial local swapped table producer turns hot; do
	tries=1
	[ $planted != table ] || tries=12
	retry $tries run_planted $planted || fail "$planted: not said to be modelled"
done
{ echo 0 0 $((160 + 480)); for i in 1 2 3; do echo $i 0 480; done; } | check_matrix report_serial 4
for i in 0 1 2 3; do echo $i $i 520; done | check_matrix report_local 4
for i in 0 1 2 3; do echo $i $i 40; echo $i $(((i + 3) % 4)) 480; done | check_matrix report_swapped 4
{ echo 0 0 160; echo 2 0 1920; } | check_matrix report_producer 4
check_finding . serial MemoryOnOneNode
grep ,MemoryOnOneNode, report_serial | grep -q 'touched 160 pages first in the serial part, numa_use.c:[0-9]' ||
	fail 'serial: not the line that touches first'
check_finding . local
check_finding . swapped PartsOnOtherNodes
check_finding . table MemoryOnOneNode
producer() {                              # on a busy machine chance may make another layout the better one
	run_planted producer
	check_finding . producer MemoryOnAnotherNode
}
retry 3 producer || fail 'producer'
check_finding . turns UsedByNodesInTurn
check_finding . hot PageSharedByNodes

# Two emulated nodes, by the saved profile: two threads each.
OMPP_OVERWRITE=1 ./numa_use swapped >out
ompp report --format=csv --view=numa,properties --numa=emulate:2 --property-min=0 numa_use.4.ompp >report_two
{ echo 0 0 $((80 + 480)); echo 0 1 480; echo 1 1 $((80 + 480)); echo 1 0 480; } | check_matrix report_two 2
check_finding . two PartsOnOtherNodes
ompp report --far-min=60 --view=properties --numa=emulate:2 --property-min=0 numa_use.4.ompp >text
! grep -q PartsOnOtherNodes text || fail '--far-min has no effect'

# Threads for nodes where there is one node, and no findings then.
if [ "$(ls -d /sys/devices/system/node/node[0-9]* 2>/dev/null | wc -l)" -le 1 ]; then
	ompp report --format=csv --view=numa,properties --property-min=0 numa_use.4.ompp >report_threads
	for i in 0 1 2 3; do echo $i $i 40; echo $i $(((i + 3) % 4)) 480; done | check_matrix report_threads 4
	check_finding . threads
	ompp report --view=numa numa_use.4.ompp >text
	grep -q 'This machine has one NUMA node' text || fail 'it is not said that there is one node'
	section report_threads 'numa pages' | grep -q '^a,40,40,40,40,0,' || fail 'other pages'
fi

# What may not be.
OMPP_NUMA=emulate:1 OMPP_REPORTFILE=bad ./numa_use local >out
grep -q "OMPP_NUMA: 'emulate:1' is not auto or emulate:N" bad || fail 'a bad OMPP_NUMA is not named'
OMPP_NUMA=emulate:4 OMPP_SAMPLE=off OMPP_REPORTFILE=off ./numa_use local >out
grep -q 'OMPP_NUMA: it needs samples or first touches' off || fail 'it is not said that samples are needed'
status=0
ompp report --numa=emulate:x numa_use.4.ompp >out 2>err || status=$?
[ $status = 2 ] && grep -q "^ompp: --numa: 'emulate:x' is not auto or emulate:N" err || { cat err; fail "status $status"; }

# OMPP_PLACE: what is wrong is named, and the program goes on; ompp place wants a machine with several nodes.
OMPP_PLACE='a=interleaved,a=node:99,=node:0,b=interleave,exe+0x1/exe+0x2=node:0' OMPP_REPORTFILE=wrong ./numa_use local >out
for words in "'interleaved': unknown; there are interleave, node:N, parts:N+N…, blocks:N+N… and allocator" "'node:99': not a NUMA node of this machine" \
	"'=node:0': not NAME=HOW" "no data was named 'b'" \
	"no block was allocated by 'exe+0x1/exe+0x2'; set OMPP_OBJECTS=all"; do
	grep -q "OMPP_PLACE: .*$words\|OMPP_PLACE: $words" wrong || { grep OMPP_PLACE wrong; fail "not said: $words"; }
done
if [ "$(cat /sys/devices/system/node/has_memory 2>/dev/null)" = 0 ]; then
	OMPP_PLACE='a=parts:0+0' OMPP_REPORTFILE=right ./numa_use local >placed
	OMPP_REPORTFILE=plain ./numa_use local >out
	same 'the output of a program whose memory is placed' out placed
	! grep -q 'OMPP_PLACE: ' right || { grep OMPP_PLACE right; fail 'it cannot be placed'; }
	status=0
	ompp place numa_use.4.ompp >out 2>err || status=$?
	[ $status = 1 ] && grep -q 'one NUMA node, where all memory is near' err || { cat err; fail "place: status $status"; }
fi
status=0
ompp place >out 2>err || status=$?
[ $status = 2 ] && grep -q '^ompp: place: give a saved profile' err || { cat err; fail "place: status $status"; }
