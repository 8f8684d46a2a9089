# flow: on a machine with four NUMA nodes, a trace tells which objects one thread alone uses from another node, and what
# else ompp flow says of nodes; and what ompp does with libnuma: ompp place --plain, its check of nodes, the nodes of threads
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/vm.sh"

[ "$(uname -m)" = x86_64 ] || skip 'the programs of this build are not for x86_64'
vm_arch=amd64 vm_libraries=$builddir/.libs
vm_need
vm_packages

kinst --access $CC -O1 -g -fopenmp "$srcdir/tests/vm/flow.c" -o flow
kinst --access $CC -O1 -g -fopenmp "$srcdir/tests/vm/numa_use.c" -o numa_use
$CC -O1 "$srcdir/tests/vm/policy.c" -o policy
vm_add /bin flow numa_use policy "$builddir/ompp"
vm_cpus=4 vm_memory=512M vm_options=
for node in 0 1 2 3; do
	vm_options="$vm_options -object memory-backend-ram,id=m$node,size=128M"
	vm_options="$vm_options -numa node,nodeid=$node,cpus=$node,memdev=m$node"
done
cat >run <<'END'
	export OMP_NUM_THREADS=4 OMP_PROC_BIND=close OMP_PLACES=threads OMPP_QUIET=1
	export OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=1 OMPP_TRACE=1
	[ ! -e /proc/sys/kernel/numa_balancing ] || echo 0 >/proc/sys/kernel/numa_balancing
	OMPP_REPORTFILE=report flow
	unset OMPP_TRACE
	for what in producer table serial; do
		OMPP_REPORTFILE=numa_$what numa_use $what >out_$what || exit
		ompp place --plain numa_$what.ompp -- policy >policy_$what 2>said_$what
		echo $? >status_$what
	done
	ompp stat -e task:node,task:cpu --interval=100ms -- policy 2 >policy_stat 2>stat
END
vm_run nodes run || { cat nodes/log; fail 'the program fails'; }
file=nodes/report.ompp.flow
[ -e "$file" ] || fail "no trace: $(ls nodes)"

# A change is a load and a store: 480 to a[t], of which a hundredth may be lost while another thread adds samples up.
libs="-L$builddir/.libs -lompp_flow -Wl,-rpath,$builddir/.libs"
# shellcheck disable=SC2086
$CC -O1 -I"$builddir/include" "$srcdir/examples/flow_private.c" $libs -o flow_private
./flow_private $file >private
ompp flow --view=migrations --format=csv $file >threads
awk -F'[ ,:]' 'NR == FNR { rank[$1] = $2; next } { print $1, "by rank", rank[$4] }' threads private | sort >who
for t in 1 2 3; do echo "a$t by rank $t"; done >expected
same 'objects that are used from another node' expected who
awk '{ n = 480; if ($5 > n || $7 > n || $5 < n * 0.98 || $7 < n * 0.98) { print; exit 1 } }' private >bad || fail "$(cat bad)"

ompp flow --format=csv $file >objects
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
	{ remote = $c["remote %"]; from = $c["from"]; to = $c["to"] }
	$1 == "a0" { n++; if (remote != 0 || from != "0" || to != "0") exit 1 }
	$1 ~ /a[123]/ { n++; if (remote < 99 || from != substr($1, 2) || to != "0") exit 1 }
	$1 == "s" { n++; if (remote < 70 || remote > 80 || from != "0 1 2 3" || to != "0") exit 1 }
	END { if (n != 5) exit 1 }' objects || fail "objects: $(cat objects)"

# Only the placing of pages helps a1 to a3: their threads are always on one node.
[ "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } $1 == "a2" { print ($c["placed %"] > 99) $c["pinned %"] + 0 }' objects)" = 10 ] ||
	fail "a2: $(cat objects)"

# Without libnuma there is none of this.
grep -q '^#define HAVE_NUMA' "$builddir/config.h" || skip 'built without libnuma; the rest holds'
# A program that kinst did not build gets the policy of the one place that all objects have: preferred (1) is one node,
# interleave (3) are all of them.  Parts of an object no policy has.
is_policy() {			# is_policy WHAT MODE PAGES
	[ "$(cat "nodes/status_$1")" = 0 ] && grep -q "^mode $2\$" "nodes/policy_$1" && grep -q "^pages $3\$" "nodes/policy_$1" ||
		fail "$1: $(cat "nodes/policy_$1" "nodes/said_$1")"
}
node=$(awk '$1 == "a" && $2 ~ /^node:/ { print substr($2, 6) }' nodes/policy_producer)
[ "$node" ] || fail "producer: $(cat nodes/policy_producer)"
is_policy producer "1 nodes $((1 << node))" "$node $node $node $node $node $node $node $node"
grep -q '^a  *interleave ' nodes/policy_table || fail "table: $(cat nodes/policy_table)"
is_policy table '3 nodes f' '[0-3 ]*'
for node in 0 1 2 3; do
	[ "$(sed -n 's/^pages//p' nodes/policy_table | tr ' ' '\n' | grep -cx $node)" = 2 ] || fail "table: $(cat nodes/policy_table)"
done
[ "$(cat nodes/status_serial)" = 1 ] && grep -q 'cannot place objects, or their parts, separately' nodes/said_serial ||
	fail "serial: $(cat nodes/status_serial nodes/said_serial)"
# Each processor is a node here; the last lines of a second of one on processor 2.
tail -4 nodes/stat | awk '$2 != 2 || $3 != 2 { exit 1 }' || fail "stat: $(cat nodes/stat)"
# And the profile of that machine is of no use where there are no such nodes.
if [ "$(cat /sys/devices/system/node/has_memory 2>/dev/null)" = 0 ]; then
	status=0
	ompp place nodes/numa_producer.ompp -- ./policy >out 2>err || status=$?
	[ $status = 1 ] && grep -q 'the placement needs memory of NUMA node .* and are allowed: 0;' err || fail "elsewhere: $status $(cat err)"
fi
