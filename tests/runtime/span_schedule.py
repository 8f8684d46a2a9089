#!/usr/bin/env python3
"""Loops that sleep, and what they say themselves would be if their iterations were handed out on demand.

Each program, in C or Fortran, measures how long each of its iterations slept, and who executed it.  A list schedule
hands these out, and says by how much the loop would be over earlier.  The report's gain must be that; with LLVM's
library, whose threads may steal, an interval from that to what it is with threads that do; where an order is not known (dynamic and guided by LLVM's library) its upper end is what threads gain that divide the work evenly.  No
other run is compared, so a busy machine is as good as a quiet one.

span_schedule.py FOLDER COMPILER N/M SEED...     the Nth of M parts of the programs
span_schedule.py FOLDER COMPILER                  programs of which it may not say a gain, but for some loops
"""
import csv
import json
import os
import random
import re
import subprocess
import sys

PROGRAM = r'''
#include <omp.h>
#include <stdio.h>
#include <time.h>
enum { N = %(n)d, THREADS = %(threads)d, TIMES = %(times)d };
static const int length[N] = { %(lengths)s };
static double slept[TIMES][N];
static int who[TIMES][N];
static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
static void nap(double *took, int us)
{
	struct timespec t = { 0, us * 1000L };
	double start = now();
	nanosleep(&t, NULL);
	*took = now() - start;
}
int main(void)
{
	for (int k = 0; k < TIMES; k++) {
		#pragma omp parallel for num_threads(THREADS) schedule(%(schedule)s)
		for (int i = 0; i < N; i++) {
			who[k][i] = omp_get_thread_num();
			if (i %% 2) {
				nap(&slept[k][i], length[i]);
				continue;
			}
			nap(&slept[k][i], length[i]);
		}
	}
	for (int k = 0; k < TIMES; k++) {
		for (int i = 0; i < N; i++)
			printf("%%d:%%.9f ", who[k][i], slept[k][i]);
		printf("\n");
	}
	return 0;
}
'''


FORTRAN = r'''
program p
  use iso_c_binding
  use omp_lib
  implicit none
  interface
    integer(c_int) function usleep(us) bind(c)
      import c_int
      integer(c_int), value :: us
    end function
  end interface
  integer, parameter :: n = %(n)d, threads = %(threads)d, times = %(times)d
  integer(c_int) :: length(n) = [ %(lengths)s ], r
  integer :: i, k, who(n, times)
  real(8) :: slept(n, times), start
  do k = 1, times
    !$omp parallel do num_threads(threads) SCHEDULE(%(schedule)s) private(start, r)
    do i = 1, n
      who(i, k) = omp_get_thread_num()
      start = omp_get_wtime(); r = usleep(length(i))
      slept(i, k) = omp_get_wtime() - start
      if (mod(i, 2) == 0) cycle
      slept(i, k) = slept(i, k) + 0 * r
    end do
    !$omp end parallel do
  end do
  do k = 1, times
    print '(*(i0, ":", f0.9, " "))', (who(i, k), slept(i, k), i = 1, n)
  end do
end program
'''
SCHEDULES = ['static', 'static', 'static, 1', 'static, 3', 'dynamic, 4', 'dynamic, 2', 'guided', 'guided, 3']


def even(draw, n):
    return [draw.randrange(2000, 2200)] * n


def growing(draw, n):
    most = draw.randrange(4000, 12000)
    return [500 + most * i // n for i in range(n)]


def exponential(draw, n):
    return [300 + int(draw.expovariate(1 / 3000)) for _ in range(n)]


def heavy_tail(draw, n):
    return [min(200000, int(500 * draw.paretovariate(1.2))) for _ in range(n)]


def two_kinds(draw, n):
    first = draw.randrange(n)
    return [9000 if first <= i < first + n // 6 else 800 for i in range(n)]


def one_long(draw, n):
    long = draw.randrange(n)
    return [30000 if i == long else 1500 for i in range(n)]


GFORTRAN = os.environ.get('GFORTRAN', '').split()  # none: programs in C alone
TRIES = 3  # a thread may lose its processor between two sleeps
KINDS = [even, growing, exponential, heavy_tail, two_kinds, one_long]


def scheduled(lengths, threads):
    """Returns when the last of the threads is free to which iterations are handed out one by one."""
    free = [0.0] * threads
    for length in lengths:
        free[free.index(min(free))] += length
    return max(free)


def stolen(lengths, threads):
    """Returns the same for threads that each have a range of the iterations, and steal from the end of others' (libomp)."""
    if len(lengths) < threads:
        return scheduled(lengths, threads)
    few, more = divmod(len(lengths), threads)
    ends = [r * few + min(r, more) for r in range(threads + 1)]
    left = [list(range(*ends[r:r + 2])) for r in range(threads)]
    whom, is_closed = [(r + 1) % threads for r in range(threads)], [False] * threads
    free, over = [0.0] * threads, 0.0
    while min(free) < float('inf'):
        r = free.index(min(free))
        got = [left[r].pop(0)] if left[r] else []
        is_closed[r] = not got
        tries = 0 if got else threads - 1
        while tries and not got:
            tries -= 1
            v = next((v % threads for v in range(whom[r], whom[r] + threads) if not is_closed[v % threads]), r)
            if v != r and left[v]:
                many = len(left[v]) // 4 if len(left[v]) > 7 else 1
                left[v], left[r], whom[r] = left[v][:-many], left[v][-many:], v
                got = [left[r].pop(0)]
                is_closed[r] = not left[r]
            elif v != r:
                whom[r] = (v + 1) % threads
        over = max(over, free[r])
        free[r] = free[r] + lengths[got[0]] if got else float('inf')
    return over


def limits(iterations, threads, is_in_order, is_llvm):
    """Returns the least and the most that a loop would gain.
    iterations: who executed each one, and how long it took"""
    lengths = [length for _, length in iterations]
    executed = max(sum(length for who, length in iterations if who == r) for r in range(threads))
    if is_in_order:
        ends = [scheduled(lengths, threads)] + [stolen(lengths, threads)] * is_llvm
        gain = max(executed - min(ends), 0)
        return gain - max(ends) + min(ends), gain
    most = max(lengths)
    ideal = executed - max(sum(lengths) / threads, most)
    return ideal - most * (1 - 1 / threads), ideal


def gain_of(report):
    """Returns the gain that the profile has for the loop, and by how much less it may be; in seconds."""
    gains = json.loads(subprocess.run([os.environ['OMPP'], 'report', '--format=json', report + '.ompp'], check=True,
                                      capture_output=True, text=True).stdout)['gains']
    found = [i for i, ns in enumerate(gains['scheduled_gain_ns']) if ns is not None]
    assert len(found) == 1, gains
    return gains['scheduled_gain_ns'][found[0]] / 1e9, gains['schedule_spread_ns'][found[0]] / 1e9


def rows(report):
    """Returns the intervals that the report shows for another schedule; None where it cannot tell."""
    text = subprocess.run([os.environ['OMPP'], 'report', '--view=span', '--format=csv-raw', report + '.ompp'],
                          check=True, capture_output=True, text=True).stdout
    table = re.search('^##BEG what if\n(.*?)^##END', text, re.M | re.S)
    return [(float(r['gain at least']), float(r['at most']))
            for r in (csv.DictReader(table.group(1).splitlines()) if table else [])
            if r['change'].startswith('schedule(dynamic, ')]


def judge(kind, seed, folder, compiler):
    """Returns what is wrong with a program, None for nothing, and how many rows the report has for its loop."""
    draw = random.Random('%s %s' % (kind.__name__, seed))
    threads = draw.randrange(2, 17)
    n = threads * draw.randrange(3, 7) + draw.randrange(threads)
    schedule = draw.choice(SCHEDULES)
    times = draw.randrange(1, 3)
    is_llvm = 'clang' in compiler
    is_fortran = not is_llvm and draw.randrange(2) and bool(GFORTRAN)
    file = os.path.join(folder, '%s%s%s' % (kind.__name__, seed, '.f90' if is_fortran else '.c'))
    name = os.path.splitext(file)[0]
    with open(file, 'w', encoding='ascii') as out:
        out.write((FORTRAN if is_fortran else PROGRAM) % {
            'n': n, 'threads': threads, 'times': times, 'schedule': schedule,
            'lengths': (', &\n' if is_fortran else ', ').join(str(x) for x in kind(draw, n))})
    subprocess.run([os.environ['KINST_PROGRAM'], '--iterations'] + (GFORTRAN if is_fortran else [compiler]) +
                   ['-fopenmp', '-O1', file, '-o', name], check=True)
    env = dict(os.environ, OMPP_WHAT_IF='1', OMPP_QUIET='1', OMPP_REPORTFILE=name + '.report')
    said = subprocess.run([name], check=True, capture_output=True, text=True, env=env).stdout
    slept = [[(int(who), float(x)) for who, x in (pair.split(':') for pair in line.split())]
             for line in said.splitlines()]
    is_in_order = not is_llvm or schedule.startswith('static')
    low, high = (sum(x) for x in zip(*(limits(iterations, threads, is_in_order, is_llvm) for iterations in slept)))
    gain, spread = gain_of(name + '.report')
    error = 0.03 * max(high, 0) + 0.0005 * times + 0.00002 * n * times  # of what threads do around sleeps
    what = '%s, seed %s, %d threads, %s%s' % (kind.__name__, seed, threads, schedule, ', Fortran' * is_fortran)
    print('%s: %.1f to %.1f ms, %.1f - %.1f' % (what, low * 1e3, high * 1e3, gain * 1e3, spread * 1e3), flush=True)
    if abs(gain - high) > error or abs(spread - (high - low)) > error + 0.03 * spread:
        return '%s: %.2f to %.2f ms, and not %.2f - %.2f' % (what, low * 1e3, high * 1e3, gain * 1e3, spread * 1e3), 0
    shown = rows(name + '.report')
    if len(shown) > 1 or any(not least <= high + error or not low <= most + error for least, most in shown):
        return '%s: %.2f to %.2f ms, and the report shows %s' % (what, low * 1e3, high * 1e3, shown), 0
    return None, len(shown)


LOOPS = r'''
#include <time.h>
enum { N = 8, THREADS = 4, TIMES = 3 };
static int sum;
static void nap(int i)
{
	struct timespec t = { 0, i < N / THREADS ? 2000000 : 100000 };
	nanosleep(&t, 0);
}
static void told(void)
{
	#pragma omp for schedule(static)
	for (int i = 0; i < N; i++)
		nap(i);
}
static void without_barrier(void)
{
	#pragma omp for schedule(static) nowait
	for (int i = 0; i < N; i++)
		nap(i);
}
static void cancellable(void)
{
	#pragma omp for schedule(static)
	for (int i = 0; i < N; i++) {
		nap(i);
		#pragma omp cancel for if (i < 0)
	}
}
static void reduced(void)
{
	#pragma omp for schedule(static) reduction(task, +: sum)
	for (int i = 0; i < N; i++)
		nap(i);
}
static void untold(void)
{
	#pragma omp for simd schedule(dynamic)
	for (int i = 0; i < N; i++)
		nap(N);
}
static void in_turn(void)
{
	#pragma omp for ordered schedule(dynamic)
	for (int i = 0; i < N; i++) {
		#pragma omp ordered
		nap(N);
	}
}
static void left_out(void)
{
	#pragma omp for schedule(static)
	for (int i = 0; i < N; i++)
		nap(i);
}
int main(void)
{
	#pragma omp parallel num_threads(THREADS)
	for (int k = 0; k < TIMES; k++) {
		without_barrier();
		#pragma omp barrier
		untold();
		without_barrier();
		in_turn();
		cancellable();
		left_out();
		untold();
		reduced();
		in_turn();
		without_barrier();
		told();
	}
	return 0;
}
'''

TASKS = r'''
#include <time.h>
int main(void)
{
	#pragma omp parallel num_threads(2)
	#pragma omp single
	{
		#pragma omp taskloop grainsize(1) if(%s)
		for (int i = 0; i < 400; i++) {
			struct timespec t = { 0, 50000 };
			nanosleep(&t, 0);
		}
	}
	return 0;
}
'''


def run(name, source, folder, compiler, **env):
    """Returns the profile and the remarks of a program."""
    name = os.path.join(folder, name)
    with open(name + '.c', 'w', encoding='ascii') as out:
        out.write(source)
    subprocess.run([os.environ['KINST_PROGRAM'], '--iterations', compiler, '-fopenmp', '-O1', name + '.c', '-o', name],
                   check=True)
    env = dict(os.environ, OMPP_WHAT_IF='1', OMPP_QUIET='1', OMPP_REPORTFILE=name + '.report', **env)
    subprocess.run([name], check=True, env=env)
    profile, text = (subprocess.run([os.environ['OMPP'], 'report', how, name + '.report.ompp'], check=True,
                                    capture_output=True, text=True).stdout for how in ('--format=json', '--view=span'))
    return json.loads(profile), text


def scheduled_at(profile):
    """Returns the lines with what another schedule, or larger tasks, gain in seconds."""
    gains, lines = profile['gains'], profile['regions']['begin_line']
    return {lines[r]: ns / 1e9 for r, ns in zip(gains['region'], gains['scheduled_gain_ns']) if ns}


def line_of(function):
    """Returns the line of a loop's pragma."""
    return LOOPS.split('\n').index('static void %s(void)' % function) + 3


def judge_others(folder, compiler):
    """Returns what is said that is not so, of programs that do not tell all of their loops."""
    said = []
    for filtered, told in [(None, {'told', 'left_out'}), ('left_out', {'told'})]:
        env = {'OMPP_FILTER': 'loops.c:%d' % line_of(filtered)} if filtered else {}
        found = scheduled_at(run('loops', LOOPS, folder, compiler, **env)[0])
        if set(found) != {line_of(f) for f in told} or found[line_of('told')] < 0.006:
            said.append('loops, without %s: %s' % (filtered, found))
    alone = scheduled_at(run('tasks', TASKS % '1', folder, compiler)[0])
    if ('clang' not in compiler) != any(gain > 0.005 for gain in alone.values()):
        said.append('tasks that one thread executes: %s' % alone)
    undeferred = scheduled_at(run('tasks', TASKS % '0', folder, compiler)[0])
    if undeferred:
        said.append('undeferred tasks: %s' % undeferred)
    loops = ''.join('#pragma omp parallel for num_threads(2)\nfor (int i = 0; i < 8; i++) nap();\n' for _ in range(9))
    text = run('nine', '#include <time.h>\nstatic void nap(void) { struct timespec t = { 0, 100000 }; nanosleep(&t, 0); }\n'
               'int main(void) { for (int k = 0; k < 5; k++) {\n%s} return 0; }\n' % loops, folder, compiler)[1]
    if '1 further change had no room' not in ' '.join(text.split()):
        said.append('nine loops: ' + text)
    return said


def main():
    folder, compiler = sys.argv[1:3]
    if not sys.argv[3:]:
        said = judge_others(folder, compiler)
        print('\n'.join(said))
        sys.exit(bool(said))
    part, seeds = sys.argv[3], sys.argv[4:]
    k, n = (int(x) for x in part.split('/'))
    bad, n_shown = 0, 0
    for kind, seed in [(kind, seed) for seed in seeds for kind in KINDS][k - 1::n]:
        for _ in range(TRIES):
            said, n_rows = judge(kind, seed, folder, compiler)
            n_shown += n_rows
            if not said:
                break
        if said:
            print('%s, %s' % (compiler, said))
        bad += bool(said)
    if not n_shown:
        print('%s: no report shows what another schedule would gain' % compiler)
    sys.exit(bool(bad) or not n_shown)


main()
