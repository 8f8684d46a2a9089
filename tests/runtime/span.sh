# span: work and span of programs that sleep, of which a model knows both from the times that the programs measured
# themselves: fork-join, recursion, taskgroup, taskwait, pipelines by depend, taskloop, undeferred tasks, nested teams,
# loops (span.py); and that the section says what is not known
. "$srcdir/tests/lib.sh"
need python3
export OMPP=$builddir/ompp KINST_PROGRAM=$builddir/kinst
unset KINST KINST_FLAGS
mkdir programs
python3 "$srcdir/tests/runtime/span.py" programs "${CC:-gcc}" 1 2 3 >said || { cat said; fail "work or span"; }

# where edges of the path are switched off, none is looked for
printf '%s\n' 'int main(void) {' '#pragma omp parallel num_threads(2)' '#pragma omp single' '#pragma omp task' ';' 'return 0; }' >task.c
kinst "${CC:-gcc}" -fopenmp task.c -o task || fail "task.c"
OMPP_SPAN=1 OMPP_DISABLE=task OMPP_REPORTFILE=report ./task >out 2>err || fail "task: $?"
grep -q 'OMPP_SPAN: tasks, .* are off (OMPP_DISABLE)' err || fail "nothing said: $(cat err)"
! grep -q 'Parallelism  ' report || fail "a path without its edges"

# the path as folded stacks: of two tasks the longer one is on it, by as much as it slept, the other one is not, and all
# lines together are the span
cat >two.c <<'C'
#include <omp.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
	double slept = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
	{
#pragma omp task shared(slept)
		{ double t = omp_get_wtime(); usleep(300000); slept = omp_get_wtime() - t; }
#pragma omp task
		usleep(10000);
	}
	usleep(10000);
	return printf("%.0f\n", 1e9 * slept) < 0;
}
C
kinst "${CC:-gcc}" -fopenmp two.c -o two || fail "two.c"
OMPP_SPAN=1 OMPP_REPORTFILE=two.txt ./two >slept || fail "two: $?"
ompp report --format=folded-path two.txt.ompp >two.folded || fail "folded-path"
ompp report --format=json two.txt.ompp >two.json || fail "two.json"
python3 - two.folded two.json slept <<'P' || { cat two.folded; fail "folded-path: not the path"; }
import json, sys
slept, run = int(open(sys.argv[3]).read()), json.load(open(sys.argv[2]))['run']
stacks = dict(line.rstrip('\n').rsplit(' ', 1) for line in open(sys.argv[1]))
tasks = {stack.split(';')[-1]: int(ns) for stack, ns in stacks.items() if stack.split(';')[-1].startswith('TASKEXEC')}
assert list(tasks) == ['TASKEXEC two.c (9-10)'], tasks
assert 0 <= tasks['TASKEXEC two.c (9-10)'] - slept < .03 * slept, (tasks, slept)
assert int(stacks['two']) >= 1e7 and all(stack.split(';')[0] == 'two' for stack in stacks), stacks
assert abs(sum(map(int, stacks.values())) - run['span_ns']) <= len(stacks), (stacks, run['span_ns'])
P

# a time at most is that of schedules that let no thread idle: where tasks create tasks and something waits for tasks,
# it is that of one thread
cat >three.c <<'C'
#include <unistd.h>
static void tree(int depth) {
	usleep(1000);
	for (int i = 0; depth && i < 2; i++) {
#pragma omp task
		tree(depth - 1);
	}
#pragma omp taskwait
}
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
	tree(3);
	return 0;
}
C
kinst "${CC:-gcc}" -fopenmp three.c -o three || fail "three.c"
OMPP_SPAN=1 OMPP_REPORTFILE=three.txt OMPP_VIEW=span ./three || fail "three: $?"
ompp report --view=span two.txt.ompp >two.span || fail "two: the section"
grep -q '^  *8  *[0-9.]*  *[0-9.]*  *[0-9.]*  *(' two.span || { cat two.span; fail "no time at most of a fork and join"; }
grep -q '^  *1  *[0-9.]*  *[0-9.]*  *[0-9.]*  *(' three.txt || { cat three.txt; fail "no time at most with one thread"; }
awk '$1 == 1 && !one { one = $4 } $1 == 8 && !eight { eight = $4 } END { exit !(one > 0 && eight == one) }' three.txt ||
	{ cat three.txt; fail "a recursion takes at most what one thread takes"; }

# in Fortran nobody says which task is created: work is right, the span is no more than the true one, and the report says
# so and gives no time at most
command -v gfortran >/dev/null || exit 0
cat >tasks.f90 <<'F'
program tasks
  use iso_c_binding
  use omp_lib
  interface
    integer(c_int) function usleep(us) bind(c, name="usleep")
      import c_int
      integer(c_int), value :: us
    end function
  end interface
  integer :: i
  double precision :: slept(21)
  !$omp parallel num_threads(4)
  !$omp single
  do i = 1, 12
    !$omp task firstprivate(i)
    call nap(i, 4000 + 500 * i)
    !$omp end task
  end do
  !$omp taskwait
  call nap(13, 9000)
  !$omp taskloop grainsize(2)
  do i = 14, 21
    call nap(i, 3000)
  end do
  !$omp end taskloop
  !$omp end single
  !$omp end parallel
  print *, sum(slept), maxval(slept(1:12)) + slept(13) + &
    max(slept(14) + slept(15), slept(16) + slept(17), slept(18) + slept(19), slept(20) + slept(21))
contains
  subroutine nap(i, us)
    integer, intent(in) :: i, us
    integer :: rc
    double precision :: start
    start = omp_get_wtime()
    rc = usleep(int(us, c_int))
    slept(i) = omp_get_wtime() - start
  end subroutine
end program
F
kinst gfortran -fopenmp tasks.f90 -o fortran || fail "tasks.f90"
fortran() {
	OMPP_SPAN=1 OMPP_REPORTFILE=fortran.txt OMPP_VIEW=span ./fortran >slept 2>err || { cat err >wrong; return; }
	ompp report --format=json fortran.txt.ompp >fortran.json || { echo "fortran.json" >wrong; return; }
	python3 - slept fortran.json <<'P'
import json, sys
work, span = (float(x) * 1e9 for x in open(sys.argv[1]).read().split())
run = json.load(open(sys.argv[2]))['run']
if run['tasks_off_path'] != 20:  # a count is not tried again
    open('wrong', 'w').write('%s tasks are off the path' % run['tasks_off_path'])
    sys.exit(0)
sys.exit(abs(run['work_ns'] - work) > .03 * work + 1e6 or run['span_ns'] > 1.03 * span + 1e6)
P
}
retry 20 fortran || fail "Fortran: work or span: $(cat slept)"
[ ! -e wrong ] || fail "Fortran: $(cat wrong)"
grep -q 'Who created' fortran.txt && grep -q '^span  .* at least' fortran.txt || fail "Fortran: not said that it is a bound"
grep -q '^  *8  *[0-9.]*  *-  *-  *(' fortran.txt || fail "Fortran: a time with 8 threads"
