# numa: planted problems of memory on NUMA nodes are found at their place in a machine of four nodes, and programs without
# have none (ROWS)
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/vm.sh"
need python3
export CC GXX GFORTRAN

[ "$(uname -m)" = x86_64 ] || skip 'the programs of this build are not for x86_64'
vm_arch=amd64 vm_libraries=$builddir/.libs vm_cpus=4 vm_memory=512M vm_four_nodes 128M
vm_need
vm_packages

python3 "$srcdir/tests/findings/judge.py" "$srcdir/tests/findings/ROWS" "$srcdir/tests/findings" numa BUILD=built
vm_add /bin built/numa*
{
	echo 'export OMP_PROC_BIND=close OMP_PLACES=threads OMPP_QUIET=1 OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=1'
	echo '[ ! -e /proc/sys/kernel/numa_balancing ] || echo 0 >/proc/sys/kernel/numa_balancing'
	echo '[ ! -e /sys/kernel/mm/transparent_hugepage/enabled ] || echo never >/sys/kernel/mm/transparent_hugepage/enabled'
	cat built/run
} >run
vm_run four run || { cat four/log; fail 'a program fails'; }
python3 "$srcdir/tests/findings/judge.py" "$srcdir/tests/findings/ROWS" "$srcdir/tests/findings" numa JUDGE=four
