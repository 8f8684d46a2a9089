# record_long: recordings of programs whose threads come and go, and of many columns: what is gone takes no room, and what reads
# them takes time by their length
. "$srcdir/tests/lib.sh"
need python3

# The columns of threads that have ended leave the recording; those that live stay.
cat >churn.c <<'C'
#include <pthread.h>
#include <unistd.h>
static void *brief(void *p)
{
	usleep(3000);
	return p;
}
static void *stays(void *p)
{
	for (;;)
		usleep(1000);
	return p;
}
int main(void)
{
	pthread_t x[10], other;

	if (pthread_create(&other, 0, stays, 0))
		return 1;
	for (int r = 0; r < 300; r++) {
		for (int i = 0; i < 10; i++)
			if (pthread_create(x + i, 0, brief, 0))
				return 1;
		for (int i = 0; i < 10; i++)
			pthread_join(x[i], 0);
	}
	return 0;
}
C
$CC -O1 -pthread churn.c -o churn || fail churn.c
ompp record -o churn.jsonl --interval=20ms -e 'task:run@*' -- ./churn || fail "churn: status $?"
python3 - churn.jsonl <<'END' || fail 'churn.jsonl'
import json, sys
seen, most, last, kept = set(), 0, [], None
for line in open(sys.argv[1]):
    d = json.loads(line)
    if 'columns' in d:
        last = [c[2] for c in d['columns'] if c[2]]
        seen |= set(last)
        most = max(most, len(last))
        kept = set(last) if kept is None else kept & set(last)
print(len(seen), 'threads seen,', most, 'columns at most')
assert len(seen) > 200, 'too few threads were seen'
assert most <= 8 * 20 + 20, 'columns of threads that have ended stay'
assert kept, 'the threads that live have no column'
END

# What is printed of a recording is what is in it, and the time grows with its length alone, not with the square.
cat >long.py <<'END'
import csv, json, resource, subprocess, sys

def write(path, n):
    """Half of the columns are others at the second heading, and the value of a column is its number."""
    with open(path, 'w') as f:
        f.write('{"ompp":"recording","version":1,"start_unix_ns":1,"interval_ns":1000000,"program":null}\n')
        for sensor in ('task', 'other'):
            f.write('{"sensor":"%s","of":"thread","events":[{"name":"run","unit":"s","kind":"gauge","scale":1,"what":""}]}\n'
                    % sensor)
        for g in range(2):
            numbers = [i + g * (n // 2) for i in range(n)]
            f.write(json.dumps({'columns': [['task' if i % 2 else 'other', 'run', str(i)] for i in numbers]}) + '\n')
            for k in range(3):
                f.write('{"t":%d,"dt":[1000000,1000000],"v":%s}\n' % ((g * 3 + k + 1) * 1000000, numbers))
        f.write('{"end":true,"t":9000000}\n')

def check(path, n):
    rows = list(csv.reader(subprocess.run(['ompp', 'export', path], stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()))
    assert len(rows) == 7 and len(rows[0]) == 2 + n + n // 2, (len(rows), len(rows[0]))
    names = [int(name.split('@')[1].split()[0]) for name in rows[0][2:]]
    for i, row in enumerate(rows[1:]):
        there = range(n) if i < 3 else range(n // 2, n + n // 2)
        assert all(v == (str(c) if c in there else '-') for c, v in zip(names, row[2:])), row[:9]

def seconds(*command):
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime - before.ru_utime)
    return min(times)

few, many = 4000, 32000
write('few.jsonl', few)
write('many.jsonl', many)
check('few.jsonl', few)
for what in (['export'], ['export', '--form=numascope'], ['export', '--form=jsonl'], ['stat'], ['stat', '-e', 'task,other,*']):
    short, long = seconds('ompp', *what, 'few.jsonl'), seconds('ompp', *what, 'many.jsonl')
    print(*what, 'few %.3f s, many %.3f s' % (short, long))
    assert long < 3 * (many / few) * (short + 0.01), what  # by the square it would be 64 times as long
END
retry 3 python3 long.py || fail 'a long recording'
