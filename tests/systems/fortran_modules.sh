# fortran_modules: module files are found, and written where they are when nothing changed; parallel make; mixed languages
. "$srcdir/tests/systems/systems.sh"
cp "$project"/* . 2>/dev/null || :
chmod u+w ./*
cat >kernel.c <<'C'
int kernel(int n);
int kernel(int n)
{
	int s = 0;
#pragma omp parallel for reduction(+ : s)
	for (int i = 0; i < n; i++)
		s += i;
	return s;
}
C
cat >bridge.cpp <<'C'
extern "C" int bridge(int n);
int bridge(int n)
{
	int s = 0;
#pragma omp parallel reduction(+ : s)
	s += n;
	return s / n;
}
C
cat >types.f90 <<'F'
module types
  use iso_c_binding
  implicit none
  type :: pair
    integer(c_int) :: a, b
  end type
contains
  function total(p) result(s)
    type(pair), intent(in) :: p(:)
    integer(c_int) :: s, i
    s = 0
!$omp parallel do reduction(+ : s)
    do i = 1, size(p)
      s = s + p(i)%a + p(i)%b
    end do
  end function
end module
F
cat >calls.f90 <<'F'
module calls
  use iso_c_binding
  interface
    function kernel(n) bind(c)
      import :: c_int
      integer(c_int), value :: n
      integer(c_int) :: kernel
    end function
    function bridge(n) bind(c)
      import :: c_int
      integer(c_int), value :: n
      integer(c_int) :: bridge
    end function
  end interface
end module
F
cat >mixed.f90 <<'F'
program mixed
  use types
  use calls
  use area
  implicit none
  type(pair) :: p(3)
  p%a = 1
  p%b = 2
  print *, total(p), kernel(10), bridge(3), whole(4)
end program
F
cat >Makefile <<'M'
FFLAGS = -fopenmp -g -J mod -I mod
objects = obj/kernel.o obj/bridge.o obj/types.o obj/calls.o obj/area.o obj/area_whole.o obj/mixed.o
mixed: $(objects)
	$(FC) -fopenmp $(objects) -lstdc++ -o $@
obj/%.o: %.f90
	@echo compile $<
	$(FC) $(FFLAGS) -c $< -o $@
obj/%.o: %.c
	$(CC) -fopenmp -c $< -o $@
obj/%.o: %.cpp
	$(CXX) -fopenmp -c $< -o $@
mod/types.mod: obj/types.o
	@:
mod/calls.mod: obj/calls.o
	@:
mod/area.mod: obj/area.o
	@:
obj/mixed.o: mod/types.mod mod/calls.mod mod/area.mod
obj/area_whole.o: mod/area.mod
M
mkdir plain
cp ./*.* Makefile plain/
for folder in plain .; do
	(
		cd $folder
		mkdir obj mod
		prefix=
		[ $folder = plain ] || prefix=$builddir/kinst-
		"$MAKE" -j4 CC=${prefix}gcc CXX=${prefix}g++ FC=${prefix}gfortran >make.log 2>&1 || { cat make.log; fail "make, $folder"; }
	)
done
plain/mixed >plain.out
measured kernel.c bridge.cpp types.f90 area_whole.f90 -- ./mixed
same "output" plain.out out
# types.mod says that its function calls others
for file in calls.mod area.mod area.smod; do
	gzip -dc plain/mod/$file | sed 1d >plain.mod
	gzip -dc mod/$file | sed 1d >kinst.mod
	same "$file" plain.mod kinst.mod
done
[ "$(ls mod)" = "$(ls plain/mod)" ] || fail "module files: $(ls mod plain/mod)"

# gfortran leaves a module file that does not change as it is; so does kinst
touch -d 2001-01-01 mod/types.mod plain/mod/types.mod
for folder in plain .; do
	(
		cd $folder
		prefix=
		[ $folder = plain ] || prefix=$builddir/kinst-
		sed -i 's/s = 0/s = 1/' types.f90
		${prefix}gfortran -fopenmp -g -J mod -I mod -c types.f90 -o obj/types.o
	)
done
[ ! mod/types.mod -nt plain/mod/types.mod ] || fail "an unchanged module file is written again"
# and one that does is written
sed -i 's/:: a, b/:: a, b, c/' types.f90
"$builddir/kinst-gfortran" -fopenmp -J mod -c types.f90 -o obj/types.o
[ mod/types.mod -nt plain/mod/types.mod ] || fail "a changed module file is not written"

# include files beside the source and in -I, of both kinds, from another folder
mkdir -p sub/inc
cp main.F90 area.f90 area_whole.f90 shared.inc sub/
cp limit.h sub/inc/
(cd sub && gfortran -fopenmp -Iinc area.f90 area_whole.f90 main.F90 -o plain && ./plain) >plain.out
"$builddir/kinst-gfortran" --kinst-strict -fopenmp -Isub/inc -J sub sub/area.f90 sub/area_whole.f90 sub/main.F90 -o program || fail "includes"
measured sub/main.F90 sub/area_whole.f90 -- ./program
same "output of a program with includes" plain.out out
clean
