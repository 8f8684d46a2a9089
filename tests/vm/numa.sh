# numa: a machine with four NUMA nodes: data that one thread initialised and others use is a finding there, and first
# touches are told with the node where each page is
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/vm.sh"

[ "$(uname -m)" = x86_64 ] || skip 'the programs of this build are not for x86_64'
vm_arch=amd64 vm_cpus=4 vm_memory=512M vm_libraries=$builddir/.libs
vm_four_nodes 128M
vm_need
vm_packages

kinst $CC -O1 -fopenmp "$srcdir/tests/runtime/walks.c" -o walks
kinst $CC -O1 -g -fopenmp "$srcdir/tests/vm/first_touch.c" -o first_touch
vm_add /bin walks first_touch
cat >run <<'END'
cat /sys/devices/system/node/has_memory
export OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=report OMPP_QUIET=1 OMPP_PROPERTY_MIN=0 OMPP_CACHE=L1=4K/4/64,L2=64K/8/64
walks rows
export OMP_NUM_THREADS=4 OMP_PROC_BIND=close OMP_PLACES=threads OMPP_SAMPLE=touch
unset OMPP_CACHE
balancing=/proc/sys/kernel/numa_balancing
[ ! -e $balancing ] || echo 0 >$balancing
OMPP_REPORTFILE=still first_touch 0 || exit
[ ! -e $balancing ] || echo 1 >$balancing
OMPP_REPORTFILE=balanced first_touch 4 || exit
grep numa_hint_faults /proc/vmstat
END
vm_run four run || { status=$?; cat four/log; tail -5 four/dmesg; fail "a program ends with status $status"; }
found=$(grep ',DataFirstWrittenByAnotherThread,' four/report) || { cat four/log four/report; fail 'it is not found'; }
case $found in
*'in thread 1 are of pages that another thread wrote first'*'This machine has 4 NUMA nodes'*) ;;
*) fail "other figures: $found" ;;
esac

# Each page counts once, for the thread that wrote it first, on that thread's node.
cat >expected <<'END'
late,0,0,100
late,1,1,100
late,2,2,100
late,3,3,100
one,0,0,400
own,0,0,100
own,1,1,100
own,2,2,100
own,3,3,100
END
touches() {
	awk -F, '/^##BEG first touches$/ { inside = 1; getline; next }
		/^##END/ { inside = 0 }
		inside && $1 !~ /^\(/ { print $1 "," $2 "," $3 "," $4 }' "four/$1" | sort
}
touches still >found
same 'first touches by node' expected found

# The kernel's NUMA balancing makes further faults, which do not count.  (On this slow machine it may come to a page
# before its faults are taken; then another thread may be told.)
awk -F, '{ n[$1] += $4 } END { for (key in n) print key "," n[key] }' expected | sort >objects
touches balanced | awk -F, '{ n[$1] += $4 } END { for (key in n) print key "," n[key] }' | sort >found
same 'first touches beside NUMA balancing' objects found
