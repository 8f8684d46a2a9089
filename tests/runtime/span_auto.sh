# span_auto: work and span without being asked for: programs with tasks have the section Parallelism as long as that costs
# little, and no half of it where it was given up; programs without tasks do not look for it
. "$srcdir/tests/lib.sh"
need python3
unset KINST KINST_FLAGS

# Tasks that are busy for so many us, or sleep for 2 ms, whose times the program adds up itself; then tiny ones; then it
# may fork.
cat >tasks.c <<'C'
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static double spent[3000];
static int n_spent;
static void spend(int i, int us) {
	double start = omp_get_wtime(), now;
	if (!us)
		usleep(2000);
	while ((now = omp_get_wtime()) < start + us * 1e-6)
		;
	spent[i] = now - start;
	if (us)
#pragma omp critical
		n_spent++;
}
static long tiny(int n) {
	long a, b;
	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = tiny(n - 1);
#pragma omp task shared(b)
	b = tiny(n - 2);
#pragma omp taskwait
	return a + b;
}
int main(int argc, char **argv) {
	int n = atoi(argv[1]), us = atoi(argv[2]), depth = atoi(argv[3]);
	double sum = 0;
	long x = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
	for (int i = 0; i < n; i++)
#pragma omp task
		spend(i, us);
#pragma omp parallel num_threads(3)
#pragma omp single
	x = tiny(depth);
	for (int i = 0; i < n; i++)
		sum += spent[i];
	if (argc > 4 && fork())
		wait(NULL);
#pragma omp parallel num_threads(1)
	x += tiny(1) - 1;
	return printf("%.0f %ld\n", 1e9 * sum, x) < 0;
}
C
kinst "${CC:-gcc}" -O2 -fopenmp tasks.c -o tasks || fail "tasks.c"
unset OMPP_SPAN OMPP_WHAT_IF

# run NAME ARGUMENT…: leaves NAME.txt, NAME.json and NAME.said
run() {
	name=$1
	shift
	OMPP_OVERWRITE=1 OMPP_REPORTFILE=$name.txt ./tasks "$@" >"$name.said" 2>"$name.err" || fail "$name: $? $(cat "$name.err")"
	ompp report --format=json "$name.txt.ompp" >"$name.json" || fail "$name: json"
}
given_up='tasks were created when the search for work and span was given up'

# tasks of 50 us have it
run short 3000 50 2
grep -q 'ompP Parallelism' short.txt && ! grep -q "$given_up" short.txt || fail "tasks of 50 us"
[ "$(sed -n 's/.*"tasks_created": *\([0-9]*\).*/\1/p' short.json | head -n 1)" = 3002 ] || fail "tasks of 50 us: not all"

# has_it NAME COMMAND…: so has a program that is built by this command
has_it() {
	name=$1
	shift
	kinst "$@" -o "$name" || fail "$name: $*"
	OMPP_REPORTFILE=$name.txt "./$name" 3000 50 2 >"$name.said" 2>"$name.err" || fail "$name: $? $(cat "$name.err")"
	grep -q 'ompP Parallelism' "$name.txt" || fail "$name: nothing of tasks"
}

# also one that exports no symbol, so that the table of hashes says nothing of those that it needs
for flags in -no-pie '-no-pie -fno-plt' '-no-pie -Wl,--hash-style=sysv' '-pie -rdynamic'; do
	has_it "in_c$(echo "$flags" | tr -d ' ')" "${CC:-gcc}" -O2 -fPIE $flags -fopenmp tasks.c
done

# in C++ and Fortran, with tied and untied tasks, and where a taskloop makes them
cat >other.cc <<'C'
#include <omp.h>
int main() {
	int n = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskloop grainsize(1) shared(n)
	for (int i = 0; i < 1000; i++) {
		double start = omp_get_wtime();
		while (omp_get_wtime() < start + 1e-4)
			;
#pragma omp atomic
		n++;
	}
	return n != 1000;
}
C
if command -v "${CXX:-g++}" >/dev/null; then
	has_it in_cxx "${CXX:-g++}" -O2 -fopenmp other.cc
	has_it in_cxx_no_pie "${CXX:-g++}" -O2 -no-pie -fopenmp other.cc
fi
if command -v gfortran >/dev/null; then
	for untied in '' untied; do
		cat >tied$untied.f90 <<-F
		program tasks
			use omp_lib
			integer :: i, n
			double precision :: start
			n = 0
			!\$omp parallel num_threads(3) private(start)
			!\$omp single
			do i = 1, 1000
				!\$omp task $untied shared(n)
				start = omp_get_wtime()
				do while (omp_get_wtime() < start + 1d-4)
				end do
				!\$omp atomic
				n = n + 1
				!\$omp end task
			end do
			!\$omp end single
			!\$omp end parallel
			if (n /= 1000) stop 1
		end program
		F
		has_it "in_fortran$untied" gfortran -O2 -fopenmp "tied$untied.f90"
		has_it "in_fortran_no_pie$untied" gfortran -O2 -no-pie -fopenmp "tied$untied.f90"
	done
fi

# its numbers are right
usual() {
	run usual 200 0 2
	python3 - usual.said usual.json <<'P'
import json, sys
slept, run = int(open(sys.argv[1]).read().split()[0]), json.load(open(sys.argv[2]))['run']
sys.exit(not (0 <= run['work_ns'] - slept < .05 * slept + 2e6 and 2e6 <= run['span_ns'] < run['work_ns'] / 2))
P
}
retry 20 usual || fail "tasks that sleep: $(cat usual.said; grep -A9 'The run:' usual.txt)"

# nothing NAME: the report has no number of work and span, neither of the regions that were over nor of the one under way
nothing() {
	! grep -q 'ompP Parallelism' "$1.txt" || fail "$1: the section is there"
	python3 - "$1.json" <<'P' || fail "$1: half of the numbers"
import json, sys
all = json.load(open(sys.argv[1]))
run = all['run']
columns = [all[table][column] for table in ('spans', 'predictions', 'gains') for column in all[table]]
assert columns and not any(columns) and not run['has_span'], run
assert run['work_ns'] is None and run['span_ns'] is None and not run['tasks_created'], run
P
}

# tiny tasks end it, for the region before, too, and the report says so; the program does what it did
run tiny 300 50 27
nothing tiny
grep -q "$given_up" tiny.txt || { grep -A20 'ompP General' tiny.txt; fail "tiny tasks: nothing said"; }
! ompp report --view=summary tiny.txt.ompp | grep '^note' || fail "tiny tasks: the first screen tells of what nobody asked for"
after=$(sed -n "s/.*[^0-9]\([0-9][0-9]*\) $given_up.*/\1/p" tiny.txt | head -n 1)
[ "${after:-0}" -ge 1024 ] && [ "$after" -lt 600000 ] || fail "given up after '$after' tasks of 635,620"
grep -q ' 196418$' tiny.said || fail "tiny tasks: $(cat tiny.said)"

# who asks for it keeps it, or has none
OMPP_SPAN=1 run asked 0 0 27
grep -q 'ompP Parallelism' asked.txt && ! grep -q "$given_up" asked.txt || fail "OMPP_SPAN=1"
OMPP_SPAN=0 run off 300 50 27
nothing off
! grep -q "$given_up" off.txt || fail "OMPP_SPAN=0: said to be given up"
OMPP_WHAT_IF=1 run if 0 0 24
grep -q 'ompP Parallelism' if.txt && ! grep -q "$given_up" if.txt || fail "OMPP_WHAT_IF=1"

# where tasks are switched off nobody looks for it, and nothing is said about that
OMPP_DISABLE=task run disabled 300 50 2
nothing disabled
! grep -q 'OMPP_SPAN' disabled.txt disabled.err || fail "OMPP_DISABLE=task: something is said"

# a forked child of a process that gave it up has none, either
mkdir forked
OMPP_OUTDIR=forked OMPP_USEPID=1 ./tasks 300 50 27 fork >forked.said 2>&1 || fail "forked: $(cat forked.said)"
[ "$(ls forked/*.txt | wc -l)" = 2 ] || fail "forked: $(ls forked)"
! grep -l 'ompP Parallelism' forked/*.txt || fail "a forked child has the section"
[ "$(grep -l "$given_up" forked/*.txt | wc -l)" = 1 ] || fail "a forked child has its parent's number of tasks"
[ "$(grep -l 'given up before the fork of this process' forked/*.txt | wc -l)" = 1 ] || fail "a forked child says nothing"
! grep -l 'given up before the first task' forked/*.txt || fail "a forked child knows of its parent's tasks"

# a program without tasks does not look for it, whatever it executes
cat >loop.c <<'C'
int main(void) {
	static double a[1000];
#pragma omp parallel for num_threads(3)
	for (int i = 0; i < 1000; i++)
		a[i] = i;
	return a[3] != 3;
}
C
kinst "${CC:-gcc}" -O2 -fopenmp loop.c -o loop || fail "loop.c"
OMPP_REPORTFILE=loop.txt ./loop || fail "loop: $?"
! grep -q 'ompP Parallelism' loop.txt || fail "a program without tasks"
rm -rf forked ./*.ompp # runs of some ms, of which a busy machine may have had more than there was
