# order_hooks: what follows from the order of accesses is the same by emulation of the plain program and by the hooks of
# kinst: misses of the cache model, pages and shared lines of each array of programs of chance, whose 1 to 16 threads walk
# them one after another; and so are operations on numbers (--work), where the compiler leaves the same
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/emulation.sh"
order_py="python3 $srcdir/tests/interpose/emulate_order.py"
flags='-w -g -O1 -fno-builtin -fno-tree-loop-distribute-patterns -no-pie -fopenmp'
export OMP_WAIT_POLICY=passive OMPP_OBJECTS=all OMPP_OBJECT_MIN=1

# trace PROGRAM COMMAND…: runs it; PROGRAM.json and PROGRAM.csv get its profile and its pages.
trace() {
	program=$1
	shift
	rm -f "$program".*.ompp*
	emulate "$@" addresses || fail "$what: $*: $(cat said)"
	ompp report --format=json "$program".*.ompp >"$program.json" || fail "$what: $program: no profile"
	ompp pages --csv --format=csv "$program".*.ompp.pages >"$program.csv" || fail "$what: $program: no pages"
}

for n in 1 3 16; do
	for seed in $n $$; do
		what="seed $seed, $n threads"
		$order_py make "$seed" walk.c
		# each array has pages of its own; of floating-point numbers a comparison may load twice, for NaN
		sed -e 's/aligned(64)/aligned(4096)/; s/double/long/' -e "s/return kernel.*/long sum = 0;\\
#pragma omp parallel num_threads($n) reduction(+ : sum)\\
#pragma omp critical\\
	sum += kernel();\\
	return sum == 12345 \\&\\& argc > 5;/" walk.c >team.c
		gcc $flags team.c -o plain || fail "$what"
		kinst --access=hooks gcc $flags team.c -o hooked || fail "$what: by kinst"
		OMPP_CACHE=L1=2K/2/64,L2=16K/4/64 OMPP_SHARING=1
		export OMPP_CACHE OMPP_SHARING
		OMPP_PAGES=auto trace plain ompp run --emulate ./plain
		OMPP_PAGES=hooks trace hooked ./hooked
		$order_py same plain.json plain.csv hooked.json hooked.csv >said ||
			fail "$what: emulation and hooks differ: $(cat said)"
		for column in accesses.loads accesses.stores accesses.l1_misses accesses.l2_misses page.loads page.stores \
			$([ $n = 1 ] || echo shared_lines.stores shared_lines.transfers); do
			grep -q "$column " said || fail "$what: no $column: $(cat said)"
		done
	done
done
unset OMPP_CACHE OMPP_SHARING

# operations: without optimisation each of the source is one of the processor; the comparisons that sqrt() makes in the
# library are seen by emulation alone
operations="python3 $srcdir/tests/work/operations.py"
parts=flops,flops_single,flops_double,flops_add,flops_mul,flops_div
for seed in 3 $$; do
	what="work, seed $seed"
	$operations make "$seed" >work.c
	gcc -w -g -O0 -fno-math-errno -fopenmp work.c -o plain -lm || fail "$what"
	kinst --work gcc -w -g -O0 -fno-math-errno -fopenmp work.c -o counted -lm || fail "$what: by kinst"
	OMPP_CTR=$parts emulated 0 ./plain
	rm -f counted.*.ompp
	OMPP_CTR=$parts ./counted >out 2>said || fail "$what: $(cat said)"
	ompp report --format=json counted.*.ompp >counted.json || fail "$what: no profile"
	for part in $(echo $parts | tr , ' '); do
		echo "$part $($operations total plain.json $part PARALLEL) $($operations total counted.json $part PARALLEL)"
	done >found
	awk '$2 != $3 { bad = 1 } $1 == "flops" && $2 < 100 { bad = 1 } END { exit bad }' found ||
		fail "$what: by emulation and by the compiler: $(tr '\n' ' ' <found)"
done
