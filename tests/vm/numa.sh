# numa: a machine with four NUMA nodes: data that one thread initialised and others use is a finding there
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/vm.sh"

[ "$(uname -m)" = x86_64 ] || skip 'the programs of this build are not for x86_64'
vm_arch=amd64 vm_cpus=4 vm_memory=512M vm_libraries=$builddir/.libs
vm_options=
for node in 0 1 2 3; do
	vm_options="$vm_options -object memory-backend-ram,id=m$node,size=128M -numa node,nodeid=$node,cpus=$node,memdev=m$node"
done
vm_need
vm_packages

kinst $CC -O1 -fopenmp "$srcdir/tests/runtime/walks.c" -o walks
vm_add /bin walks
cat >run <<'END'
cat /sys/devices/system/node/has_memory
export OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=report OMPP_QUIET=1 OMPP_PROPERTY_MIN=0 OMPP_CACHE=L1=4K/4/64,L2=64K/8/64
walks rows
END
vm_run four run || { cat four/log; fail 'walks ends with an error'; }
found=$(grep ',DataFirstWrittenByAnotherThread,' four/report) || { cat four/log four/report; fail 'it is not found'; }
case $found in
*'in thread 1 are of pages that another thread wrote first'*'This machine has 4 NUMA nodes'*) ;;
*) fail "other figures: $found" ;;
esac
