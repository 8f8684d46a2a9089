# hot: the kernel's clock finds the functions that take the processor time, in the region and the thread in which they do, also
# before the first event and after the last; what they take is within the stated error of what they measure themselves;
# samples in kinst's own code are counted apart
. "$srcdir/tests/lib.sh"
need python3

export OMPP_QUIET=1 OMPP_OVERWRITE=1 OMPP_OUTFORMAT=PLAIN OMP_NUM_THREADS=2
kinst $CC -O1 -g -fopenmp "$srcdir/tests/runtime/hot.c" -o hot -lompp 2>build.err || { cat build.err; fail 'hot.c'; }
kinst $CC -O1 -fopenmp "$srcdir/tests/runtime/counters_forbid.c" -o forbid || fail 'counters_forbid.c'

# check WHAT WORD…: what the profile says, by the rules of hot.py
check() {
	what=$1
	shift
	ompp report --format=json hot.2.ompp >hot.json || fail "$what: report"
	python3 "$srcdir/tests/runtime/hot.py" hot.json spent "$@" || { echo "$what: not as the program measured it"; return 1; }
}

OMPP_HOT=2000 ./hot spent guest || fail "status $?"
ompp report --format=json hot.2.ompp >hot.json
grep -q '"hot_period_ns":' hot.json || fail 'no period'
python3 -c 'import json; run = json.load(open("hot.json"))["run"]; exit(not run["hot_period_ns"])' ||
	skip "the kernel's clock cannot be had here: $(grep 'source hot' hot.2.ompp.txt)"

# ---- in the place of the time, and as much as there is ----

all() {
	OMPP_HOT=2000 ./hot spent all || fail "all: status $?"
	check all serial:one serial:two 0:three 1:four short:five serial:six
}
retry 3 all || fail 'functions and regions'
tr -s ' \n' ' ' <hot.2.ompp.txt | grep -q 'Of the program.s processor time there [^(]*% are in one (hot.c:' ||
	fail 'the serial part has no function'
OMPP_COSTLY=sample
export OMPP_COSTLY
retry 3 all || fail 'functions and regions of which some visits are timed'
unset OMPP_COSTLY
ompp report --format=folded hot.2.ompp >folded
grep -q '^hot;.*short.*;five [0-9]*$' folded || fail "folded stacks without functions: $(cat folded)"
ompp report --view=hot hot.2.ompp | grep -q '^four  *hot.c:.* R0000' || fail 'no section of hot spots'
ompp annotate --hot hot.2.ompp >annotated || fail 'annotate --hot'
grep -q '^ *[0-9]* 0[.][0-9]* 0[.][0-9]* WORKER(three' annotated || fail "lines of the source: $(cat annotated)"

# ---- a part without samples is said, not guessed ----

lost() {
	OMPP_HOT=10000 ./hot spent long || fail "long: status $?"
	check lost lost:one
}
retry 3 lost || fail 'lost samples'
ompp report --view=hot hot.2.ompp | grep -q 'found no room' || fail 'losses are not said'

# ---- while measuring is off; in children ----

off() {
	OMPP_HOT=2000 ./hot spent off || fail "off: status $?"
	check off serial:one serial:two 0:three 1:four never:six
}
retry 3 off || fail 'off'
OMPP_HOT=2000 ./hot spent clone || fail "a child without handlers: status $?"
rm -f hot.2*.ompp
OMPP_HOT=2000 OMPP_OVERWRITE=0 OMPP_USEPID=1 ./hot spent fork || fail "a child: status $?"
for profile in hot.*.ompp; do
	ompp report --format=json "$profile" >hot.json
	python3 -c '
import json
p = json.load(open("hot.json"))["hot_spots"]
f = set(p["function"])
exit(not (("one" in f) ^ ("five" in f)))' || fail "$profile: functions of the other process, or none"
done
[ "$(ls hot.*.ompp | wc -l)" = 2 ] || fail "profiles: $(ls)"

# ---- as without ----

OMPP_HOT=250 ./hot spent guest >with || fail "status $?"
OMPP_HOT=0 ./hot spent guest >without || fail "status $?"
same 'descriptors and threads' without with
ompp report --format=json hot.2.ompp >hot.json
python3 -c '
import json
p = json.load(open("hot.json"))
exit(p["run"]["hot_period_ns"] != 0 or len(p["hot_spots"]["path"]) != 0)' || fail 'OMPP_HOT=0 samples'
! grep -q 'Hot Spots' hot.2.ompp.txt || fail 'OMPP_HOT=0 has a section'
OMPP_HOT=250 ./forbid ./hot spent guest >got || fail "refused: status $?"
same 'what is seen of it where the kernel refuses' without got
grep -q 'source hot is off: .*security profile' hot.2.ompp.txt || fail "a refusal is not said: $(grep -i note hot.2.ompp.txt)"

# ---- what work does, and what would say more of it ----

cat >work.c <<'END'
static double a[1 << 22];
int main(void)
{
	for (int i = 0; i < 20; i++) {
#pragma omp parallel for
		for (int k = 0; k < 1 << 22; k++)
			a[k] += 1;
	}
	return 0;
}
END
kinst $CC -O1 -g -fopenmp work.c -o work && kinst --access $CC -O1 -g -fopenmp work.c -o counted || fail work.c
next=' % work: memory? kinst --access, ompp run --objects --cache=1; report --times'
work() {
	OMP_NUM_THREADS=1 OMPP_HOT=2000 ./work || fail "work: status $?"
	grep -q '^R0000[0-9]: .* % in main (work.c:[67])' work.1.ompp.txt || return
	grep -qF -- "$next" work.1.ompp.txt || grep -q 'processor taken away' work.1.ompp.txt
}
retry 5 work || fail "the work is not named: $(head -20 work.1.ompp.txt)"
OMP_NUM_THREADS=1 OMPP_CACHE=1 OMPP_DATA_METHOD=hooks ./counted || fail "counted: status $?"
! grep -qF -- "$next" counted.1.ompp.txt || fail 'says what to do when it was done'
ompp report --view=summary counted.1.ompp | grep -q '^memory (model): 100 % of the L[1-3] misses in R0000[0-9], 1 in [0-9.]*; ompp run --objects$' ||
	fail "misses: $(ompp report --view=summary counted.1.ompp)"

# ---- a stripped library has the names that it exports ----

cat >burn.c <<'END'
double burn(long steps)
{
	double x = 1;

	while (steps-- > 0)
		x = x * 0.999 + 0.5;
	return x;
}
END
cat >burns.c <<'END'
double burn(long steps);
int main(void)
{
	double sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < 100; i++)
		sum += burn(1000000);
	return sum < 0;
}
END
$CC -O1 -shared -fPIC burn.c -o libburn.so && strip libburn.so || fail burn.c
kinst $CC -O1 -fopenmp burns.c -o burns -L. -lburn "-Wl,-rpath,$PWD" || fail burns.c
OMP_NUM_THREADS=1 OMPP_HOT=2000 ./burns || fail "burns: status $?"
grep -q 'in burn of libburn.so' burns.1.ompp.txt || fail "a function of a library: $(grep '^R0' burns.1.ompp.txt)"

# Where names are missing, the section says of which file, and only where there were samples.
names_missing() {
	ompp report --view=hot "$1.1.ompp" | tr -s ' \n' ' ' | grep -o 'Names are missing: [^.]*\.'
}
! names_missing burns || fail "all names are there: $(names_missing burns)"
kinst $CC -O1 -fopenmp burns.c burn.c -o stripped && strip stripped || fail 'burns.c and burn.c'
OMP_NUM_THREADS=1 OMPP_HOT=2000 ./stripped || fail "stripped: status $?"
[ "$(names_missing stripped)" = 'Names are missing: stripped has no symbols (stripped).' ] ||
	fail "why names are missing: $(ompp report --view=hot stripped.1.ompp)"

# ---- hooks are none of the program's functions ----

cat >hooks.c <<'EOF'
struct node {
	struct node *next;
	double value;
};
enum { N = 1 << 16 };
static struct node all[N];
static __attribute__((noinline)) double chase(const struct node *x)
{
	double sum = 0;
	for (; x; x = x->next)
		sum += x->value;
	return sum;
}
int main(void)
{
	double sum = 0;
	for (unsigned i = 0; i + 1 < N; i++)
		all[i * 40503u % N].next = &all[(i + 1) * 40503u % N];
#pragma omp parallel for reduction(+ : sum)
	for (int k = 0; k < 300; k++)
		sum += chase(&all[k]);
#pragma omp parallel for reduction(+ : sum)
	for (int k = 0; k < 3; k++)
		sum += chase(&all[k]);
	return sum != 0;
}
EOF
# hooked WHAT: its profile names the program's functions alone, and tells how many samples were in ours
hooked() {
	rm -f hooks*.ompp
	OMP_NUM_THREADS=1 OMPP_OBJECTS=all OMPP_SHARING=1 OMPP_HOT=2000 "$@" || fail "$*: status $?"
	ompp report --format=json hooks.1.ompp >hot.json || fail "$*: report"
	ompp report --view=hot hooks.1.ompp >shown
	ompp report --format=folded hooks.1.ompp >folded || fail "$*: folded"
	python3 -c '
import json, sys
p = json.load(open("hot.json"))["hot_spots"]
of = {}
for i, function in enumerate(p["function"]):
    if not p["module"][i]:
        of[function] = of.get(function, 0) + p["samples"][i]
        if (function + " " + p["within"][i]).replace("(kinst)", "").count("ompp") or "tsan" in function:
            sys.exit("a function of ours: " + function)
own, chase, n = of.get("(kinst)", 0), of.get("chase", 0), sum(p["samples"])
if own < n / 20 or chase < (n - own) / 2:
    sys.exit("of %d samples %d in ours, %d in chase" % (n, own, chase))
# in flame graphs each has its part of the time of the path
path = max(range(len(p["path"])), key=lambda i: p["samples"][i] * (p["function"][i] == "chase"))
path = p["path"][path]
there = {}
for i, function in enumerate(p["function"]):
    if p["path"][i] == path and not p["module"][i]:
        there[function] = there.get(function, 0) + p["samples"][i]
lines = [line.rsplit(" ", 1) for line in open("folded")]
stack = max((int(ns), frames) for frames, ns in lines if frames.endswith(";chase"))[1][: -len("chase")]
ns = {frames[len(stack):]: int(ns) for frames, ns in lines if frames.startswith(stack)}
if abs(ns["chase"] * there["(kinst)"] / there["chase"] / ns.get("(kinst)", 0.1) - 1) > 0.01:
    sys.exit("folded: %s, samples: %s" % (ns, there))' || return 1
	tr -s ' \n' ' ' <shown | grep -q "more samples, [0-9]* % of all, were in kinst's own code" &&
		grep -q '^chase .* R0000' shown && ! grep -q 'tsan\|ompp_' shown
}
# of_regions REGION: those in our code are told of the region that is asked for, in texts and pages alike
of_regions() {
	n_own=$(python3 -c '
import json, sys
profile = json.load(open("hot.json"))
p, of = profile["hot_spots"], profile["paths"]["region"]
at = profile["regions"]["id"].index(int(sys.argv[1][1:]))
print(sum(p["samples"][i] for i, function in enumerate(p["function"]) if function == "(kinst)" and of[p["path"][i]] == at))' \
		"$1") || fail "no samples of $1"
	ompp report --view=hot --region="$1" hooks.1.ompp | tr -s ' \n' ' ' |
		sed 's/\([0-9]\) \([0-9]\{3\} more sample\)/\1\2/' >shown # 1 234 is 1234
	ompp report --format=html --region="$1" hooks.1.ompp >page.html
	if [ "$n_own" = 0 ]; then
		! grep -q "in kinst's own code" shown || fail "$1: $(cat shown)"
	else
		grep -q "$n_own more sample.* in kinst's own code" shown || fail "$1: not $n_own: $(cat shown)"
	fi
	grep -q "\"own\":$n_own[,}]" page.html || fail "$1: the page has not $n_own: $(grep -o '"own":[0-9]*' page.html)"
}
kinst --access $CC -O1 -g -fopenmp hooks.c -o hooks || fail hooks.c
retry 3 hooked ./hooks || fail "hooks: $(cat shown)"
of_regions R00001
of_regions R00002

# ---- functions of the program are its own, also with names as kinst's have ----

cat >named.c <<'EOF'
__attribute__((noinline)) double ompp_solve(double x)
{
	for (int i = 0; i < 30000000; i++)
		x = x * 0.999 + 1;
	return x;
}
int main(void)
{
	double sum = 0;
#pragma omp parallel for reduction(+ : sum)
	for (int k = 0; k < 2; k++)
		sum += ompp_solve(k);
	return sum < 0;
}
EOF
# named WHAT…: ompp_solve has nearly all samples
named() {
	rm -f named*.ompp
	OMP_NUM_THREADS=1 OMPP_HOT=2000 "$@" || fail "$*: status $?"
	ompp report --format=json named.1.ompp >hot.json || fail "$*: report"
	python3 -c '
import json
p = json.load(open("hot.json"))["hot_spots"]
n = sum(p["samples"])
solve = sum(p["samples"][i] for i, function in enumerate(p["function"]) if function == "ompp_solve")
exit(n < 20 or solve < 0.9 * n)'
}
for flags in '' --access; do
	kinst $flags $CC -O1 -g -fopenmp named.c -o named || fail "named.c $flags"
	retry 3 named ./named || fail "$flags: ompp_solve is not the program's: $(ompp report --view=hot named.1.ompp)"
done

# of C++, a function that only its file sees has the name that others there have, once
sed 's/__attribute__((noinline)) double ompp_solve/namespace { __attribute__((noinline)) double ompp_solve/
	s/^int main/} int main/' named.c >named.cc
kinst g++ -O1 -g -fopenmp named.cc -o named || fail named.cc
unnamed() {
	rm -f named*.ompp
	OMP_NUM_THREADS=1 OMPP_HOT=2000 ./named || fail "named.cc: status $?"
	ompp report --view=hot named.1.ompp | grep '^(anonymous namespace)::ompp_solve  *named.cc:[0-9]'
}
retry 3 unnamed >/dev/null || fail "the function without a namespace's name: $(ompp report --view=hot named.1.ompp)"

# the functions of a sanitizer are named as our hooks are
sanitized() {
	rm -f named*.ompp
	status=0
	OMP_NUM_THREADS=1 OMPP_HOT=2000 ompp run ./named >other.out 2>&1 || status=$?
	! grep -q 'unexpected memory mapping' other.out || return 0 # where the kernel has put things by chance
	[ "$status" = 0 ] || fail "with a sanitizer: status $status"
	ompp report --format=json named.1.ompp >hot.json || fail 'with a sanitizer: report'
	python3 -c '
import json
p = json.load(open("hot.json"))["hot_spots"]
own = sum(p["samples"][i] for i, function in enumerate(p["function"]) if function == "(kinst)")
exit("__tsan_read8" not in p["function"] or own > 0.1 * sum(p["samples"]))'
}
sed -i 's/(double x)$/(volatile double x)/; s/3000/200/' named.c
if clang -g -O1 -fsanitize=thread -fopenmp named.c -o named 2>build.err && ./named 2>other.err; then
	retry 3 sanitized || fail "hooks of a sanitizer are told as ours: $(ompp report --view=hot named.1.ompp)"
fi
