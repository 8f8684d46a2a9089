# stack: a program that runs with a small stack (ulimit -s) runs with it by kinst, too, and has its report
. "$srcdir/tests/lib.sh"
n_runs=25                               # where a stack begins is up to chance

# The dynamic linker needs some hundred bytes for one more library, and calls in main have their frame.  The plain program goes
# without them: its environment, which lies on the stack, is larger.
pad=$(printf '%1024s' '')

# run_small SIZE PROGRAM [VARIABLE].  The limit comes last: env needs room for the environment that it takes away, which is
# large below make.
run_small() {
	env -i ${3:+"$3"} OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive OMPP_QUIET=1 OMPP_OUTFORMAT=CSV OMPP_REPORTFILE="$work/report" \
		sh -c 'ulimit -s "$1" && exec "$2"' sh "$1" "$2" >got 2>err
}

# Prints the sizes with which ./plain never finds too little, though its environment is larger, and keeps what it prints.
enough() {
	for size in 16 20 24 32 64; do
		for run in $(seq $((4 * n_runs))); do
			run_small $size ./plain "PAD=$pad" || continue 2
		done
		cp got want
		echo $size
	done
}

# Compares ./plain with ./ours.
check() {
	how=$*
	for size in $sizes; do
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
	sizes=$(enough)
	for flag in '' --functions --access; do
		kinst $flag $compiler -O2 -fopenmp "$srcdir/tests/runtime/stack.c" -o ours
		check $compiler $flag
	done
done
[ $n_sizes -ge 9 ] || skip "the plain program does not run with small stacks here"
