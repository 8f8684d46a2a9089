#!/usr/bin/env python3
"""Programs whose tasks, iterations and members of teams sleep: work and span by arithmetic, beside what is measured.

Each sleep is timed by the program itself, so a busy machine makes sleeps longer and the expectation with them.  A model
of each program, which knows nothing of how it ran, adds these times up: work is the sum, span the longest chain.

span.py FOLDER COMPILER SEED...
"""
import json
import os
import random
import subprocess
import sys

HEAD = r'''
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
enum { N = 512 };
static long slept[N];
static int us[N];
static long now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}
static void nap(int i)
{
	long start = now();
	struct timespec t = { 0, us[i] * 1000L };
	nanosleep(&t, NULL);
	slept[i] += now() - start;
}
static void start(void)
{
	srand(atoi(getenv("SEED")));
	for (int i = 0; i < N; i++)
		us[i] = 1000 + rand() % 6000;
}
static void report(void)
{
	for (int i = 0; i < N; i++)
		if (slept[i])
			printf("%d %ld\n", i, slept[i]);
}
'''

ONCE = '''
int main(void)
{
	start();
	#pragma omp parallel num_threads(4)
	#pragma omp single
	{
%s
	}
	report();
}
'''

def total(d, ids):
    return sum(d[i] for i in ids)

# Each program: the text, and the model, which returns the span of the first parallel region, and a lower bound of it.
PROGRAMS = {}

def program(name, text, model):
    PROGRAMS[name] = (text, model)

program('fork-join', ONCE % '''
		for (int i = 0; i < 12; i++)
			#pragma omp task
			nap(i);
		nap(20);
		#pragma omp taskwait
		nap(21);
		for (int i = 0; i < 5; i++)
			#pragma omp task
			nap(30 + i);
		#pragma omp taskwait
''', lambda d: max(max(d[i] for i in range(12)), d[20]) + d[21] + max(d[30 + i] for i in range(5)))

def tree(d, i, depth):
    """nap(i); two children, of which the second one is awaited, too; nap(i + 256)"""
    if not depth:
        return d[i]
    return d[i] + max(tree(d, 2 * i, depth - 1), tree(d, 2 * i + 1, depth - 1)) + d[i + 256]

program('recursion', '''
static void tree(int i, int depth)
{
	nap(i);
	if (!depth)
		return;
	#pragma omp task
	tree(2 * i, depth - 1);
	#pragma omp task
	tree(2 * i + 1, depth - 1);
	#pragma omp taskwait
	nap(i + 256);
}
''' + ONCE % '		tree(1, 4);', lambda d: tree(d, 1, 4))

def loose(d, i, depth):
    """nap(i) and a child that is not awaited, beside nap(i + 100)"""
    return d[i] + max(d[i + 100], loose(d, i + 1, depth - 1) if depth else 0)

LOOSE = '''
static void loose(int i, int depth)
{
	nap(i);
	if (depth)
		#pragma omp task
		loose(i + 1, depth - 1);
	nap(i + 100);
}
'''
program('taskgroup', LOOSE + ONCE % '''
		#pragma omp task
		nap(50);
		#pragma omp taskgroup
		{
			#pragma omp task
			loose(1, 6);
			nap(51);
		}
		nap(52);
''', lambda d: max(d[50], max(loose(d, 1, 6), d[51]) + d[52]))

program('barrier', LOOSE + '''
int main(void)
{
	start();
	#pragma omp parallel num_threads(3)
	{
		#pragma omp single nowait
		{
			#pragma omp task
			loose(1, 5);
		}
		#pragma omp master
		nap(60);
		#pragma omp barrier
		#pragma omp master
		nap(61);
	}
	report();
}
''', lambda d: max(loose(d, 1, 5), d[60]) + d[61])

def pipeline(d):
    end = {}
    for i in range(5):
        for k in range(4):
            end[i, k] = max(end.get((i - 1, k), 0), end.get((i, k - 1), 0)) + d[10 * i + k]
    return end[4, 3]

program('pipeline', 'static int stage[4], item[5];' + ONCE % '''
		for (int i = 0; i < 5; i++)
			for (int k = 0; k < 4; k++)
				#pragma omp task depend(inout: stage[k], item[i])
				nap(10 * i + k);
''', pipeline)

program('wavefront', 'static int a[6][6];' + ONCE % '''
		for (int i = 1; i < 6; i++)
			for (int j = 1; j < 6; j++)
				#pragma omp task depend(in: a[i - 1][j], a[i][j - 1:1]) depend(out: a[i][j])
				nap(10 * i + j);
''', lambda d: wavefront(d))

def wavefront(d):
    end = {}
    for i in range(1, 6):
        for j in range(1, 6):
            end[i, j] = max(end.get((i - 1, j), 0), end.get((i, j - 1), 0)) + d[10 * i + j]
    return end[5, 5]

program('iterators', 'static int a[5], two = 2;' + ONCE % '''
		for (int i = 0; i < 5; i++)
			#pragma omp task depend(out: a[i])
			nap(10 + i);
		#pragma omp task depend(iterator(i = 1 : 4), in: a[i])
		nap(20);
		#pragma omp task depend(iterator(long k = 2 * two : 0 : -two), inout: a[k])
		nap(21);
		#pragma omp task depend(iterator(i = 0 : 1, unsigned char j = 3 : 5), in: a[i + j])
		nap(22);
''', lambda d: iterators(d))

def iterators(d):
    first = max(d[11], d[12], d[13]) + d[20]
    second = max(d[14], first) + d[21]
    return max(d[10], max(d[13], second) + d[22])

program('readers', 'static int x;' + ONCE % '''
		#pragma omp task depend(out: x)
		nap(1);
		for (int i = 0; i < 4; i++)
			#pragma omp task depend(in: x)
			nap(10 + i);
		#pragma omp task depend(inout: x)
		nap(2);
		#pragma omp task
		nap(3);
		#pragma omp taskwait
		nap(4);
''', lambda d: max(d[1] + max(d[10 + i] for i in range(4)) + d[2], d[3]) + d[4])

program('taskloop', ONCE % '''
		#pragma omp taskloop grainsize(3)
		for (int i = 0; i < 12; i++)
			nap(i);
		nap(20);
		#pragma omp taskloop num_tasks(4) nogroup
		for (int i = 0; i < 8; i++)
			nap(30 + i);
		nap(21);
		#pragma omp taskwait
		nap(22);
''', lambda d: max(total(d, range(3 * i, 3 * i + 3)) for i in range(4)) + d[20] +
        max(d[21], max(total(d, (30 + 2 * i, 31 + 2 * i)) for i in range(4))) + d[22])

program('undeferred', ONCE % '''
		#pragma omp task if(us[0] < 0)
		{
			nap(1);
			#pragma omp task
			nap(2);
			#pragma omp taskwait
		}
		#pragma omp task final(us[0] > 0)
		{
			#pragma omp task
			nap(3);
			#pragma omp task
			nap(4);
		}
		#pragma omp task
		nap(5);
''', lambda d: d[1] + d[2] + max(d[3] + d[4], d[5]))

program('nested', '''
int main(void)
{
	start();
	omp_set_max_active_levels(2);
	#pragma omp parallel num_threads(2)
	{
		int r = omp_get_thread_num();
		nap(10 * r);
		#pragma omp parallel num_threads(3)
		{
			nap(10 * r + 1 + omp_get_thread_num());
			#pragma omp barrier
			nap(10 * r + 4 + omp_get_thread_num());
		}
		nap(10 * r + 7);
	}
	report();
}
''', lambda d: max(d[10 * r] + max(d[10 * r + 1 + i] for i in range(3)) + max(d[10 * r + 4 + i] for i in range(3)) +
                   d[10 * r + 7] for r in range(2)))

# Of loops the shares of threads are known; an iteration alone is a lower bound, which the span without loops must not be
# above.
program('loop', '''
int main(void)
{
	start();
	#pragma omp parallel num_threads(4)
	{
		#pragma omp for schedule(static)
		for (int i = 0; i < 16; i++)
			nap(i);
		#pragma omp single
		nap(20);
		#pragma omp for schedule(static, 1)
		for (int i = 0; i < 8; i++)
			nap(30 + i);
	}
	report();
}
''', lambda d: (max(total(d, range(4 * i, 4 * i + 4)) for i in range(4)) + d[20] +
                max(total(d, (30 + i, 34 + i)) for i in range(4)),
                max(d[i] for i in range(16)) + d[20] + max(d[30 + i] for i in range(8))))

program('sections', '''
int main(void)
{
	start();
	#pragma omp parallel num_threads(3)
	{
		#pragma omp sections
		{
			#pragma omp section
			nap(1);
			#pragma omp section
			nap(2);
			#pragma omp section
			nap(3);
		}
		#pragma omp critical
		nap(10 + omp_get_thread_num());
	}
	report();
}
''', None)


def measure(name, seed, folder):
    """Runs a program.  Returns its own times, and the profile."""
    env = dict(os.environ, SEED=str(seed), OMPP_SPAN='1', OMPP_QUIET='1', OMPP_REPORTFILE='out.txt', OMPP_VIEW='span')
    out = subprocess.run(['./' + name], cwd=folder, env=env, check=True, capture_output=True, text=True).stdout
    times = {int(line.split()[0]): int(line.split()[1]) for line in out.splitlines()}
    profile = subprocess.run([os.environ['OMPP'], 'report', '--format=json', 'out.txt.ompp'], cwd=folder, check=True,
                             capture_output=True, text=True).stdout
    return times, json.loads(profile)


def outermost(profile):
    """Returns the row of the parallel region that encloses all others."""
    spans, paths = profile['spans'], profile['paths']
    rows = [i for i, path in enumerate(spans['path']) if spans['executions'][i] and paths['parent'][path] == 0]
    return {column: spans[column][rows[0]] for column in spans}


def contradiction(profile):
    """Returns what no thread that loses its processor explains: counts, and sums that do not add up; None for nothing."""
    run, spans = profile['run'], profile['spans']
    on_path = sum(spans['on_span_ns']) + run['span_other_ns']
    if abs(on_path - run['span_ns']) > 1000:
        return 'the places of the longest path add up to %d ns, not %d' % (on_path, run['span_ns'])
    if abs(sum(spans['work_ns']) - run['work_ns']) > 1000:
        return 'the work of call paths does not add up'
    if run['tasks_off_path'] or run['dependences_unseen']:
        return 'tasks or dependences were not seen'
    return None


def wrong(name, times, profile, share):
    """Returns what differs from the model by more than a share; None when nothing does."""
    model = PROGRAMS[name][1]
    row = outermost(profile)
    work = sum(times.values())

    def differs(what, have, want):
        return None if abs(have - want) <= share * want + 300000 else '%s: %.3f ms, not %.3f' % (
            what, have / 1e6, want / 1e6)

    bad = differs('work', row['inner_work_ns'], work)
    if model and not bad:
        span = model(times)
        least = span
        if isinstance(span, tuple):
            span, least = span
        bad = differs('span', row['span_ns'], span)
        if not bad and row['span_without_loops_ns'] > least * (1 + share) + 300000:
            bad = 'span without loops is above the true one'
        if not bad and row['burdened_span_ns'] < row['span_ns']:
            bad = 'the burdened span is below the span'
    run = profile['run']
    if not bad and run['span_ns'] > run['duration_ns']:
        bad = 'the span is longer than the run'
    return bad


def main():
    folder, compiler, seeds = sys.argv[1], sys.argv[2], sys.argv[3:]
    share, bad = 0.03, 0
    version = subprocess.run([compiler, '--version'], check=True, capture_output=True, text=True).stdout
    for name, (text, _) in PROGRAMS.items():
        if name == 'iterators' and 'clang' in version:
            continue  # Clang 14's end with an assertion of LLVM's library, without kinst, too
        with open(os.path.join(folder, name + '.c'), 'w', encoding='ascii') as out:
            out.write('#include <omp.h>\n' + HEAD + text)
        subprocess.run([os.environ['KINST_PROGRAM'], compiler, '-fopenmp', '-O1', name + '.c', '-o', name],
                       cwd=folder, check=True)
        for seed in seeds:
            for _ in range(20):  # a thread that loses its processor outside of a sleep is no fault
                times, profile = measure(name, seed, folder)
                said = contradiction(profile)
                if said:
                    break
                said = wrong(name, times, profile, share)
                if not said:
                    break
            if said:
                print('%s, %s, seed %s: %s' % (compiler, name, seed, said))
                bad += 1
    sys.exit(bad != 0)


main()
