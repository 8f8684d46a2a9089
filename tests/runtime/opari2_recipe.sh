# opari2_recipe: programs built as opari2 documents it, without kinst: opari2 rewrites each source, opari2-config makes the
# registration of the regions from the objects, and libompp is the POMP2 library.  Counts by arithmetic, in C and in Fortran.
. "$srcdir/tests/lib.sh"
need opari2
need opari2-config
need "$GFORTRAN"
export OMP_NUM_THREADS=4 OMP_DYNAMIC=false OMP_WAIT_POLICY=passive OMPP_OUTFORMAT=CSV OMPP_REPORTFILE="$PWD/report" OMPP_QUIET=1

# The second source has a construct and a user region of its own, so that regions of two files are registered.
cat >a.c <<'C'
#include <omp.h>
#include <stdio.h>

int many(int n);

int main(void)
{
	int sum = 0, here = 0;
	omp_lock_t lock;

	omp_init_lock(&lock);
	for (int k = 0; k < 3; k++) {
#pragma omp parallel reduction(+ : sum)
		{
#pragma omp for schedule(dynamic, 1)
			for (int i = 0; i < 10; i++)
				sum += i;
#pragma omp single
			{
				for (int i = 0; i < 5; i++)
				{
#pragma omp task untied shared(here)
					{
#pragma omp atomic
						here++;
					}
				}
#pragma omp taskwait
			}
#pragma omp critical(name)
			{
				sum++;
			}
			omp_set_lock(&lock);
			omp_unset_lock(&lock);
#pragma omp sections
			{
#pragma omp section
				{
					sum++;
				}
#pragma omp section
				{
					sum++;
				}
			}
#pragma omp master
			{
				sum++;
			}
#pragma omp barrier
		}
	}
	omp_destroy_lock(&lock);
	printf("%d %d %d\n", sum, here, many(7));
	return 0;
}
C
cat >b.c <<'C'
int many(int n)
{
	int sum = 0;

#pragma pomp inst begin(all)
#pragma omp parallel for ordered reduction(+ : sum) num_threads(2)
	for (int i = 0; i < n; i++) {
#pragma omp ordered
		{
			sum += i;
		}
	}
#pragma pomp inst end(all)
	return sum;
}
C
cat >f.f90 <<'F'
program f
  implicit none
  integer :: i, k, total, here
  total = 0
  here = 0
  do k = 1, 3
!$omp parallel reduction(+: total)
!$omp do
    do i = 1, 10
      total = total + i
    end do
!$omp end do
!$omp single
    do i = 1, 5
!$omp task shared(here)
!$omp atomic
      here = here + 1
!$omp end task
    end do
!$omp taskwait
!$omp end single
!$omp critical (name)
    total = total + 1
!$omp end critical (name)
!$omp sections
!$omp section
    total = total + 1
!$omp section
    total = total + 1
!$omp end sections
!$omp master
    total = total + 1
!$omp end master
!$omp barrier
!$omp end parallel
  end do
  print '(i0,1x,i0)', total, here
end program f
F

# count TYPE ROW VALUE [COLUMN]: how often a region was executed.
count() {
	got=$(csv_field report "$1" "$2" "${4:-execC}")
	[ "$got" = "$3" ] || fail "$what: $1, row $2: $got ${4:-executions}, not $3"
}

# The counts that both programs share: 3 times a team of 4.
check() {
	count "PARALLEL:$1" SUM 12
	count "LOOP:$2" SUM 12
	count "SINGLE:$3" SUM 12
	count "SINGLE:$3" SUM 3 singleC
	count "$4" SUM 15
	count "ATOMIC:$5" SUM 15
	count "TASKWAIT:$6" SUM 3
	count "CRITICAL:$7" SUM 12
	count "SECTIONS:$8" SUM 6 sectC
	count "MASTER:$9" SUM 3
	count "MASTER:$9" 0 3
	! grep '^Note' report || fail "$what: $(grep '^Note' report)"
}

line() {
	grep -n "$2" "$1" | cut -d: -f1 | head -n 1
}

# The second link is static, which only kinst can do; the program's own POMP2_Init_regions takes the place of libompp's there.
for link in "$CC -L$builddir/.libs -Wl,-rpath,$builddir/.libs" "kinst $CC -static"; do
	what="C, $link"
	rm -f report *.o *.mod.* *.opari.inc
	for source in a b; do
		opari2 --omp-task-untied=keep $source.c || fail "$what: opari2"
		$CC -fopenmp $(opari2-config --cflags=gnu) -c $source.mod.c || fail "$what: the compile"
	done
	$(opari2-config --nm) a.mod.o b.mod.o | $(opari2-config --region-initialization) >pomp2_init_regions.c
	$CC -c pomp2_init_regions.c || fail "$what: the registration"
	library=-lompp
	[ "$link" != "kinst $CC -static" ] || library=
	$link -fopenmp a.mod.o b.mod.o pomp2_init_regions.o $library -o a || fail "$what: the link"
	[ "$(./a)" = "156 15 21" ] || fail "$what: the result: $(./a)"
	check "$(line a.c 'omp parallel')" "$(line a.c 'omp for')" "$(line a.c 'omp single')" \
		"TASK:$(line a.c 'omp task')" "$(line a.c 'omp atomic')" "$(line a.c 'omp taskwait')" \
		"$(line a.c 'omp critical')" "$(line a.c 'omp sections')" "$(line a.c 'omp master')"
	count "BARRIER:$(line a.c 'omp barrier')" SUM 12
	count "PARALLEL LOOP:$(line b.c 'omp parallel')" SUM 2
	count "ORDERED:$(line b.c 'omp ordered$')" SUM 7
	count "USER REGION:$(line b.c 'begin(all)')" SUM 1
	regions=$(sed -n 's;^##BEG \(R[0-9]*\) flat.*;\1;p' report | sort -u | wc -l)
	[ "$regions" = 14 ] || fail "$what: $regions regions, not 14"
done

what=Fortran
rm -f report
opari2 --omp-task-untied=keep f.f90 || fail "$what: opari2"
$GFORTRAN -fopenmp -c f.mod.F90 || fail "$what: the compile"
eval "$(opari2-config --create-pomp2-regions f.mod.o)" >pomp2_init_regions.c
$CC -c pomp2_init_regions.c || fail "$what: the registration"
$GFORTRAN -fopenmp f.mod.o pomp2_init_regions.o -L"$builddir/.libs" -Wl,-rpath,"$builddir/.libs" -lompp -o f || fail "$what: the link"
[ "$(./f)" = "186 15" ] || fail "$what: the result: $(./f)"
check "$(line f.f90 'omp parallel')" "$(line f.f90 'omp do')" "$(line f.f90 'omp single')" "TASK:$(line f.f90 'omp task ')" \
	"$(line f.f90 'omp atomic')" "$(line f.f90 'omp taskwait')" "$(line f.f90 'omp critical')" \
	"$(line f.f90 'omp sections')" "$(line f.f90 'omp master')"
