# faults: a run without samples of memory says how many page faults its serial part has, and the command that it names
# for more tells the line
. "$srcdir/tests/lib.sh"
need python3

cat >touch.c <<'END_OF_SOURCE'
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, PAGES = 100000 };

int main(int argc, char **argv)
{
	char *block = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long sum = 0;

	(void)argv;
	madvise(block, (size_t)PAGES * PAGE, MADV_NOHUGEPAGE);
	for (long i = 0; argc < 2 && i < PAGES; i++)
		((volatile char *)block)[i * PAGE] = 1; /* planted */
#pragma omp parallel for reduction(+ : sum)
	for (long i = 0; i < 100; i++)
		sum += i;
	return sum != 4950;
}
END_OF_SOURCE
cat >judge.py <<'END'
import glob, json, os, subprocess, sys

PAGES, PAGE = 100000, 4096


def measure(*words):
    subprocess.run(["ompp", "run", "--quiet=1", "--outdir=out", *words], check=True, stdout=subprocess.DEVNULL)
    report = ["ompp", "report", "--format=json", *glob.glob("out/*.ompp")]
    profile = json.loads(subprocess.run(report, check=True, capture_output=True).stdout)
    for path in glob.glob("out/*"):
        os.remove(path)
    serial = [f for f in profile["findings"]["list"] if f["name"] == "SerialPart"]
    return profile["run"], serial[0] if serial else None


line = next(i for i, text in enumerate(open("touch.c"), 1) if "planted" in text)
few, _ = measure("./touch", "none")
run, serial = measure("./touch")
print(few["page_faults"], run["page_faults"], run["peak_bytes"], serial)
assert PAGES <= run["page_faults"] - few["page_faults"] < PAGES + PAGES // 100
assert PAGES * PAGE <= run["peak_bytes"] - few["peak_bytes"] < PAGES * PAGE * 1.01
if run["duration_ns"] < 100000000:
    sys.exit(77)  # nothing is found in a run that short
assert "ompp run --sample=touch" in serial["advice"]
sampled, serial = measure("--sample=touch", "./touch")
if not sampled["has_first_touches"]:
    sys.exit(77)
print(serial)
assert f"first what touches memory at touch.c:{line}," in serial["advice"]
END
kinst $CC -O1 -g -fopenmp touch.c -o touch || fail 'kinst'
OMP_NUM_THREADS=2 python3 judge.py
