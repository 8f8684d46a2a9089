# flow: on a machine with four NUMA nodes, a trace tells which objects one thread alone uses from another node, and what
# else ompp flow says of nodes
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/vm.sh"

[ "$(uname -m)" = x86_64 ] || skip 'the programs of this build are not for x86_64'
vm_arch=amd64 vm_libraries=$builddir/.libs
vm_need
vm_packages

kinst --access $CC -O1 -g -fopenmp "$srcdir/tests/vm/flow.c" -o flow
vm_add /bin flow
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
