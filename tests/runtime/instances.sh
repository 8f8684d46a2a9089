# instances: the clauses each and sum, in C++ and Fortran
. "$srcdir/tests/lib.sh"

export OMPP_OUTFORMAT=CSV OMPP_PROFILE=0 OMPP_REPORTFILE=report.csv OMPP_QUIET=1

# field NAME COLUMN: prints the column of an object, from the table of objects.
field() {
	awk -F, -v name="$1" -v column="$2" '
		/^##BEG data objects$/ { inside = 1; getline; for (i = 1; i <= NF; i++) col[$i] = i; next }
		/^##END/ { inside = 0 }
		inside && $1 == name { print $col[column]; exit }' report.csv
}

expect() {
	[ "$(field "$1" stores)" = "$2" ] || fail "$how: $1: $(field "$1" stores) stores, expected $2"
}

check() {
	how="$*"
	kinst "$@" -w -fopenmp "$srcdir/tests/runtime/instances.cpp" -o instances || fail "$how: does not build"
	./instances || fail "$how: ends with $?"
	expect last $((40 + 20 * 5))
	expect 'm[0]' $((10 + 20 * 5))
	expect 'm[1]' $((20 + 2000))
	expect 'm[2]' 40
	expect 'm[3]' ''
	expect m ''
	expect all $((10 + 20 + 40 + 20 * 5))
	expect block 2000
	[ "$(field block threads)" = 2 ] || fail "$how: block: $(field block threads) threads"
	expect part 10
}

if [ -n "$GXX" ]; then
	check "$GXX" -O0
	check "$GXX" -O2
fi
[ -z "$CLANG" ] || [ -z "$GXX" ] || check "$CLANG++" -O2

[ -n "$GFORTRAN" ] || exit 0
cat >fields.f90 <<'FIELDS'
module fields
   implicit none
   type field
      real(8), allocatable :: v(:)
   end type
contains
   subroutine make(f, n)
      type(field), intent(inout) :: f
      integer, intent(in) :: n
      allocate(f%v(n))
      !$POMP INST DATA(f%v, 'v') EACH
      !$POMP INST DATA(f%v, 'all') SUM
   end subroutine
   subroutine fill(a, n)
      real(8), intent(inout) :: a(:)
      integer, intent(in) :: n
      integer :: i
      do i = 1, n
         a(i) = i
      end do
   end subroutine
end module
program main
   use fields
   implicit none
   type(field) :: f(3)
   integer :: i
   do i = 1, 3
      call make(f(i), 100 * i)
   end do
   do i = 1, 3
      call fill(f(i)%v, 10 * i)
   end do
end program
FIELDS
how=$GFORTRAN
kinst "$GFORTRAN" -O1 -fopenmp fields.f90 -o fields || fail "$how: does not build"
./fields || fail "$how: ends with $?"
expect 'v[0]' 10
expect 'v[1]' 20
expect 'v[2]' 30
expect all 60
