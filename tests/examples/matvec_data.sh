# matvec_data: the published table: loads of the matrix by thread, exact, in both orders, C and Fortran; and the modelled
# misses, which tell the orders apart.  published.sh asks for the published size.
. "$srcdir/tests/examples/example.sh"
: "${N:=400}" "${CACHE:=L3=16K/16/64}"
threads=4
all=$((N * N))

# judge WHAT ORDER
judge() {
	run $threads "$N" "$2"
	grep -q "^sum $((all * (N - 1) / 2))\.\{0,1\}$" out || fail "$1 $2: result: $(cat out)"
	for t in 0 1 2 3; do
		counts 'PARALLEL LOOP' $t a:loads $((all / threads)) 'PARALLEL LOOP' $t a:stores 0 \
			'PARALLEL LOOP' $t x:loads $((all / threads)) 'PARALLEL LOOP' $t y:stores $((N / threads))
	done
	counts 'PARALLEL LOOP' SUM a:loads $all 'PARALLEL LOOP' SUM a:stores 0 'PARALLEL LOOP' SUM a:atomics 0 \
		'PARALLEL LOOP' SUM a:bytes $((8 * all))
}

# misses ORDER: prints the modelled misses of the last level.
misses() {
	OMPP_CACHE=$CACHE
	export OMPP_CACHE
	run $threads "$N" "$1"
	unset OMPP_CACHE
	csv_field report 'PARALLEL LOOP' SUM 'a:L3 misses'
}

# try COMPILER SOURCE
try() {
	build "$2" "$1"
	judge "$1" column
	judge "$1" row
}

try "${CC:-gcc}" matvec_data.c
column=$(misses column)
row=$(misses row)
[ "$row" -ge $((all / 8)) ] || fail "modelled misses by rows: $row, but a has $((all / 8)) lines"
[ "$((10 * column))" -ge $((75 * row)) ] || fail "modelled misses: by columns $column, by rows $row: less than 7.5 times"
if [ -n "$CLANG" ]; then
	try "$CLANG" matvec_data.c
fi
if [ -n "$GFORTRAN" ]; then
	try "$GFORTRAN" matvec_data.f90
fi
