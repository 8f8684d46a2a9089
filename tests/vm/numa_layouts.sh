# numa_layouts: on a machine with four NUMA nodes, programs that use memory in 22 ways: the layout that is best is named,
# and with what ompp place does the share of far accesses is what it has promised, to within 5 points
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/vm.sh"
. "$srcdir/tests/runtime/numa_check.sh"

[ "$(uname -m)" = x86_64 ] || skip 'the programs of this build are not for x86_64'
vm_arch=amd64 vm_cpus=4 vm_memory=512M vm_libraries=$builddir/.libs
vm_seconds=400 vm_four_nodes 128M
vm_need
vm_packages

# The way, the layout that ompp place does (- for none), the best one of all where that is another, and the finding.
cat >ways <<'END'
single     node:2                      -      MemoryOnAnotherNode
mostly     node:2                      -      MemoryOnAnotherNode
ranges     parts:0+1+2+3               -      MemoryOnOneNode
blocks     blocks:3+2+1+0              -      MemoryOnOneNode
owners     allocator                   -      MemoryOnOneNode
cyclic     parts:(0+1+2+3+)*           -      MemoryOnOneNode
chunks     parts:(0+1+2+3+)*           -      MemoryOnOneNode
table      interleave                  -      MemoryOnOneNode
random     interleave                  -      MemoryOnOneNode
dense      interleave                  copies MemoryOnOneNode
turns      *                           move   UsedByNodesInTurn
phases     *                           move   UsedByNodesInTurn
swapped    parts:0+1+2+3               -      PartsOnOtherNodes
columns    parts:(0+1+2+3+)*           -      PartsOnOtherNodes
hot        parts:3+1*11                -      MemoryOnOneNode
halo       parts:0+1+2+3               -      MemoryOnOneNode
master     -                           -      -
triangle   parts:0*9+1*19+2*29+3*39    -      MemoryOnOneNode
dynamic    -                           -      -
pthreads   parts:0+1+2+3               -      MemoryOnOneNode
local      -                           -      -
static     parts:0+1+2+3               -      MemoryOnOneNode
END
kinst --access $CC -O1 -g -fopenmp "$srcdir/tests/vm/numa_layouts.c" -o numa_layouts
vm_add /bin numa_layouts "$builddir/ompp"
cat >run <<END
export OMP_NUM_THREADS=4 OMP_PROC_BIND=close OMP_PLACES=threads OMPP_OBJECTS=all OMPP_DATA_NAME=fixed
export OMPP_OUTFORMAT=CSV OMPP_QUIET=1 OMPP_PROPERTY_MIN=0 OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=1
balancing=/proc/sys/kernel/numa_balancing
[ ! -e \$balancing ] || echo 0 >\$balancing
for way in $(awk '{ print $1 }' ways | tr '\n' ' '); do
	OMPP_REPORTFILE=report_\$way numa_layouts \$way || exit
	ompp place report_\$way.ompp >place_\$way || exit
	OMPP_REPORTFILE=placed_\$way ompp place report_\$way.ompp -- numa_layouts \$way >run_\$way || exit
done
END
vm_run four run || { cat four/log; fail 'a program fails'; }

# The object with most accesses: the blocks of one call, which have its address for a name, or the variable.
name_of() {		# name_of REPORT
	section "$1" 'numa objects' | awk -F, '$1 ~ /^numa_layouts[+]0x|get|fixed/ && $3 > most { most = $3; name = $1 } END { print name }'
}
far_of() {		# far_of REPORT NAME
	section "$1" 'numa objects' | awk -F, -v name="$2" '$1 == name { print $5 }'
}
complain() { cat "four/place_$way"; fail "$way: $*"; }
while read -r way layout best finding; do
	name=$(name_of "four/report_$way")
	[ -n "$name" ] || { section "four/report_$way" 'numa objects'; fail "$way: no object"; }
	line=$(awk -v name="$name" 'index($0, name " ") == 1' "four/place_$way")
	place=$(printf '%s\n' "${line#"$name"}" | awk '{ print $1 }') expected=$(printf '%s\n' "${line#"$name"}" | awk '{ print $4 }')
	ways=$(awk -v name="$name" 'mine && /^  far by layout/ { print } { mine = index($0, name " ") == 1 }' "four/place_$way")
	case $layout in
	-) [ -z "$line" ] || complain "it is to be placed" ;;
	'*') [ "$place" != - ] || complain "nothing can be done" ;;
	'parts:(0+1+2+3+)*') printf '%s+\n' "${place#parts:}" | grep -qx '\(0+1+2+3+\)*' || complain "not $layout" ;;
	*) [ "$place" = "$layout" ] || complain "not $layout" ;;
	esac
	case $best in
	-) [ -z "$line" ] || ! printf '%s\n' "${ways#*by the program}" | grep -q best || complain "another one is best" ;;
	*) printf '%s\n' "$ways" | grep -q "$best (best)" || complain "$best is not best" ;;
	esac
	findings "four/report_$way" >found
	printf '%s' "${finding#-}${finding:+
}" | grep . >wanted || :
	same "$way: findings" wanted found
	[ "$layout" != - ] || continue
	far=$(far_of "four/placed_$way" "$name")
	awk -v far="$far" -v expected="$expected" 'BEGIN { exit !((far - expected) ^ 2 <= 25 && far != "") }' ||
		complain "$far % is far when it is placed, not $expected %"
done <ways
