# walks: what the modelled caches and the search for shared lines find of how data is used, and nothing that is not so
. "$srcdir/tests/lib.sh"

kinst --strict $CC -O1 -fopenmp "$srcdir/tests/runtime/walks.c" -o walks
export OMPP_REPORTFILE="$PWD/report" OMPP_OUTFORMAT=CSV OMPP_QUIET=1

# The array fits into the third level, and not into the second; two threads have half of it each.
caches=L1=4K/4/64,L2=64K/8/64,L3=64M/16/64

# of_loop COLUMN: of a in the loop
of_loop() {
	awk -F, -v column="$1" '
		/^##BEG data objects by region/ { getline; for (i = 1; i <= NF; i++) at[$i] = i; inside = 1; next }
		/^##END/ { inside = 0 }
		inside && $1 == "a" && /,PARALLEL LOOP,/ { print $at[column]; exit }' report
}
run() {
	OMPP_CACHE=$caches ./walks "$@" >out || fail "$*: status $?"
}

# A loop that is 8 times worse is not hidden behind a last level that has it all: the text has each level.
run rows
rows=$(of_loop 'L1 misses')
run columns
columns=$(of_loop 'L1 misses') last=$(of_loop 'L3 misses')
[ "$rows" -gt 0 ] && [ "$columns" -ge $((rows * 7)) ] || fail "L1 misses by rows $rows, by columns $columns"
[ "$last" = 0 ] || fail "$last L3 misses of data that was there"
OMPP_OUTFORMAT=TEXT run columns
for table in '^Data objects of R00001, all threads; misses are modelled:' '^Data objects by region, .*misses are modelled:'; do
	grep -A1 "$table" report | grep -q '^object .* L1 misses.* L2 misses.* L3 misses' || { cat report; fail "$table: not each level"; }
	grep -A20 "$table" report | grep -q "^a .* $(echo "$columns" | sed 's/...$/ &/') " || { cat report; fail "$table: $columns"; }
done

# property NAME: prints what shows it; nothing when it is not found.
property() {
	sed -n "s/^P[0-9]*,$1,[^\"]*,-,//p" report
}
# pattern WHAT OBJECT COLUMN: prints the column, from the table of patterns of data.
pattern() {
	awk -F, -v what="$1" -v object="$2" -v column="$3" '
		/^##BEG data patterns/ { getline; for (i = 1; i <= NF; i++) at[$i] = i; inside = 1; next }
		/^##END/ { inside = 0 }
		inside && $1 == what && $2 == object { print $at[column]; exit }' report
}

# By columns, in C and in Fortran, and a field of each structure (of two lines, a half and a quarter; of both lines, in either order), but neither side by side nor at random.
export OMPP_PROPERTY_MIN=0
for how in columns fields back fours halves rows gather whole; do
	run $how
	what=$(property ArrayWalkedWithStride)
	case $how in
	columns|fields) [ -n "$what" ] || { cat report; fail "$how: not found"; } ;;
	fours|halves|back) [ -z "$what" ] || fail "$how: $what" ;;
	*) [ -z "$what" ] && [ -z "$(pattern stride a n)" ] || fail "$how: $what" ;;
	esac
	parts=$(property LinesUsedInPart)
	case $how in
	fours) echo "$parts" | grep -q 'of each line of 64 bytes 16.0 are used' || { cat report; fail "fours: $parts"; } ;;
	halves) echo "$parts" | grep -q 'of each line of 64 bytes 32.0 are used' || { cat report; fail "halves: $parts"; } ;;
	back)
		echo "$parts" | grep -q 'are less than 1 024 bytes from the one before, and of each line of 64 bytes 8.00 are used' ||
			{ cat report; fail "back: $parts"; }
		;;
	*) [ -z "$parts" ] || fail "$how: $parts" ;;
	esac
	[ $how != columns ] || step=$(pattern stride a step)
done
[ "$step" = 2048 ] || fail "columns of 256 doubles: a step of $step bytes"
cat >walks.f90 <<'FORTRAN'
program walks
  real(8), allocatable :: a(:, :)
  real(8) :: s
  integer :: i, j, r
  allocate(a(256, 256))
  !$pomp inst data(a)
  a = 1
  s = 0
  do r = 1, 4
  !$omp parallel do num_threads(2) reduction(+ : s)
    do i = 1, 256
      do j = 1, 256
#ifdef ROWS
        s = s + a(i, j)
#else
        s = s + a(j, i)
#endif
      end do
    end do
  end do
  print *, s
end program
FORTRAN
if [ -n "$GFORTRAN" ]; then
	for how in ROWS COLUMNS; do
		kinst --strict $GFORTRAN -cpp -D$how -O0 -fopenmp walks.f90 -o fortran
		OMPP_CACHE=$caches ./fortran >out
		what=$(property ArrayWalkedWithStride)
		case $how in
		ROWS) echo "$what" | grep -q 'change the first index' || { cat report; fail "Fortran by rows: $what"; } ;;
		*) [ -z "$what" ] || fail "Fortran by columns: $what" ;;
		esac
	done
fi

# Thread 0 initialised what thread 1 uses: a fact, and a finding where there are several NUMA nodes.
run rows
[ "$(pattern 'first written by another thread' a rows)" = 1 ] || { cat report; fail 'who wrote the pages first'; }
[ "$(pattern 'first written by another thread' a n)" = "$(pattern 'first written by another thread' a of)" ] ||
	fail 'pages that thread 0 wrote first'
nodes=/sys/devices/system/node/has_memory
if grep -q '[,-]' $nodes 2>/dev/null; then
	[ -n "$(property DataFirstWrittenByAnotherThread)" ] || fail 'several NUMA nodes, and it is not found'
else
	[ -z "$(property DataFirstWrittenByAnotherThread)" ] || fail 'a finding on one NUMA node'
fi

# False sharing: bytes of one line, and neither lines of their own nor the same bytes.
OMPP_SHARING=1 ./walks turns >out
[ "$(pattern 'false sharing' mine n)" = 1999 ] && [ "$(pattern 'false sharing' mine of)" = 2000 ] ||
	{ cat report; fail "mine: $(pattern 'false sharing' mine n) of $(pattern 'false sharing' mine of) stores"; }
property FalseSharing | grep -q '1 999 of 2 000 stores came after another thread' || { cat report; fail 'false sharing is not found'; }
for object in padded common; do
	[ -z "$(pattern 'false sharing' $object n)" ] || fail "false sharing of $object"
done
OMPP_PROPERTY_MIN=100 OMPP_SHARING=1 ./walks turns >out
[ -z "$(property FalseSharing)" ] || fail 'false sharing that cannot cost as much as OMPP_PROPERTY_MIN'

# One thread writes, others read: what they read beside it, once it is known that the line is written again and again (by
# the 1024th store of 1300), and neither what is read with the word that is written nor what lies in another line.
OMPP_SHARING=1 ./walks readers >out
readers='read beside what another thread writes'
[ "$(pattern "$readers" beside n)" = 277 ] && [ "$(pattern "$readers" beside of)" = 277 ] && [ "$(pattern "$readers" beside lines)" = 1 ] ||
	{ cat report; fail "beside: $(pattern "$readers" beside n) of $(pattern "$readers" beside of) loads"; }
property FalseSharing | grep -q 'beside: 1 cache line read by thread 1, no byte that another thread writes there; 277 of 277 loads' ||
	{ cat report; fail 'readers of false sharing are not found'; }
[ "$(property FalseSharing | wc -l)" = 1 ] || fail "more than one: $(property FalseSharing)"
for object in together apart; do
	[ -z "$(pattern "$readers" $object n)$(pattern 'false sharing' $object n)" ] || fail "readers of $object"
done
