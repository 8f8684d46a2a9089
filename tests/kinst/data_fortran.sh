# data in Fortran: the calls that !$POMP INST DATA becomes are right, as a library sees that logs each call and what is not
# ended
. "$srcdir/tests/kinst/kinst.sh"
need gfortran

cat >log.c <<'END'
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* the descriptor of ISO Fortran */
struct array {
	char *base;
	size_t elem_bytes;
	int version;
	int8_t rank, attribute;
	int16_t type;
	struct { ptrdiff_t lower, extent, stride_bytes; } dim[];
};

static struct { uintptr_t frame; char name[64]; int used; } live[100];
static uintptr_t top;

__attribute__((constructor)) static void start(void)
{
	top = (uintptr_t)__builtin_frame_address(0) + 1000000;
}

static void enter(const char *address, long n_bytes, const char *name, size_t n, int flags, uintptr_t frame)
{
	int scoped = (uintptr_t)address >= frame && (uintptr_t)address < top && !(flags & 2), i = 0;

	printf("enter %.*s %ld%s%s\n", (int)n, name, n_bytes, flags & 1 ? " private" : "", scoped ? " scoped" : "");
	while (live[i].used)
		i++;
	if (!scoped)
		return;
	live[i].used = 1;
	live[i].frame = frame;
	snprintf(live[i].name, sizeof(live[i].name), "%.*s", (int)n, name);
}

void ompp_data_array_(const struct array *a, int64_t n_bytes, const char *name, int64_t n, int32_t flags)
{
	ptrdiff_t lo = 0, hi = 0;

	for (int i = 0; i < a->rank; i++) {
		ptrdiff_t d = (a->dim[i].extent - 1) * a->dim[i].stride_bytes;

		lo += d < 0 ? d : 0;
		hi += d > 0 ? d : 0;
	}
	enter(a->base + lo, n_bytes >= 0 ? n_bytes : hi - lo + (long)a->elem_bytes, name, (size_t)n, flags,
	      (uintptr_t)__builtin_frame_address(0));
}

void ompp_data_enter_(const char *address, const int64_t *n_bytes, const char *name, const int32_t *flags, size_t n)
{
	enter(address, *n_bytes, name, n, *flags, (uintptr_t)__builtin_frame_address(0));
}

/* of this procedure or of one that has ended, never of a caller */
void ompp_data_leave_(const char *name, size_t n)
{
	for (int i = 0; i < 100; i++) {
		if (!live[i].used || live[i].frame > (uintptr_t)__builtin_frame_address(0) || strlen(live[i].name) != n ||
		    memcmp(live[i].name, name, n))
			continue;
		live[i].used = 0;
		printf("leave %s\n", live[i].name);
	}
}

void ompp_data_end_(const char *name, size_t n)
{
	printf("end %.*s\n", (int)n, name);
}

__attribute__((destructor)) static void stop(void)
{
	for (int i = 0; i < 100; i++)
		if (live[i].used)
			printf("not left: %s\n", live[i].name);
}
END
gcc -w -c log.c

# build OPTIONS FILE
build() {
	"$kinst" --strict --no-access gfortran $1 -c "$2" -o x.o 2>said || { cat said; fail "gfortran $1 $2"; }
	! grep -v ": passed over: -fopenmp is not given" said | grep "^kinst: " || fail "gfortran $1 $2: it was not quiet"
	"$kinst" gfortran -fopenmp x.o log.o -o x
	OMP_NUM_THREADS=1 timeout 10 ./x >log.txt || fail "gfortran $1 $2: it ended with $?"
}

cat >f.f90 <<'END'
module mm
  implicit none
  real(8) :: field(10, 20)
  real, allocatable :: al(:)
  integer, target :: tt(30)
  integer, pointer :: pp(:)
  type tp
     integer :: k
     complex :: z(4)
  end type
  type(tp) :: obj, objs(5)
  character(7) :: ch
contains
  subroutine exits(n)
    integer, intent(in) :: n
    integer :: loc(16), i
    real :: au(n + 1)
    !$pomp inst data(loc, 64, "Loc")
    !$OMP INST DATA(au) private
    loc = n
    if (n == 1) return
    if (n == 2) then
       return
    end if
    do i = 1, 3
       if (n == 3 .and. &
           i == 2) return
       if (n == 4) exit
    end do
    if (n == 5) goto 100
    if (n == 6) then; loc(1) = 3; return; end if
    if (n == 7) go to 200
    call inner
    return
100 return
200 continue
  contains
    subroutine inner
      character(len=9) :: c
!$pomp inst data(c, &
!$pomp & 4 + 5, 'it''s') ! the end
      c = 'a'
    end subroutine
  end subroutine
  recursive integer function rec(n) result(r)
    integer, value :: n
    integer :: buf(4)
    if (n == 2) then
!$pomp inst data(buf)
    end if
    buf = n
    r = 0
    if (n > 0) r = rec(n - 1) + buf(1)
  end function
  subroutine assumed(a, b, n)
    integer n
    real(8), intent(inout) :: a(:, :), b(n, *)
    !$pomp inst data(a, "a")
    !$pomp inst data(b, n * 8 * 2, "b")
  end subroutine
end module
program p
  use mm
  implicit none
  integer :: i
  real :: mine(3)
  !$pomp inst data(field)
  !$pomp inst data(obj%z, 'obj%z')
  !$pomp inst data(objs%k)
  !$pomp inst data(ch)
  !$pomp inst data(mine(2:3), "mine")
  allocate (al(12))
  !$pomp inst data(al)
  pp => tt(1:30:3)
  !$pomp inst data(pp)
  do i = 1, 8
    call exits(i)
  end do
  if (rec(4) /= 10) stop 1
  call assumed(field(1:10:2, ::3), field, 10)
!$omp parallel do
  do i = 1, 3
!$pomp inst data(mine, 12, "in loop")
    mine(i) = i
  end do
  !$POMP INST DATA END("al")
end program
END
cat >f.txt <<'END'
enter field 1600
enter obj%z 32
enter objs%k 148
enter ch 7
enter mine 8
enter al 48
enter pp 112
enter Loc 64 scoped
enter au 8 private
leave Loc
enter Loc 64 scoped
enter au 12 private
leave Loc
enter Loc 64 scoped
enter au 16 private
leave Loc
enter Loc 64 scoped
enter au 20 private
enter it's 9 scoped
leave it's
leave Loc
enter Loc 64 scoped
enter au 24 private
leave Loc
enter Loc 64 scoped
enter au 28 private
leave Loc
enter Loc 64 scoped
enter au 32 private
leave Loc
enter Loc 64 scoped
enter au 36 private
enter it's 9 scoped
leave it's
leave Loc
enter buf 16 scoped
leave buf
enter a 1512
enter b 160
enter in loop 12
enter in loop 12
enter in loop 12
end al
END
for options in "" "-fopenmp" "-fopenmp -Wall -O2" "-std=f2018 -pedantic -O2" "-std=legacy -fimplicit-none"; do
	build "$options" f.f90
	same "gfortran $options: the calls in free form" f.txt log.txt
done
build -fdefault-integer-8 f.f90

# Fortran 2008 has no assumed rank: parts of arrays are refused, the others are the same
"$kinst" --no-access gfortran -std=f2008 -c f.f90 -o x.o 2>said
[ "$(grep -c '^kinst: f.f90:[0-9]*: inst data: -std=f2008' said)" = 3 ] || { cat said; fail "-std=f2008"; }
"$kinst" gfortran -fopenmp x.o log.o -o x
OMP_NUM_THREADS=1 ./x | grep -v 'enter a ' >log.txt
grep -v -e obj -e mine -e 'enter a ' f.txt >want.txt
grep -v -e obj -e mine -e 'enter pp' log.txt >got.txt
grep -v 'enter pp' want.txt >want2.txt
same "-std=f2008" want2.txt got.txt

cat >x.f <<'END'
      module mx
      real*8 w(10)
      end module
      subroutine exits(n)
      use mx
      integer n, loc(16), i
      common /blk/ c(5), d
      character*11 name
C$POMP INST DATA(loc, 16 *
C$POMP& 4, "Loc")
c$omp inst data(c, 'c,(')
!$pomp inst data ( name )
*$pomp inst data(w, 80,
*$pomp+ 'w')
      name = 'x'
      loc(1) = 1
      if (n .eq. 1) return
      if (n .eq. 2 .or.
     &    n .eq. 3) return
      do 10 i = 1, 2
         if (n .eq. 4) goto 20
 10   continue
      do 30 i = 1, 2
 30      c(i) = 1
      if (n .eq. 5) then
         return
      endif
      call sub(n)
 20   return
      end
      subroutine sub(n)
      real a(n), b(3)
!$pomp inst data(b)
      b(1) = n
      a(1) = n
!$omp parallel do
      do i = 1, 3
        b(i) = i
      enddo
      end
      program p
      do i = 1, 6
         call exits(i)
      enddo
      end
END
cat >x.txt <<'END'
enter Loc 64 scoped
enter c,( 20
enter name 11 scoped
enter w 80
leave name
leave Loc
enter Loc 64 scoped
enter c,( 20
enter name 11 scoped
enter w 80
leave name
leave Loc
enter Loc 64 scoped
enter c,( 20
enter name 11 scoped
enter w 80
leave name
leave Loc
enter Loc 64 scoped
enter c,( 20
enter name 11 scoped
enter w 80
leave name
leave Loc
enter Loc 64 scoped
enter c,( 20
enter name 11 scoped
enter w 80
leave name
leave Loc
enter Loc 64 scoped
enter c,( 20
enter name 11 scoped
enter w 80
enter b 12 scoped
leave b
leave name
leave Loc
END
for options in "" "-fopenmp" "-O2 -Wall"; do
	build "$options" x.f
	same "gfortran $options: the calls in fixed form" x.txt log.txt
done

# what is malformed, and what stands where no call may
cat >e.f90 <<'END'
module m
	real :: x(3)
	!$pomp inst data(x)
contains
	pure real function f(a)
		real, intent(in) :: a(3)
		!$pomp inst data(a)
		f = a(1)
	end function
	subroutine s(n)
		integer :: n, i
		!$pomp inst data(x)
		real :: y(3)
		!$pomp inst data(y, n
		!$pomp inst data(y, n, name)
		!$pomp inst data y
		!$pomp inst data(y) shared
		!$pomp inst data end(y)
		!$pomp inst data(y, 1, 'a', 2)
		!$omp parallel do
		!$pomp inst data(y)
		do i = 1, 3
			y(i) = n
		end do
	end subroutine
end module
END
cat >e.txt <<'END'
kinst: e.f90:3: inst data: it stands outside of procedures; put it into one
kinst: e.f90:7: inst data: it stands in a pure procedure, which may call nothing; name the data in a caller
kinst: e.f90:12: inst data: it stands among declarations; put it behind them
kinst: e.f90:14: inst data: the closing parenthesis is missing; write DATA(array, bytes, 'name')
kinst: e.f90:15: inst data: the name is not a string; write it in quotes
kinst: e.f90:16: inst data: the arguments are missing; write DATA(array, bytes, 'name')
kinst: e.f90:17: inst data: an unknown clause follows the arguments; write private, each or sum
kinst: e.f90:18: inst data: the name is not a string; write it in quotes
kinst: e.f90:19: inst data: there are more than three arguments; write DATA(array, bytes, 'name')
kinst: e.f90:21: inst data: it stands between a directive and its statement; put it before the directive
END
"$kinst" --no-access gfortran -fopenmp -c e.f90 2>said
same "malformed directives" e.txt said

# an error in an expression: the compiler's word, with the line
printf '%s\n' 'subroutine s(x)' 'implicit none' 'real :: x(3)' 'x = 1' '!$pomp inst data(x, no)' 'end subroutine' >w.f90
"$kinst" --no-access gfortran -c w.f90 2>said || fail "w.f90 does not build"
grep -q '^kinst: w.f90:5: inst data: w.f90:5:[0-9]*: Error: .*no.*IMPLICIT.*; the directive has no effect' said || { cat said; fail "w.f90"; }

# with the runtime: recursion, each call's own array
cat >r.f90 <<'END'
module mm
  implicit none
contains
  recursive real(8) function f(n) result(s)
    integer, intent(in) :: n
    real(8) :: buf(64)
    integer :: i
    !$pomp inst data(buf)
    do i = 1, 64
      buf(i) = i
    end do
    s = 0
    do i = 1, 64
      s = s + buf(i)
    end do
    if (n == 0) return
    s = s + f(n - 1)
  end function
end module
program p
  use mm
  implicit none
  if (f(3) /= 8320) stop 1
end program
END
for options in -O0 -O1 -O2 "-O3 -fopenmp"; do
	"$kinst" --strict gfortran $options r.f90 -o r
	rm -f rep*
	OMPP_REPORTFILE=rep ./r || fail "gfortran $options: the sum"
	grep -q '^buf  *4 096 .* 256  *256 *$' rep || { grep '^buf' rep; fail "gfortran $options: the loads and stores of a local array"; }
done
clean
