# several types: the arrays of different derived types that one Fortran statement allocates have the members of their
# own type, and the accesses to these are those that the program counts itself; by gfortran at all levels.
. "$srcdir/tests/lib.sh"
need python3
make="python3 $srcdir/tests/access/several_types.py"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2
export OMPP_QUIET=1 OMPP_OBJECT_MIN=1 OMPP_OVERWRITE=1 OMPP_APPNAME=run OMPP_SAMPLE=off OMPP_HOT=0
[ -x "$builddir/ompp-symbols" ] || skip "no helper ompp-symbols: built without elfutils"
[ -n "${GFORTRAN:-}" ] || skip "no gfortran"

seed=${SEED:-$(date +%s)}
for level in -O0 -O1 -O2 -O3; do
	seed=$((seed + 1))
	$make make $seed several.f90
	kinst --access "$GFORTRAN" -w -g $level -fopenmp several.f90 -o several || fail "$level: seed $seed"
	rm -f run.*
	OMPP_FIELDS=1 OMPP_OBJECTS=all ./several >want 2>err || fail "$level, seed $seed: $(cat err)"
	[ -s want ] || fail "$level, seed $seed: nothing was counted"
	ompp report --format=json run.*.ompp >json || fail "$level, seed $seed: no profile"
	$make counted json want >have
	same "$level, seed $seed: as the program counts and by members" want have
done
