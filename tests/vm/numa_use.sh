# numa_use: machines with four and with eight NUMA nodes run a program with planted behaviour: who uses whose memory, where
# the pages are and who moves are what the program knows of itself and the kernel tells it, and the findings name what
# is planted, and only that
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/vm.sh"
. "$srcdir/tests/runtime/numa_check.sh"

[ "$(uname -m)" = x86_64 ] || skip 'the programs of this build are not for x86_64'
vm_arch=amd64 vm_libraries=$builddir/.libs
vm_need
vm_packages

planted='serial local swapped table spread producer turns hot moving'
kinst --access $CC -O1 -g -fopenmp "$srcdir/tests/vm/numa_use.c" -o numa_use
kinst --access $CC -DBLOCKS -O1 -g -fopenmp "$srcdir/tests/vm/numa_use.c" -o numa_blocks
vm_add /bin numa_use numa_blocks "$builddir/ompp"

# A machine of so many nodes of one processor each.
machine() {		# machine NODES PLANTED PLACED BLOCKS PAGED
	vm_cpus=$1 vm_memory=$((128 * $1))M vm_options=
	node=0
	while [ $node -lt "$1" ]; do
		vm_options="$vm_options -object memory-backend-ram,id=m$node,size=128M"
		vm_options="$vm_options -numa node,nodeid=$node,cpus=$node,memdev=m$node"
		node=$((node + 1))
	done
	cat >run <<-END
		export OMP_NUM_THREADS=$1 OMP_PROC_BIND=close OMP_PLACES=threads
		export OMPP_OUTFORMAT=CSV OMPP_QUIET=1 OMPP_PROPERTY_MIN=0 OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=1
		balancing=/proc/sys/kernel/numa_balancing
		[ ! -e \$balancing ] || echo 0 >\$balancing
		for what in $2; do
			OMPP_REPORTFILE=report_\$what numa_use \$what >out_\$what || exit
		done
		for what in $5; do
			OMPP_SAMPLE=off OMPP_PAGES=hooks OMPP_PAGES_INTERVAL=100s OMPP_REPORTFILE=pages_\$what numa_use \$what >paged_\$what || exit
		done
		for what in $3; do
			ompp place report_\$what.ompp >place_\$what || exit
			OMPP_REPORTFILE=placed_\$what ompp place report_\$what.ompp -- numa_use \$what >run_\$what || exit
		done
		for what in $4; do
			OMPP_OBJECTS=all OMPP_REPORTFILE=report_b\$what numa_blocks \$what >out_b\$what || exit
			ompp place report_b\$what.ompp >place_b\$what || exit
			OMPP_REPORTFILE=placed_b\$what ompp place report_b\$what.ompp -- numa_blocks \$what >run_b\$what || exit
		done
	END
	vm_run "nodes$1" run || { cat "nodes$1/log"; fail 'a program fails'; }
	for what in $4; do # a block has the name of its call; other variables have one page for all
		name=$(awk '$1 ~ /^numa_blocks[+]0x/ { print $1; exit }' "nodes$1/place_b$what")
		sed -i "/numa_blocks: bss/d; s/^$name/a/; s/\"$name:/\"a:/" "nodes$1/report_b$what" "nodes$1/placed_b$what" \
			"nodes$1/place_b$what"
	done
}

# What each loop does: 40 pages a thread, 6 rounds; a change is a load and a store, and init one store.
machine 4 "$planted" 'serial local swapped table producer turns hot' 'serial producer table' 'serial local swapped producer'
# A line that an emulator is to flush stays where it is, so that no level is told apart, and each access may be one of memory.
case $(sed -n 's/^Latencies,//p' nodes4/report_hot) in
*'memory are not told apart'*) ;;
*) fail "levels are told apart: $(grep ^Latencies nodes4/report_hot)" ;;
esac

{ echo 0 0 $((160 + 480)); for i in 1 2 3; do echo $i 0 480; done; } | check_matrix nodes4/report_serial 4
for i in 0 1 2 3; do echo $i $i 520; done | check_matrix nodes4/report_local 4
for i in 0 1 2 3; do echo $i $i 40; echo $i $(((i + 3) % 4)) 480; done | check_matrix nodes4/report_swapped 4
{ echo 0 0 $((160 + 960)); for i in 1 2 3; do echo $i 0 960; done; } | check_matrix nodes4/report_table 4
for i in 0 1 2 3; do
	for k in 0 1 2 3; do
		echo $i $k $((240 + (i == 0) * 40))
	done
done | check_matrix nodes4/report_spread 4
{ echo 0 0 160; echo 2 0 1920; } | check_matrix nodes4/report_producer 4
{ echo 0 0 160; for i in 1 2 3; do echo $i 0 320; done; } | check_matrix nodes4/report_turns 4
{ echo 0 0 4801; for i in 1 2 3; do echo $i 0 4800; done; } | check_matrix nodes4/report_hot 4
# In round r, from 0, thread t is on node t + r + 1.
for t in 0 1 2 3; do
	echo $t $t $((40 + 80))
	echo $(((t + 1) % 4)) $t 160
	echo $(((t + 2) % 4)) $t 160
	echo $(((t + 3) % 4)) $t 80
done | check_matrix nodes4/report_moving 4
for what in $planted; do
	check_pages nodes4 $what 4
done

# A trace of pages has the same matrices, from all accesses.
paged() {		# paged WHAT, and the expected matrix from stdin
	sort >expected
	ompp pages --view=nodes --format=csv --object=a "nodes4/pages_$1.ompp.pages" |
		awk -F, '$1 == "a" { print $2, $3, $4 + $5 }' | sort >matrix
	same "$1: accesses by nodes, of a trace of pages" expected matrix
}
{ echo 0 0 $((160 + 480)); for i in 1 2 3; do echo $i 0 480; done; } | paged serial
for i in 0 1 2 3; do echo $i $i 520; done | paged local
for i in 0 1 2 3; do echo $i $i 40; echo $i $(((i + 3) % 4)) 480; done | paged swapped
{ echo 0 0 160; echo 2 0 1920; } | paged producer
check_finding nodes4 serial MemoryOnOneNode
check_finding nodes4 local
check_finding nodes4 swapped PartsOnOtherNodes
check_finding nodes4 table MemoryOnOneNode
check_finding nodes4 spread
check_finding nodes4 producer MemoryOnAnotherNode
check_finding nodes4 turns UsedByNodesInTurn
check_finding nodes4 hot PageSharedByNodes
check_finding nodes4 moving ThreadsMoveBetweenNodes
says() {		# says WHAT WORDS …: its finding has all of these
	grep ,MemoryOnOneNode, "nodes4/report_$1" >found
	shift
	for words; do
		grep -q "$words" found || { cat found; fail "no '$words' in it"; }
	done
}
# The region's lines in use_parts, of the source.
lines=$(awk '/^static void use_parts/ { mine = 1 } mine && /#pragma omp parallel/ { from = NR } from && /^\t\t}/ { print from "-" NR; exit }' \
	"$srcdir/tests/vm/numa_use.c")
says serial 'each node uses a part of its own' 'initialise it in a parallel for' \
	'touched 160 pages first in the serial part' "numa_use.c ($lines)"
says table 'all nodes read it' 'numactl --interleave'

# What ompp place does, which follows from where the pages are then: it expects what arithmetic says, to within a point,
# the problem is gone, and the share of far accesses is within five points of what it said before.
placed() {		# placed WHAT PLACE EXPECTED, and the expected matrix from stdin
	awk -v place="$2" -v expected="$3" '$1 == "a" && $2 == place && ($5 - expected) ^ 2 <= 1 { found = 1; print $5 }
		END { exit !found }' "nodes4/place_$1" >promise ||
		{ cat "nodes4/place_$1"; fail "$1: not $2, or not $3 % expected"; }
	check_matrix "nodes4/placed_$1" 4
	findings "nodes4/placed_$1" >found
	[ ! -s found ] || { cat found; fail "$1: still found when it is placed"; }
	section "nodes4/placed_$1" 'numa objects' | awk -F, -v expected="$(cat promise)" '$1 == "a" && ($5 - expected) ^ 2 <= 25 { found = 1 }
		END { exit !found }' || { section "nodes4/placed_$1" 'numa objects'; fail "$1: another share than $(cat promise) %"; }
}
# Blocks that nothing names are placed by the calls that allocate them.
for b in '' b; do
	for i in 0 1 2 3; do echo $i $i 480; echo 0 $i 40; done |
		awk '{ n[$1 " " $2] += $3 } END { for (k in n) print k, n[k] }' | placed ${b}serial parts:0+1+2+3 5.8
	{ echo 0 2 160; echo 2 2 1920; } | placed ${b}producer node:2 7.7
	for i in 0 1 2 3; do
		for k in 0 1 2 3; do
			echo $i $k $((240 + (i == 0) * 40))
		done
	done | placed ${b}table interleave 75.0
done
grep -q "OMPP_PLACE='exe+0x[0-9a-f]*[^,]*=parts:0+1+2+3'" nodes4/place_bserial && grep -q OMPP_OBJECTS=all nodes4/place_bserial ||
	{ cat nodes4/place_bserial; fail 'a block: other variables'; }
grep -q '^a .*each node uses a part that others have' nodes4/place_swapped || fail 'swapped: not placed'
findings nodes4/placed_swapped >found
[ ! -s found ] || { cat found; fail 'swapped: still found when it is placed'; }
grep -q 'Nothing is to be placed' nodes4/place_local || fail 'local: placed'
grep -q '^a  *interleave  .*in turn' nodes4/place_turns || fail 'turns: not spread'
grep -q '^a  *-  .*one page' nodes4/place_hot || fail 'hot: placed'
grep -q "OMPP_PLACE='a=parts:0+1+2+3'" nodes4/place_serial || fail 'serial: no variable'
grep -q 'numactl --interleave=all' nodes4/place_table || fail 'table: no numactl'

machine 8 'serial local table' '' '' ''
{ echo 0 0 $((320 + 480)); for i in 1 2 3 4 5 6 7; do echo $i 0 480; done; } | check_matrix nodes8/report_serial 8
for i in 0 1 2 3 4 5 6 7; do echo $i $i 520; done | check_matrix nodes8/report_local 8
for what in serial local table; do
	check_pages nodes8 $what 8
done
check_finding nodes8 serial MemoryOnOneNode
check_finding nodes8 local
check_finding nodes8 table MemoryOnOneNode
