# pages: a kernel without asynchronous write protection is told to be one, and the program runs as plain;
# on a machine with two NUMA nodes, ompp pages says which threads should be on one node, when those that work on the
# same pages are on different ones, and nothing when they are not
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/vm.sh"

[ "$(uname -m)" = x86_64 ] || skip 'the programs of this build are not for x86_64'
vm_arch=amd64 vm_libraries=$builddir/.libs
vm_need
vm_packages

kinst --access $CC -O1 -g -fopenmp "$srcdir/tests/vm/pages.c" -o pages
kinst --no-access $CC -O1 -g -fopenmp "$srcdir/tests/vm/pages.c" -o bare
vm_add /bin pages
vm_add /bin bare
vm_cpus=4 vm_memory=256M vm_options=
for node in 0 1; do
	vm_options="$vm_options -object memory-backend-ram,id=m$node,size=128M"
	vm_options="$vm_options -numa node,nodeid=$node,cpus=$((2 * node))-$((2 * node + 1)),memdev=m$node"
done
cat >run <<-'END'
	export OMP_NUM_THREADS=4 OMP_PROC_BIND=close OMP_PLACES=threads OMPP_QUIET=1 OMPP_PAGES=hooks OMPP_PAGES_INTERVAL=100s
	for what in far near; do
		OMPP_REPORTFILE=$what pages $what || exit
	done
	OMPP_REPORTFILE=bare OMPP_PAGES=auto bare near || exit
END
vm_run nodes run || { cat nodes/log; fail 'a program fails'; }
for what in far near; do
	ompp pages --view=sharing --object=a nodes/$what.ompp.pages >$what.txt || fail "$what: $(cat $what.txt)"
	ompp pages --view=sharing --format=csv --object=a nodes/$what.ompp.pages | grep '^[0-9]' >$what.csv
	# two pairs of threads, each with 32 pages that both write, on nodes that are far or near
	[ "$(awk -F, -v far=$what '$3 == 32 && $4 == 32 && $6 >= 655360 && ($7 == $8) == (far == "near")' $what.csv | wc -l)" = 2 ] ||
		fail "$what: $(cat $what.csv)"
done
tr -s '\n ' ' ' <far.txt | grep -qE 'threads have in common, 0 % is within NUMA nodes. It would be 100 % with threads [0-3] [0-3] on node [01], [0-3] [0-3] on node [01]' ||
	fail "no advice: $(cat far.txt)"
! grep -q 'in common, ' near.txt || fail "advice for threads that are near: $(cat near.txt)"

# Debian 12's kernel is older than 6.7
tr -s '\n ' ' ' <nodes/bare | grep -q 'are not known: the kernel does not tell which pages are written; Linux 6.7 and later can' ||
	fail "an old kernel: $(grep -i pages nodes/bare)"
