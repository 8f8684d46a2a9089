# sensors: on a machine with four NUMA nodes ompp stat sees whose pages a program takes: those that it takes of another
# node, by node, and the node on which its thread runs
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/vm.sh"

[ "$(uname -m)" = x86_64 ] || skip 'the programs of this build are not for x86_64'
vm_arch=amd64 vm_libraries=$builddir/.libs vm_cpus=4 vm_memory=512M
vm_need
vm_packages
vm_four_nodes 128M
$CC -O1 "$srcdir/tests/vm/sensors.c" -o sensors || fail sensors.c
vm_add /bin sensors "$builddir/ompp"
cat >run <<'END'
	ompp sensors >list || exit
	for way in '1 3' '2 2' '3 0'; do
		set -- $way
		cat /sys/devices/system/node/node*/numastat >before_$1
		ompp stat -e 'node:other_node@*,node:local_node@*,node:MemFree@*' --interval=1h -- sensors 5000 $1 $2 2>way_$1 || exit
		cat /sys/devices/system/node/node*/numastat >after_$1
		ompp stat -e task:node@*,task:cpu@* --interval=50ms -- sensors 1000 $1 $2 2>task_$1 || exit
	done
	ompp record -o r.jsonl --interval=20ms -- sensors 5000 1 3 && ompp stat r.jsonl >/dev/null
END
vm_run nodes run || { cat nodes/log; fail 'a program fails'; }
grep -q '^node .* of 4 sources (node0, node1, node2, node3)' nodes/list || { cat nodes/list; fail 'not four nodes'; }

# pages FILE COLUMN: what a column has counted: its rate times the interval.
pages() { awk -v c="$2" '$1 ~ /^[0-9.]+$/ { print int($c * $1 + 0.5) }' "$1"; }
for way in '1 3' '2 2' '3 0'; do
	set -- $way
	for node in 0 1 2 3; do
		# Columns: time, other_node of each node, local_node of each, MemFree of each.
		other=$(pages nodes/way_$1 $((2 + node))) here=$(pages nodes/way_$1 $((6 + node)))
		want_other=0 want_here=0
		[ $node != "$2" ] || if [ "$1" = "$2" ]; then want_here=5000; else want_other=5000; fi
		# The kernel and the start of the program take some hundred pages, of the node on which they are.  A sensor's own
		# interval may differ from that of the line by the time that it takes to read all of them, which is up to some
		# per cent where the machine is slow.
		[ $((other)) -ge $((want_other - want_other / 20)) ] && [ $((other)) -le $((want_other + 600)) ] ||
			{ cat nodes/way_$1; fail "CPU $1, node $2: $other pages of node $node from other nodes"; }
		[ $((here)) -ge $((want_here - want_here / 20)) ] || { cat nodes/way_$1; fail "CPU $1, node $2: $here pages of node $node from itself"; }
		# No more than what another reader has seen around it, with the same tolerance.
		most=$(awk -v n=$((node + 1)) '$1 == "numa_hit" { k += 1 } $1 == "other_node" && (k - 1) % 4 == n - 1 { d = $2 - d } END { print d }' \
			nodes/before_$1 nodes/after_$1)
		[ $other -le $((most + most / 20 + 1)) ] || fail "CPU $1, node $2: $other pages of node $node, and numastat has $most"
	done
	# It begins on any node; from when it has bound itself to this one it stays, however late that is.
	awk -v node="$1" 'NF == 3 && $1 ~ /^[0-9.]+$/ && $2 != "-" { if ($2 == node && $3 == node) n++; else if (n) bad++ } END { exit n < 2 || bad }' nodes/task_$1 ||
		{ cat nodes/task_$1; fail "the thread is not on node $1"; }
done
