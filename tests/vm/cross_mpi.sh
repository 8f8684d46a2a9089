# cross_mpi: programs of MPI and OpenMP for 64-bit ARM, with each MPI that Debian has for that one and whose mpirun is on
# this machine: each rank is a QEMU's user mode.  Regions, calls of MPI, messages and their bytes are what the arithmetic of
# the programs says: built by kinst, and as they are.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/cross.sh"
. "$srcdir/tests/vm/vm.sh"
cross_need aarch64
for tool in python3 apt-get apt-cache dpkg-deb; do
	need $tool
done
calls="python3 $srcdir/tests/mpi/calls.py"
messages="python3 $srcdir/tests/mpi/messages.py"
[ -x "$builddir/ompp-symbols" ] || skip 'no helper ompp-symbols: built without elfutils'
cross_build libompp.la include/ompp.h
vm_security= # libraries alone
vm_setup
there=$vm_root/usr/lib/$cross
cross_path=$work/library/.libs:$there:$vm_root/lib/$cross:/usr/$cross/lib
# Lines are read by the helper of this machine, which QEMU leaves to the kernel.
mkdir -p library/.libs
cp -P "$cross_folder"/.libs/libompp.* library/.libs
cp "$builddir/ompp-symbols" library
export OMPP_QUIET=1 OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive

# compile WORD…: a compiler with the words that the MPI's own adds.
compile() {
	"$@" -g -O1 -w -fopenmp "-I$include" -L"$folder" -Wl,-rpath-link,"$there:$vm_root/lib/$cross" "-l$library" >said 2>&1 ||
		fail "$mpi: $*: $(cat said)"
}

# run N PRELOADED PROGRAM: leaves the profiles of N ranks, as JSON, in 0.json and so on; what they print in said.
run() {
	rm -rf out ./*.json
	# shellcheck disable=SC2086
	OMPP_OUTDIR=$work/out timeout $cross_seconds mpirun.$mpi $root -n "$1" $cross_qemu -L /usr/$cross \
		-E LD_LIBRARY_PATH="$cross_path" ${2:+-E "LD_PRELOAD=$2"} "$3" >said 2>err </dev/null ||
		{ cat said err; fail "$mpi: $3: status $?"; }
	for r in $(seq 0 $(($1 - 1))); do
		"$ompp" report --format=json out/*.r"$r"-*.ompp >"$r.json" || fail "$mpi: $3: no profile of rank $r"
	done
}
kinst=$builddir/kinst ompp=$builddir/ompp
unset KINST KINST_FLAGS

found=
for mpi in mpich openmpi; do
	command -v mpirun.$mpi >/dev/null || continue
	found=1 root=
	vm_fetch libhwloc15 libucx0 libudev1 libibverbs1 librdmacm1 libnuma1 libnl-3-200 libnl-route-3-200
	case $mpi in
	mpich)
		vm_fetch libmpich12 libmpich-dev
		include=$vm_root/usr/include/$cross/mpich folder=$there library=mpich
		;;
	openmpi)
		vm_fetch libopenmpi3 libopenmpi-dev libevent-core-2.1-7 libevent-pthreads-2.1-7 libfabric1 libpmix2 libmunge2 zlib1g
		include=$there/openmpi/include folder=$there/openmpi/lib library=mpi
		root="--allow-run-as-root --oversubscribe -x OPAL_PREFIX=$vm_root/usr"
		;;
	esac

	compile "$kinst" --strict $cross-gcc "$srcdir/examples/mpi.c" -o hybrid
	run 2 '' ./hybrid
	grep -qx 'total 1498500' said || fail "$mpi: what the example prints: $(cat said)"
	"$ompp" report --format=csv out/*.ompp >merged || fail "$mpi: the ranks together"
	[ "$(csv_field merged 'PARALLEL LOOP' SUM execC)" = 6 ] || { cat merged; fail "$mpi: the loops of all ranks"; }

	$calls make $$ c >calls.c
	compile "$kinst" $cross-gcc calls.c -o built
	compile $cross-gcc calls.c -o plain
	for program in built plain; do
		preloaded=
		[ $program = built ] || preloaded=$work/library/.libs/libompp.so
		run 3 "$preloaded" ./$program
		for r in 0 1 2; do
			$calls compare said $r $r.json || fail "$mpi: calls of MPI, $program, seed $$"
		done
	done

	$messages make $$ 3 >messages.c
	compile $cross-gcc messages.c -o messages
	run 3 "$work/library/.libs/libompp.so" ./messages
	$messages judge $$ 3 0.json 1.json 2.json || fail "$mpi: messages, seed $$"
	"$ompp" report --view=messages out/*.ompp >text
	"$ompp" report --view=messages --format=csv out/*.ompp >csv
	$messages merged $$ 3 text csv || { cat text; fail "$mpi: the messages of all ranks, seed $$"; }
done
[ -n "$found" ] || skip 'neither MPICH nor Open MPI is installed'
