# stack: a program that runs with a small stack (ulimit -s) runs with it by kinst, too, and has its report
. "$srcdir/tests/lib.sh"
n_runs=25                               # where a stack begins is up to chance

# The dynamic linker needs some hundred bytes for one more library, and calls in main have their frame.  The plain program goes
# without them: its environment, which lies on the stack, is larger.
pad=$(printf '%1024s' '')

# run_small SIZE PROGRAM [VARIABLE]
run_small() {
	(ulimit -s "$1" && exec env -i ${3:+"$3"} OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive OMPP_QUIET=1 OMPP_OUTFORMAT=CSV \
		OMPP_REPORTFILE="$work/report" "$2") >got 2>err
}

# Compares ./plain with ./ours, where the plain one never finds too little.
check() {
	how=$*
	for size in 16 20 24 32 64; do
		for run in $(seq $n_runs); do
			run_small $size ./plain "PAD=$pad" || continue 2
			cp got want
		done
		n_sizes=$((n_sizes + 1))
		for run in $(seq $n_runs); do
			rm -f report*
			run_small $size ./ours || fail "$how: ends with $? with $size KiB"
			same "$how: output with $size KiB" want got
			[ ! -s err ] || fail "$how: says: $(head -3 err)"
			[ "$(csv_field report 'PARALLEL LOOP' SUM execC)" = 3 ] || fail "$how: the report with $size KiB"
		done
	done
}

mkdir empty
printf '#define ompp_data_begin(at, n_bytes, name)\n' >empty/ompp.h
n_sizes=0
for compiler in $CC $CLANG; do
	$compiler -O2 -fopenmp -Iempty "$srcdir/tests/runtime/stack.c" -o plain
	for flag in '' --functions --access; do
		kinst $flag $compiler -O2 -fopenmp "$srcdir/tests/runtime/stack.c" -o ours
		check $compiler $flag
	done
done
[ $n_sizes -ge 9 ] || skip "the plain program does not run with small stacks here"
