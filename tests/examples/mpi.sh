# mpi: each rank writes its own report, named after it, and ompp report adds them up; with each MPI that is there.
. "$srcdir/tests/examples/example.sh"
found=
for mpi in mpich openmpi; do
	mpicc=mpicc.$mpi mpirun=mpirun.$mpi
	command -v $mpicc >/dev/null && command -v $mpirun >/dev/null || continue
	found=1
	mkdir $mpi
	kinst --strict $mpicc -O2 -fopenmp "$examples/mpi.c" -o $mpi/mpi || fail "$mpi: build"
	root=
	[ $mpi != openmpi ] || root="--allow-run-as-root --oversubscribe"
	# shellcheck disable=SC2086
	(cd $mpi && OMP_NUM_THREADS=2 OMPP_OUTFORMAT=CSV OMPP_QUIET=1 $mpirun $root -n 2 ./mpi) >out 2>err ||
		fail "$mpi: run: $(cat out err)"
	grep -qx 'total 1498500' out || fail "$mpi: output: $(cat out)"
	[ "$(find $mpi -name '*.csv' | wc -l)" = 2 ] || fail "$mpi: reports: $(ls $mpi)"
	for file in $mpi/*.csv; do
		rank=$(sed -n 's/^MPI Rank,\([0-9]*\).*/\1/p' "$file")
		[ "$(csv_field "$file" 'PARALLEL LOOP' SUM execC)" = $(((rank + 1) * 2)) ] || fail "$mpi: counts of $file"
	done
	ompp report --format=csv $mpi/*.ompp >merged || fail "$mpi: ompp report"
	[ "$(csv_field merged 'PARALLEL LOOP' SUM execC)" = 6 ] || fail "$mpi: the sum over ranks"
done
[ -n "$found" ] || skip "neither MPICH nor Open MPI is installed"
