# moves: names follow blocks that grow, shrink and move: all of a block stays all of it, a part keeps its place and size
. "$srcdir/tests/lib.sh"

export OMPP_OUTFORMAT=CSV OMPP_PROFILE=0 OMPP_REPORTFILE=report.csv OMPP_QUIET=1

# stores NAME: prints the stores to the object in the whole program.
stores() {
	awk -F, -v name="$1" '
		/^##BEG data objects$/ { inside = 1; getline; for (i = 1; i <= NF; i++) col[$i] = i; next }
		/^##END/ { inside = 0 }
		inside && $1 == name { print $col["stores"]; exit }' report.csv
}

expect() {
	[ "$(stores "$1")" = "$2" ] || fail "$how: $1: $(stores "$1") stores, expected $2"
}

check() {
	how="$*"
	kinst "$@" -w -fopenmp "$srcdir/tests/runtime/moves.c" -o moves || fail "$how: does not build"
	./moves refused || fail "$how: ends with $?"
	expect large 100000
	expect small 1000
	expect mapped 400000
	expect half $((500 / 2 + 16 / 2 + 100000 / 2))
	expect quarter $((500 / 4 + 16 / 4 + 100000 / 4))
	expect array 5000
	expect mapping 6250
	expect shrunk 310
	expect refused 500
	expect kept 1000
}

check $CC -O0
check $CC -O2
check $CC -O2 -static
[ -z "$CLANG" ] || check $CLANG -O2

# an assignment that changes the size of an allocatable array
if [ -n "$GFORTRAN" ]; then
	cat >grow.f90 <<'GROW'
program grow
   implicit none
   real(8), allocatable :: a(:)
   integer :: i
   allocate(a(100))
   !$POMP INST DATA(a)
   do i = 1, 100
      a(i) = i
   end do
   a = [a, (0.5d0 * i, i = 1, 900)]
   do i = 1, 1000
      a(i) = a(i) + 1
   end do
   print *, sum(a) > 0
end program
GROW
	how="kinst $GFORTRAN"
	kinst $GFORTRAN -O0 -fopenmp grow.f90 -o grow || fail "$how: does not build"
	./grow >/dev/null || fail "$how: ends with $?"
	expect a 2100
fi
