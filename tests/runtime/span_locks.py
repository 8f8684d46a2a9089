#!/usr/bin/env python3
"""Programs whose threads sleep in critical sections, while they hold locks, and in ordered regions: what the run would gain
without waiting for these, by arithmetic from the sleeps as the programs measured them, beside what the profile says.

span_locks.py FOLDER COMPILER SEED...
"""
import json
import os
import re
import subprocess
import sys

THREADS, TURNS = 3, 4

HEAD = r'''
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
enum { THREADS = 3, TURNS = 4 };
static long inside[THREADS], outside[THREADS];
static omp_lock_t lock;
static omp_nest_lock_t nest;
static long now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}
static void nap(long *sum, int us)
{
	long start = now();
	struct timespec t = { 0, us * 1000L };
	nanosleep(&t, NULL);
	sum[omp_get_thread_num()] += now() - start;
}
static int us(int least)
{
	static unsigned int seed;
	unsigned int i = __atomic_fetch_add(&seed, 1, __ATOMIC_RELAXED) + (unsigned int)atoi(getenv("SEED")) * 131;
	return least + (int)(i * 2654435761u >> 8) %% 3000;
}
int main(void)
{
	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
	#pragma omp parallel num_threads(THREADS)
	{
%s
	}
	for (int i = 0; i < THREADS; i++)
		printf("%%ld %%ld\n", inside[i], outside[i]);
	return 0;
}
'''

EACH = '''		for (int i = 0; i < TURNS; i++) {
%s
		}
'''

# Those of one name are one lock; what the first thread does beside it hides what the other two wait.
WAYS = {
    'CRITICAL': '''			#pragma omp critical
			nap(inside, us(2000));''',
    'CRITICAL ': '''			if (i & 1) {
				#pragma omp critical(one)
				nap(inside, us(2000));
			} else {
				#pragma omp critical(one)
				nap(inside, us(2000));
			}''',
    'LOCK': '''			omp_set_lock(&lock);
			nap(inside, us(2000));
			omp_unset_lock(&lock);''',
    'NEST LOCK': '''			omp_set_nest_lock(&nest);
			omp_set_nest_lock(&nest);
			nap(inside, us(2000));
			omp_unset_nest_lock(&nest);
			omp_unset_nest_lock(&nest);''',
}

ORDERED = '''		#pragma omp for ordered schedule(static, 1)
		for (int i = 0; i < THREADS * TURNS; i++)
			#pragma omp ordered
			nap(inside, us(2000));
'''

HIDDEN = '''		if (!omp_get_thread_num()) {
			nap(outside, 150000);
		} else {
%s
		}
'''

# Two wait for each other, and then for the first one, which comes first and has most to do.
HARMLESS = '''		if (omp_get_thread_num())
			nap(outside, 8000);
		#pragma omp critical
		nap(inside, us(2000));
		if (!omp_get_thread_num())
			nap(outside, 60000);
		#pragma omp barrier
		nap(outside, 2000);
'''


def all_inside(times):
    """Without waiting the run would take as long as the thread that is inside for longest."""
    inside = [i for i, _ in times]
    return sum(inside) - max(i + o for i, o in times)


def hidden(times):
    """The first thread works beside the others, mostly for longer than these take in turn."""
    outside = times[0][1]
    inside = [i for i, _ in times[1:]]
    return max(outside, sum(inside)) - max(outside, *inside)


def nothing(_):
    return 0


PROGRAMS = {'path_' + name.replace(' ', '_'): (EACH % text, name.strip(), all_inside) for name, text in WAYS.items()}
PROGRAMS.update({'hidden_' + name.replace(' ', '_'): (HIDDEN % (EACH % text), name.strip(), hidden)
                 for name, text in WAYS.items()})
PROGRAMS['path_ordered'] = (ORDERED, 'ORDERED', all_inside)
PROGRAMS['harmless'] = (HARMLESS, 'CRITICAL', nothing)


def measure(name, seed, folder):
    """Runs a program.  Returns its times by thread, the profile, and the report."""
    env = dict(os.environ, SEED=str(seed), OMPP_SPAN='1', OMPP_QUIET='1', OMPP_REPORTFILE='out.txt')
    out = subprocess.run(['./' + name], cwd=folder, env=env, check=True, capture_output=True, text=True).stdout
    times = [tuple(int(x) for x in line.split()) for line in out.splitlines()]
    profile = subprocess.run([os.environ['OMPP'], 'report', '--format=json', 'out.txt.ompp'], cwd=folder, check=True,
                             capture_output=True, text=True).stdout
    with open(os.path.join(folder, 'out.txt'), encoding='utf-8') as report:
        return times, json.loads(profile), ' '.join(report.read().split())


def is_unexplained(run):
    """Is what threads waited for processors, and what is not seen, half of the run?  Then the finding has no gain."""
    return run['duration_ns'] - run['executed_ns'] + run['queued_ns'] / THREADS > 0.45 * run['duration_ns']


def wrong(name, times, profile, report):
    """Returns what differs from the model by more than 3 % and 0.5 ms; None when nothing does."""
    _, construct, model = PROGRAMS[name]
    gains, regions = profile['gains'], profile['regions']
    found = [gains['unlocked_gain_ns'][i] for i, r in enumerate(gains['region'])
             if r is not None and regions['construct'][r] == construct]
    want = model(times)
    if not found:
        return 'no gain of ' + construct
    if any(abs(gain - want) > 0.03 * want + 500000 for gain in found):
        return 'gains %s ms, not %.3f' % ([gain / 1e6 for gain in found], want / 1e6)
    said = re.search('On the longest path: without it the run would be|It is hardly on the longest path', report)
    if not said and is_unexplained(profile['run']):
        return None
    if 0 < want < 0.1 * profile['run']['duration_ns']:
        return None
    if not said or said.group(0).startswith('On') != (want > 0):
        return 'the finding says %s' % (said and said.group(0))
    return None


def main():
    folder, compiler, seeds = sys.argv[1], sys.argv[2], sys.argv[3:]
    bad = 0
    for name, (text, _, _) in PROGRAMS.items():
        with open(os.path.join(folder, name + '.c'), 'w', encoding='ascii') as out:
            out.write(HEAD % text)
        subprocess.run([os.environ['KINST_PROGRAM'], compiler, '-fopenmp', '-O1', name + '.c', '-o', name],
                       cwd=folder, check=True)
        for seed in seeds:
            for _ in range(5):  # a thread that loses its processor outside of a sleep is no fault
                said = wrong(name, *measure(name, seed, folder))
                if not said:
                    break
            if said:
                print('%s, %s, seed %s: %s' % (compiler, name, seed, said))
                bad += 1
    sys.exit(bad != 0)


main()
