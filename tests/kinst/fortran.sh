# fortran: fixed and free form, modules, preprocessing only where gfortran does
. "$srcdir/tests/kinst/kinst.sh"
need gfortran

sources() {
	cat >src/f.f90 <<'EOF'
module mm
	integer :: x
end module
program p
	use mm
	implicit none
	integer :: i, s
	s = 0
!$omp parallel do reduction(+:s)
	do i = 1, 100
		s = s + i
	end do
!$omp end parallel do
	print *, s
end program
EOF
	cat >src/g.F90 <<'EOF'
#define LIMIT 100
program p
	integer :: i, s
	s = 0
!$omp parallel do reduction(+:s) schedule(static, LIMIT)
	do i = 1, LIMIT
		s = s + i
	end do
!$omp end parallel do
	print *, s
end program
EOF
	cat >src/h.f <<'EOF'
      program p
      include 'h.inc'
      s = 0
c$omp parallel
c$omp do reduction(+:s)
      do 10 i = 1, 100
         s = s + i                                                      beyond
 10   continue
c$omp end parallel
      print *, s
      end
EOF
	echo '      integer i, s' >src/h.inc
	printf '%s\n' '! #define is a comment here: "//" stays' 'program p' 'integer :: x' 'x = 1' \
		'!$omp parallel' '!$omp critical' 'x = 2' '!$omp end critical' '!$omp end parallel' \
		'print *, "a // b /* c"' 'end program' >src/i.f90
}

for arguments in "-c src/f.f90" "-c src/g.F90" "-J obj -c src/f.f90 -o obj/f.o" "src/f.f90 -o prog" "src/h.f -o prog" \
		 "-cpp -c src/f.f90" "-cpp -MD -c src/g.F90 -o obj/g.o -MF /dev/null" "-c -x f95-cpp-input src/f.f90" \
		 "-Wall -c src/f.f90" "-S src/f.f90" "-save-temps -c src/g.F90" "-g -fprofile-arcs src/f.f90 -o prog" \
		 "-fsyntax-only src/f.f90" "-c src/none.f90" "-Wall -Werror -c src/i.f90" "-ffree-form -c src/i.f90"; do
	both gfortran "-fopenmp $arguments"
done

rm -rf *
mkdir src obj tmp
sources
for file in f.f90 g.F90 h.f i.f90; do
	"$kinst" --strict gfortran -fopenmp -g -c src/$file -J obj -o obj/x.o
	instrumented obj/x.o
	! readelf --debug-dump=info,line obj/x.o 2>/dev/null | grep -q "$TMPDIR" || fail "$file: a temporary name"
	strings obj/x.o | tr -d '\n' | grep -q "sscl=$work/src/$file:" || fail "$file: CTC"
	gfortran -fopenmp src/$file -J obj -o p
	"$kinst" --strict gfortran -fopenmp src/$file -J obj -o k
	./p >p.txt
	./k >k.txt
	same "$file" p.txt k.txt
done

# a module file is written once: a compile that is repeated for its messages writes none
"$kinst" gfortran -fopenmp -Wall -c src/f.f90 2>/dev/null
[ "$(find . -name '*.mod' | sort | tr '\n' ' ')" = "./mm.mod ./obj/mm.mod " ] || fail "$(find . -name '*.mod')"

# constructs that the user leaves out
"$kinst" --strict --disable=omp:sync gfortran -fopenmp -c src/i.f90 -o d.o
nm d.o | grep -q ompp_f_fork && ! nm d.o | grep -q ompp_f_critical || fail "--disable=omp:sync: $(nm d.o)"

# user regions, without OpenMP
printf '%s\n' 'program p' '!$pomp inst begin(one)' 'print *, 1' '!$pomp inst end(one)' '!$omp parallel' \
	'!$omp end parallel' 'end program' >u.f90
"$kinst" --strict gfortran -c u.f90
nm u.o | grep -q ompp_f_begin_ || fail "the user region is missing"
! nm u.o | grep -q ompp_f_fork || fail "OpenMP is instrumented without -fopenmp"

# a main program without a PROGRAM statement, in which names that opari2 declares would be typed implicitly
cat >nameless.f90 <<'F'
  integer :: i
  i = 1
!$omp atomic
  i = i + 1
  call sub
  print *, i
end
subroutine sub
!$omp parallel
!$omp end parallel
end subroutine
F
"$kinst" --strict gfortran -w -std=legacy -fopenmp nameless.f90 -o nameless || fail "nameless main program"
[ "$(./nameless | tr -d ' ')" = 2 ] || fail "nameless main program: output"
"$kinst" --strict --engine=opari2 gfortran -w -std=legacy -fopenmp nameless.f90 -o nameless 2>err || fail "nameless, opari2"
[ ! -s err ] || fail "nameless main program: $(cat err)"
[ "$(./nameless | tr -d ' ')" = 2 ] || fail "nameless main program: output"
[ "$(ompp regions nameless | grep -c 'nameless.f90:')" = 2 ] || fail "nameless, opari2: regions: $(ompp regions nameless)"

if command -v mpif90 >/dev/null; then
	"$kinst" --strict mpif90 -fopenmp -c src/f.f90 -o mpi.o
	instrumented mpi.o
fi
clean
