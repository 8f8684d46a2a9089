# standards: every -std= of C, C++ and Fortran, with all that is pedantic an error
. "$srcdir/tests/systems/systems.sh"
cat >all.c <<'C'
#include <stdio.h>
int main(void)
{
	int i, s = 0;
#pragma omp parallel reduction(+ : s)
	{
		int k = 1;
#pragma omp for
		for (i = 0; i < 10; i++)
			s += k;
#pragma omp single
		{
#pragma omp task shared(s)
			s += 5;
#pragma omp taskwait
		}
#pragma omp critical(name)
		s += 0;
#pragma omp barrier
	}
	printf("%d\n", s);
	return 0;
}
C
cp all.c all.cpp
cat >all.f90 <<'F'
program all
  implicit none
  integer :: i, s
  s = 0
!$omp parallel do reduction(+ : s)
  do i = 1, 10
    s = s + i
  end do
!$omp end parallel do
!$omp parallel
!$omp single
!$omp task shared(s)
  s = s + 1
!$omp end task
!$omp taskwait
!$omp end single
!$omp critical
  s = s + 0
!$omp end critical
!$omp end parallel
  print '(i0)', s
end program
F
sed 's/^  /      /; s/^program/      program/; s/^end program/      end program/' all.f90 >all.f

# each COMPILER SOURCE FLAGS STANDARD…
each() {
	compiler=$1 source=$2 flags=$3
	shift 3
	for standard; do
		case $standard in -*) ;; *) standard=-std=$standard ;; esac
		$compiler -fopenmp $flags $standard $source -o plain >said 2>&1 || fail "$compiler $standard, plain: $(cat said)"
		./plain >plain.out
		"$builddir/kinst" --strict $compiler -fopenmp $flags $standard $source -o program >said 2>&1 || fail "$compiler $standard: $(cat said)"
		[ ! -s said ] || fail "$compiler $standard: $(cat said)"
		measured $source -- ./program
		same "$compiler $standard" plain.out out
	done
}
pedantic="-pedantic-errors -Wall -Wextra -Werror"
c="c89 iso9899:199409 gnu89 c99 c11 gnu17 c2x -ansi"
cxx="c++98 c++11 gnu++14 c++17 c++20 gnu++2b -ansi"
each gcc all.c "$pedantic" $c
each clang all.c "$pedantic" $c
each g++ all.cpp "$pedantic" $cxx
each clang++ all.cpp "$pedantic" $cxx
each gfortran all.f90 "$pedantic" f95 f2003 f2008 f2018 gnu legacy
each gfortran all.f "-Wall -Wextra -Werror" f95 f2008 gnu legacy
clean
