# one_line: constructs of one kind on one line are regions of their own, in C and in C++, and each is counted
. "$srcdir/tests/lib.sh"
need python3

cat >lines.c <<'END'
#define FOR _Pragma("omp parallel for")
int a[100];
void work(int n)
{
	FOR for (int i = 0; i < 100; i++) a[i]++; for (int k = 0; k < n; k++) { FOR for (int i = 0; i < 100; i++) a[i] += 2; }
	_Pragma("omp parallel") { _Pragma("omp critical") a[0]++; _Pragma("omp critical") a[0]++; }
}
int main(void)
{
	work(7);
	return 0;
}
END
cat >judge.py <<'END'
import glob, json, subprocess, sys

profile = json.loads(subprocess.run(["ompp", "report", "--format=json", *glob.glob(sys.argv[1] + "/*.ompp")],
                                    check=True, capture_output=True).stdout)
regions, paths = profile["regions"], profile["paths"]
loops = {}
for region, kind, line, name in zip(*(regions[k] for k in ("number", "construct", "begin_line", "name"))):
    print(region, kind, line, name)
    if kind == "PARALLEL LOOP":
        loops[name] = line
assert loops == {"": 5, "#2": 5}, loops
assert sum(kind == "CRITICAL" for kind in regions["construct"]) == 1
END
cp lines.c lines.cc
kinst $CC -fopenmp lines.c -o c && kinst $GXX -fopenmp lines.cc -o cc || fail 'kinst'
for program in c cc; do
	OMPP_OUTDIR=out.$program OMP_NUM_THREADS=2 ./$program || fail "$program"
	python3 judge.py out.$program || fail "$program: regions"
	ompp report --view=flat --region=lines.$program out.$program/*.ompp >flat.$program
	awk '/ \(#2\) PARALLEL LOOP/ { n = 1 } n && $1 == "SUM" { exit $3 != 14 } ' flat.$program || fail "$program: $(cat flat.$program)"
	grep -q ' (#2) PARALLEL LOOP' flat.$program || fail "$program: $(cat flat.$program)"
done
