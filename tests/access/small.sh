# small: what is counted in small blocks, by hooks and by whole loops, is what is counted when each of these blocks has a
# range as large ones have (OMPP_OBJECT_MIN=1); and without any name the sums are the same, and the summary says how to get
# names
. "$srcdir/tests/lib.sh"
export OMP_WAIT_POLICY=passive OMPP_QUIET=1 OMPP_PROFILE=0 OMPP_OUTFORMAT=CSV

# counted NAME PROGRAM ARG…: NAME gets lines "object loads stores atomics bytes", NAME.sum their sums
counted() {
	name=$1
	shift
	OMPP_REPORTFILE=$name.csv "$@" >"$name.out" 2>"$name.err" || fail "$name: $* $(cat "$name.err")"
	awk -F, '/^##BEG data objects$/ { on = 1; getline; next } /^##END data objects$/ { on = 0 }
		on && $2 + $3 + $4 { print $1, $2, $3, $4, $6 }' "$name.csv" | sort >"$name"
	awk '{ for (i = NF - 3; i <= NF; i++) sum[NF - i] += $i } END { print sum[3], sum[2], sum[1], sum[0] }' \
		"$name" >"$name.sum"
	[ "$(cut -d' ' -f1 "$name.sum")" -gt 1000 ] || fail "$name: counted nothing: $(cat "$name.sum")"
}

# has NAME N: it has so many objects at least
has() {
	[ "$(grep -c -v '^(' "$1")" -ge "$2" ] || fail "$1: fewer than $2 objects: $(cat "$1")"
}

n_kernels=0
for compiler in ${CC:-gcc} ${CLANG:-}; do
	kinst --access=hooks "$compiler" -w -O2 -g -fopenmp "$srcdir/tests/access/small.c" -o hooks
	kinst --access "$compiler" -w -O2 -g -fopenmp "$srcdir/tests/access/small.c" -o loops
	while read -r kernel n rounds n_objects; do
		for way in hooks loops; do
			counted $way.none ./$way "$kernel" "$n" "$rounds"
			OMPP_OBJECTS=all counted $way.all ./$way "$kernel" "$n" "$rounds"
			OMPP_OBJECTS=all OMPP_OBJECT_MIN=1 counted $way.ranges ./$way "$kernel" "$n" "$rounds"
			has $way.all "$n_objects"
			same "$compiler, $kernel, by $way: counts in blocks with ranges (left), and without" $way.ranges $way.all
			same "$compiler, $kernel, by $way: sums with names (left), and without" $way.all.sum $way.none.sum
			same "$compiler, $kernel, by $way: what it prints" $way.ranges.out $way.none.out
		done
		same "$compiler, $kernel: counts by hooks (left), and by loops" hooks.all loops.all
		OMPP_OBJECTS=all OMPP_SHARING=1 counted hooks.lines ./hooks "$kernel" "$n" "$rounds"
		same "$compiler, $kernel: counts (left), and those while shared lines are looked for" hooks.all hooks.lines
		n_kernels=$((n_kernels + 1))
	done <<-END
		list 300 3 2
		rows 40 3 4
		cells 150 2 4
		tree 400 3 1
		blocks 60 20 4
		gather 3000 2 3
		walk 2000 2 1
		parallel 30 40 2
	END
done

for objects in named all; do
	OMPP_OBJECTS=$objects OMPP_OUTFORMAT=text OMPP_REPORTFILE=$objects.txt ./hooks list 300 3 >/dev/null
done
grep -q '^data by bytes (hooks): nothing has a name: ompp run --objects$' named.txt ||
	fail "no word of names: $(grep '^data by' named.txt)"
grep -q '^data by bytes (hooks): .*malloc.* %' all.txt || fail "no object: $(grep '^data by' all.txt)"
echo "$n_kernels kernels count the same in three ways, by hooks and by loops"
