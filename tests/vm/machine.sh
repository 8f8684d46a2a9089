# machine: on a machine with four NUMA nodes ompp machine measures the memory of each, by its own processor
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/vm.sh"

[ "$(uname -m)" = x86_64 ] || skip 'the programs of this build are not for x86_64'
vm_arch=amd64 vm_cpus=4 vm_memory=1G vm_libraries=$builddir/.libs
vm_four_nodes 256M
vm_need
vm_packages
vm_add /bin "$builddir/ompp"
cat >run <<'END_OF_RUN'
export HOME=$PWD
ompp machine --format=csv >csv || exit
cp .cache/kinst/machine-* kept
END_OF_RUN
vm_run four run || { status=$?; cat four/log; tail -5 four/dmesg; fail "ompp machine ends with status $status"; }
grep -qx 'threads 4' four/kept || { cat four/kept; fail 'threads'; }
for node in 0 1 2 3; do
	grep -qE "^bytes 1 [1-9][0-9]* [0-9]+ node $node\$" four/kept || { cat four/kept; fail "node $node"; }
done
grep -qE '^memory,bytes,4,[0-9.]+,GB/s,' four/csv || fail 'all memory'
