# shapes_all: shapes.sh with each compiler at three levels, with two threads and with the cache model, too; and the
# programs of tests/access/kernels, with their names and without, and where all memory is named.  PART=2/3 takes the
# second of three parts.
ALL=1 MODEL=1
. "$srcdir/tests/access/shapes.sh"
. "$srcdir/tests/access/kernels.sh"

for level in -O1 -O2 -O3; do
	check_shapes $level
	MODEL= OMP_NUM_THREADS=2 check_shapes $level
done

# The kernels name arrays by pragmas, which are left out in another build.  With both names and all, memory that has two
# names counts to both, so that sums are others.
frame
combinations all >todo
while read -r source compiler level; do
	what="$source, $compiler $level"
	sed '/pomp.*inst data/Id' "$kernels/$source" >"unnamed_$source"
	for kind in hooks loops; do
		option=--access
		[ $kind = loops ] || option=--access=hooks
		kinst $option "$compiler" -w "$level" -g -fopenmp -I"$kernels" "$kernels/$source" kernel.o -lm -o $kind.named ||
			fail "$what: $kind"
		kinst $option "$compiler" -w "$level" -g -fopenmp -I"$kernels" "unnamed_$source" kernel.o -lm -o $kind ||
			fail "$what: $kind, unnamed"
		export OMP_NUM_THREADS=2 # the sums of reductions differ, and so do stacks
		counted $kind.none ./$kind
		OMPP_OBJECTS=all counted $kind.all ./$kind
		OMPP_OBJECTS=all OMPP_CACHE=1 counted $kind.model ./$kind
		counted $kind.with_names ./$kind.named
		OMPP_OBJECTS=all counted $kind.all_with_names ./$kind.named
		same "$what: sums with all named (left), and in the cache model, by $kind" $kind.all.sum $kind.model.sum
		same_sums "$what: sums without names (left), and with all, by $kind" $kind.none $kind.all
	done
	for way in none all model with_names all_with_names; do
		same "$what, $way: counts by hooks (left), and by loops" hooks.$way loops.$way
	done
	n_kernels=$((n_kernels + 1))
done <todo
echo "$n_kernels kernels count the same in all ways"
[ $n_kernels -gt 0 ] || fail "nothing was compared"
