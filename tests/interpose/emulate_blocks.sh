# emulate_blocks: small blocks of memory, several by one statement, which are freed soon: ompp run --emulate counts their
# accesses, and those to members of their structures, as arithmetic says, and none of the allocator's; with blocks that
# have ranges of their own and without; in C, C++ and Fortran.
# Environment: SEED; LEVELS, of optimisation.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/emulation.sh"
blocks="python3 $srcdir/tests/interpose/emulate_blocks.py"
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive

# check COMPILER LANGUAGE LEVEL SEED
check() {
	what="$1 $3, seed $4"
	$blocks make "$2" "$4" "blocks.$2" counts || fail "$what"
	$1 -w -g "$3" -fopenmp "blocks.$2" -o blocks || fail "$what: not compiled"
	for min in 1 100 65536; do
		OMPP_OBJECT_MIN=$min emulated 0 ./blocks
		$blocks counted blocks.json counts | grep -v '[.]' >got
		grep -v '[.]' counts >want
		same "$what, blocks from $min bytes on" want got
	done
	[ -x "$builddir/ompp-symbols" ] || return 0 # built without elfutils
	OMPP_OBJECT_MIN=$((1 + $4 % 2 * 200)) emulated 0 --fields ./blocks
	$blocks counted blocks.json counts >got
	same "$what, members" counts got
}

seed=${SEED:-$(date +%s)}
for level in ${LEVELS:--O$((seed % 4))}; do
	check gcc c $level $seed
	check g++ cpp $level $((seed + 1))
	[ -z "${GFORTRAN:-}" ] || check "$GFORTRAN" f90 $level $((seed + 2))
	seed=$((seed + 3))
done
exit 0
