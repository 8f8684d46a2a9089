#!/usr/bin/env python3
"""Programs whose threads sleep, and say when they slept and when they were in a team: how many threads worked, waited,
or were in no team at each time follows by arithmetic, beside what the course of the profile says.

Sleeping stands for work.  Everything else in a team waits: for a barrier, a critical region, a single, a lock, a task.

course.py FOLDER COMPILER SEED...
"""
import json
import os
import random
import subprocess
import sys

THREADS = 8
PARTS = 40

HEAD = r'''
#include <omp.h>
#include <stdio.h>
#include <time.h>
enum { N = 4096 };
static long begin[N], end[N];
static int n;
static long now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}
static void nap(int ms)
{
	struct timespec t = { 0, ms * 1000000L };
	int at = __atomic_fetch_add(&n, 1, __ATOMIC_RELAXED);
	begin[at] = now();
	nanosleep(&t, NULL);
	end[at] = now();
}
static long opened;
static void team_begins(void) { opened = now(); }
static void team_ends(void) { printf("team %ld %ld\n", opened, now()); }
'''


def serial(r):
    return '\tnap(%d);\n' % r.randint(20, 120)


def team(body):
    return '\tteam_begins();\n\t#pragma omp parallel num_threads(%d)\n\t{\n%s\t}\n\tteam_ends();\n' % (THREADS, body)


def uneven(r):
    naps = ', '.join(str(r.randint(5, 90)) for _ in range(THREADS))
    return team('\t\tstatic const int ms[] = { %s };\n\t\tnap(ms[omp_get_thread_num()]);\n'
                '\t\t#pragma omp barrier\n\t\tnap(%d);\n' % (naps, r.randint(5, 40)))


def critical(r):
    return team('\t\t#pragma omp critical\n\t\tnap(%d);\n' % r.randint(5, 15))


def single(r):
    return team('\t\tnap(%d);\n\t\t#pragma omp single\n\t\tnap(%d);\n\t\tnap(%d);\n' %
                (r.randint(5, 40), r.randint(40, 120), r.randint(5, 40)))


def tasks(r):
    return team('\t\t#pragma omp single\n\t\t{\n\t\t\tfor (int i = 0; i < %d; i++)\n\t\t\t\t#pragma omp task\n'
                '\t\t\t\tnap(%d);\n\t\t\t#pragma omp taskwait\n\t\t\tnap(%d);\n\t\t}\n' %
                (r.randint(3, 20), r.randint(10, 40), r.randint(10, 40)))


def loop(r):
    return team('\t\t#pragma omp for schedule(static)\n\t\tfor (int i = 0; i < %d; i++)\n\t\t\tnap(%d);\n' %
                (r.randint(3, 24), r.randint(10, 40)))


def program(seed):
    """Returns the text of a program of some phases."""
    r = random.Random(seed)
    phases = [uneven, critical, single, tasks, loop]
    r.shuffle(phases)
    body = ''.join(serial(r) + phase(r) for phase in phases) + serial(r)
    return HEAD + 'int main(void)\n{\n' + body + \
        '\tfor (int i = 0; i < n; i++)\n\t\tprintf("nap %ld %ld\\n", begin[i], end[i]);\n\treturn 0;\n}\n'


def add(parts, start, length, begin, end, weight):
    """Adds an interval to parts of a length, the first of which begins at start."""
    for i in range(PARTS):
        lo, hi = start + i * length, start + (i + 1) * length
        parts[i] += weight * max(0, min(hi, end) - max(lo, begin))


def model(lines, start, length):
    """Returns the time of all threads at work, waiting, and in no team, by part."""
    naps = [tuple(map(int, x.split()[1:])) for x in lines if x.startswith('nap')]
    teams = [tuple(map(int, x.split()[1:])) for x in lines if x.startswith('team')]
    work, wait, idle = [0] * PARTS, [0] * PARTS, [0] * PARTS
    for begin, end in naps:
        add(work, start, length, begin, end, 1)
        if any(b <= begin and end <= e for b, e in teams):
            add(wait, start, length, begin, end, -1)
    for begin, end in teams:
        add(wait, start, length, begin, end, THREADS)
        add(idle, start, length, begin, end, 1 - THREADS)
    add(idle, start, length, teams[0][0], start + PARTS * length, THREADS - 1)
    return work, wait, idle


def measured(profile, length):
    course, slice_ns = profile['course'], int(profile['run']['course_slice_ns'])
    sums = [[0] * PARTS for _ in range(3)]
    for i, number in enumerate(course['slice']):
        begin = number * slice_ns
        for sums_of, columns in zip(sums, (('work_ns',), ('wait_ns', 'manage_ns'), ('idle_ns',))):
            ns = sum(course[c][i] for c in columns)
            add(sums_of, 0, length, begin, begin + slice_ns, ns / slice_ns)
    return sums


def wrong(lines, profile, share):
    """Returns what differs from the model by more than a share of the time of all threads; None when nothing does."""
    run = profile['run']
    length = int(run['duration_ns']) / PARTS
    want = model(lines, int(run['start_unix_ns']), length)
    have = measured(profile, length)
    for name, a, b in zip(('work', 'waiting', 'no team'), have, want):
        off = sum(abs(x - y) for x, y in zip(a, b)) / (int(run['duration_ns']) * THREADS)
        print('%s: %.2f %% of the time' % (name, 100 * off))
        if off > share:
            return '%s: %.1f %% of the time in the wrong part: %s, not %s' % (
                name, 100 * off, [round(x / 1e6) for x in a], [round(x / 1e6) for x in b])
    return None


def one(folder, compiler, seed):
    name = 'p%d' % seed
    with open(os.path.join(folder, name + '.c'), 'w') as f:
        f.write(program(seed))
    subprocess.run(['kinst', compiler, '-O1', '-fopenmp', name + '.c', '-o', name], cwd=folder, check=True)
    env = dict(os.environ, OMP_NUM_THREADS=str(THREADS), OMP_WAIT_POLICY='passive', OMPP_QUIET='1',
               OMPP_REPORTFILE=name + '.txt', OMPP_VIEW='course')
    for _ in range(3):
        lines = subprocess.run(['./' + name], cwd=folder, env=env, check=True, capture_output=True,
                               text=True).stdout.splitlines()
        out = subprocess.run([os.environ['OMPP'], 'report', '--format=json', name + '.txt.ompp'], cwd=folder, check=True,
                             capture_output=True, text=True).stdout
        bad = wrong(lines, json.loads(out), 0.02)
        if not bad:
            return None
    return bad


def main():
    folder, compiler = sys.argv[1:3]
    failed = 0
    for seed in map(int, sys.argv[3:]):
        bad = one(folder, compiler, seed)
        if bad:
            print('seed %d: %s' % (seed, bad))
            failed = 1
    return failed


if __name__ == '__main__':
    sys.exit(main())
