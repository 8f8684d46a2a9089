# data: the calls that inst data becomes in C and C++ are right, as a library sees that logs each call and what is not ended
. "$srcdir/tests/kinst/kinst.sh"
need gcc

cat >log.c <<'END'
#include <stdio.h>
#include <string.h>

static struct { const char *address; char name[64]; } live[100];
static const char *top;

__attribute__((constructor(101))) static void start(void)
{
	top = (const char *)__builtin_frame_address(0) + 1000000;
}

const void *ompp_data_enter(const void *address, size_t n_bytes, const char *name, int flags)
{
	const char *here = __builtin_frame_address(0), *p = address;
	int i = 0, scoped = p >= here && p < top && !(flags & 2);

	printf("enter %s %zu%s%s\n", name, n_bytes, flags & 1 ? " private" : "", scoped ? " scoped" : "");
	while (live[i].address)
		i++;
	if (scoped) {
		live[i].address = p;
		strcpy(live[i].name, name);
	}
	return scoped ? &live[i] : NULL;
}

/* Where the data of a container is, and whether it is in the container itself. */
const void *ompp_data_follow(const void *container, size_t n_bytes, void (*look)(const void *, const void **, size_t *),
			     const char *name, int flags)
{
	const char *data = NULL;
	size_t n = n_bytes;

	if (look)
		look(container, (const void **)&data, &n);
	if (look && (data != container || n != n_bytes))
		printf("in %s: %zu %sat %ld\n", name, n, data ? "" : "nowhere, ",
		       data >= (const char *)container && data < (const char *)container + n_bytes ?
		       (long)(data - (const char *)container) : -1);
	return ompp_data_enter(container, n_bytes, name, flags);
}

void ompp_data_leave(const void **entered)
{
	size_t i = *entered ? (size_t)((const char *)*entered - (const char *)live) / sizeof(live[0]) : 0;

	if (!*entered || !live[i].address)
		return;
	printf("leave %s\n", live[i].name);
	live[i].address = NULL;
}

void ompp_data_end(const char *name)
{
	printf("end %s\n", name);
}

__attribute__((destructor)) static void stop(void)
{
	for (int i = 0; i < 100; i++)
		if (live[i].address)
			printf("not left: %s\n", live[i].name);
}
END
gcc -w -c log.c

# build COMPILER FILE: without a word
build() {
	KINST_FLAGS="--strict --no-access --verbose" "$kinst" $1 -Wall -Wextra -pedantic -Wno-unknown-pragmas -Werror -g -c \
		"$2" -o x.o 2>said || { cat said; fail "$1 $2"; }
	# but for which way it takes (kinst --verbose)
	! grep -e '^kinst: ' -e warning said | grep -v ': calls by the engine \|: accesses are not counted; ' ||
		fail "$1 $2: it was not quiet"
	gcc x.o log.o -o x -lstdc++
	timeout 10 ./x >log.txt || fail "$1 $2: it ended with $?"
}

cat >a.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double global[10];
#pragma omp inst data(global, sizeof(global), "g")
#  pragma pomp INST  Data(global)
static int f(int n)
{
	char buf[100];
#pragma omp inst data(buf, 100, "buf")
	int k = 3, i; char c2[3], c3[4];
#pragma pomp inst data(c2, "c" "2")
#pragma pomp inst data(c3) private
	memset(buf, 0, 100); memset(c2, 0, 3); memset(c3, 0, 4);
	if (n == 1)
		return k;
	if (n == 2)
		goto out;
	for (i = 0; i < 2; i++) {
		int loop[4] = { 0 };
#pragma omp inst data ( loop )
		if (i == 0)
			continue;
		if (n == 3)
			break;
		if (loop[0])
			return 1;
	}
out:
	return 0;
}
static void g(int n)
{
	double x = 1, *p = malloc(8 * sizeof(double));
	static volatile int kept[2];
	const int *const q = (const int *)p;
	(void)q, (void)kept;
	if (n)
#pragma omp inst data(p, 8 * sizeof *p, "p")
		p[0] = x;
	else
#pragma omp inst data(&x, sizeof x, "x")
		puts("else");
	switch (n) {
	case 0:
#pragma omp inst data(p, 8, "p0")
		break;
	case 1:;
		{
			char b[3];
			if (x > 2)
				goto label;
#pragma omp inst data(b)
			b[0] = 0; p[1] = b[0];
		}
		break;
	default:
#pragma omp inst data end("p")
	label:
		break;
	}
	while (n-- > 0)
#pragma omp inst data(p + 1, 8, "p1")
#pragma omp inst data(q + 2, (8, 16) / 2, "q,(\"2")
		p[0]++;
#pragma omp inst data(kept)
	if (n < 9) lab:
#pragma omp inst data(&p[3], 24)
		kept[1] = n;
	if (n > 100)
		goto lab;
	free(p);
}
int main(void)
{
	int i;
	for (i = 1; i < 5; i++) { printf("f %d\n", i); f(i); }
	for (i = 0; i < 3; i++) { printf("g %d\n", i); g(i); }
	return 0;
}
END
cat >a.txt <<'END'
enter g 80
enter global 80
f 1
enter buf 100 scoped
enter c2 3 scoped
enter c3 4 private scoped
leave c3
leave c2
leave buf
f 2
enter buf 100 scoped
enter c2 3 scoped
enter c3 4 private scoped
leave c3
leave c2
leave buf
f 3
enter buf 100 scoped
enter c2 3 scoped
enter c3 4 private scoped
enter loop 16 scoped
leave loop
enter loop 16 scoped
leave loop
leave c3
leave c2
leave buf
f 4
enter buf 100 scoped
enter c2 3 scoped
enter c3 4 private scoped
enter loop 16 scoped
leave loop
enter loop 16 scoped
leave loop
leave c3
leave c2
leave buf
g 0
enter x 8 scoped
else
enter p0 8
enter kept 8
enter &p[3] 24
leave x
g 1
enter p 64
enter b 3 scoped
leave b
enter p1 8
enter q,("2 8
enter kept 8
enter &p[3] 24
g 2
enter p 64
end p
enter p1 8
enter q,("2 8
enter p1 8
enter q,("2 8
enter kept 8
enter &p[3] 24
END
for compiler in gcc "gcc -fopenmp -O2" "gcc -std=c90" "gcc -std=c11 -pedantic-errors" clang "clang -fopenmp -O2"; do
	command -v ${compiler%% *} >/dev/null || continue
	build "$compiler" a.c
	same "$compiler: the calls in C" a.txt log.txt
done

cat >b.cc <<'END'
#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
std::vector<double> gv(10);
#pragma omp inst data(gv.data(), gv.size() * sizeof(double), "gv")
namespace n { inline namespace m { extern "C" { double ga[5];
#pragma pomp inst data(ga)
} } }
template <class T, int N> struct box {
	T v[N];
	T *get() { return v; }
	const T *cget() const noexcept {
#pragma omp inst data(v)
		return v;
	}
	box() : v{} {
#pragma omp inst data(v, sizeof v, "ctor")
	}
	box(const box &) = default;
	box &operator=(const box &) {
#pragma omp inst data(this->v, sizeof v, "assign")
		return *this;
	}
	box &operator+(int x) {
#pragma omp inst data(v, x, "plus")
		return *this;
	}
	~box() {
#pragma omp inst data end("ctor")
	}
};
template <class T> auto tf(T x) -> decltype(x + 1)
{
	T a[4] = { x };
#pragma omp inst data(a)
#pragma omp inst data(box<T, 3>().get(), 8, "tmp")
#pragma omp inst data(std::array<char, 3>{{1, 2, 3}}.data(), 3, "tmp2")
	if (x > 3)
		throw std::runtime_error("x");
	return a[0] + 1;
}
static int rec(int n)
{
	char local[8] = { char(n) };
#pragma omp inst data(local, sizeof local, "rec")
	return n ? rec(n - 1) + local[0] : 0;
}
int main()
{
	box<int, 3> b, c;
	b = c;
	b + 3;
	b.cget();
	try { tf(1); tf(2.5f); tf(7); } catch (std::exception &) { puts("caught"); }
	auto l = [&](int k) mutable {
		char x[3] = { char(k) };
#pragma omp inst data(x)
#pragma omp inst data(&b, sizeof b, "box")
		if (k)
			return 1;
		return x[0] + 0;
	};
	l(0);
	l(1);
	for (int i = 0; i < 2; i++) [=] { char y[9] = { char(i) };
#pragma omp inst data(y)
		(void)y; }();
	std::array<double, 4> arr{};
	const std::string s("a string that is too long for a string's own bytes");
	struct view { char *p; int n; char *data() const { return p; } int size() const { return n; } } w = { 0, 3 };
	double plain[4] {};
	int (&ref)[3] = b.v;
	std::vector<int> v(3);
#pragma omp inst data(arr)
#pragma omp inst data(s)
#pragma omp inst data(w)
#pragma omp inst data(v)
#pragma omp inst data(plain)
#pragma omp inst data(ref)
#pragma omp inst data(v.data(), v.size() * sizeof v[0])
	std::unique_ptr<int[]> p(new int[3]);
#pragma omp inst data(p.get(), 12, R"(raw"name)" "x")
#pragma omp inst data(p.get(), sizeof(std::map<int, int>), "map")
	goto end;
end:
	puts("end");
	rec(2);
	if (v.size()) {
		int big[100];
		if (b.v[0] == 0)
#pragma omp inst data(big)
			big[0] = 1;
		printf("still %d %g %g %d\n", big[0], arr[0], plain[0], ref[0]);
	}
	return 0;
}
END
cat >b.txt <<'END'
enter gv 80
enter ga 40
enter ctor 12
enter ctor 12
enter assign 12
enter plus 3
enter v 12
enter a 16 scoped
enter ctor 12
enter tmp 8
end ctor
enter tmp2 3
leave a
enter a 16 scoped
enter ctor 12
enter tmp 8
end ctor
enter tmp2 3
leave a
enter a 16 scoped
enter ctor 12
enter tmp 8
end ctor
enter tmp2 3
leave a
caught
enter x 3 scoped
enter box 12
leave x
enter x 3 scoped
enter box 12
leave x
enter y 9 scoped
leave y
enter y 9 scoped
leave y
enter arr 32 scoped
in s: 50 at -1
enter s 32 scoped
in w: 3 nowhere, at -1
enter w 16 scoped
in v: 12 at -1
enter v 24 scoped
enter plain 32 scoped
enter ref 12
enter v.data() 12
enter raw"namex 12
enter map 48
end
enter rec 8 scoped
enter rec 8 scoped
enter rec 8 scoped
leave rec
leave rec
leave rec
enter big 400 scoped
still 1 0 0 0
leave big
leave v
leave plain
leave w
leave s
leave arr
end ctor
end ctor
END
for compiler in "g++ -Wno-unused-parameter" "g++ -fopenmp -O2 -std=c++20 -pedantic-errors" "clang++ -std=c++17" \
		"clang++ -fopenmp -std=c++14"; do
	command -v ${compiler%% *} >/dev/null || continue
	build "$compiler" b.cc
	same "$compiler: the calls in C++" b.txt log.txt
done

# between OpenMP constructs: nothing becomes a construct's statement, no holder is shared; the result is the plain one
cat >omp.c <<'END'
#include <stdio.h>
int main(void)
{
	double shared[4] = { 0 };
	int sum = 0, i;
#pragma omp parallel num_threads(1)
	{
		double own[3] = { 1 };
#pragma omp inst data(own)
#pragma omp inst data(shared)
#pragma omp barrier
#pragma omp for reduction(+ : sum)
		for (i = 0; i < 3; i++) {
#pragma omp inst data(&own[i], 8, "element")
			if (i)
#pragma omp inst data end("own")
#pragma omp critical
				sum += i;
		}
#pragma omp single
#pragma omp task default(none) firstprivate(shared)
		{
			int copy[2];
#pragma omp inst data(copy)
			copy[0] = (int)shared[0];
			(void)copy;
		}
	}
	printf("%d\n", sum);
	return 0;
}
END
cat >omp.txt <<'END'
enter own 24 scoped
enter shared 32 scoped
enter element 8 scoped
enter element 8 scoped
end own
enter element 8 scoped
end own
enter copy 8 scoped
leave copy
leave element
leave own
leave shared
3
END
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	"$kinst" --strict --no-access $compiler -fopenmp -Wall -c omp.c -o x.o 2>/dev/null
	"$kinst" $compiler -fopenmp x.o log.o -o x
	OMP_NUM_THREADS=1 ./x | grep -v '^leave element' >log.txt
	grep -v '^leave element' omp.txt | sort >want.txt
	sort log.txt >got.txt
	same "$compiler: the calls in constructs" want.txt got.txt
done

# macros, also one that changes; a name that is left out is the text as written
cat >m.c <<'END'
#define N 100
#define A(x) x##_arr
#define NAME "nm"
#define ARGS b_arr, N
double b_arr[100];
int main(void)
{
#pragma omp inst data(A(b), N*sizeof(double), \
   NAME)
#pragma pomp inst data(A(b), N, NAME)
#undef N
#define N 50
#pragma pomp inst data(ARGS)
#pragma pomp inst data(b_arr + N,   N)
#pragma pomp inst data end(NAME)
_Pragma("pomp inst data(A(b), N + 1)")
	return 0;
}
END
cat >m.txt <<'END'
enter nm 800
enter nm 100
enter ARGS 50
enter b_arr + N 50
end nm
enter A(b) 51
END
for compiler in gcc "gcc -fopenmp" clang "clang -fopenmp"; do
	command -v ${compiler%% *} >/dev/null || continue
	build "$compiler" m.c
	same "$compiler: macros" m.txt log.txt
done

# what is malformed is said, with its line, and has no effect
cat >e.c <<'END'
int f(double *p, int n)
{
	double a[3] = { 0 };
#pragma omp inst data(a, n, "ok"
#pragma omp inst data(a, n, name)
#pragma omp inst data(a) nowait
	int k = n +
#pragma omp inst data(a)
		1;
	struct s {
#pragma omp inst data(a)
		int x; };
#pragma omp inst data a
#pragma omp inst data(a, )
#pragma omp inst data(a, n, "", 3)
#pragma omp inst data(a, n, "")
#pragma GCC unroll 2
#pragma omp inst data(a)
	for (k = 0; k < 3; k++)
		a[k] = 0;
	return (int)a[0] + (int)p[0] + k + (int)sizeof(struct s);
}
#pragma omp inst data end("x")
END
cat >e.txt <<'END'
kinst: e.c:4: inst data: the closing parenthesis is missing; write data(pointer, bytes, "name")
kinst: e.c:5: inst data: the name is not a string; write it in quotes
kinst: e.c:6: inst data: an unknown clause follows the arguments; write private, each or sum
kinst: e.c:8: inst data: it stands inside of a statement; put it between statements
kinst: e.c:11: inst data: it stands inside of a list or a class; put it between statements
kinst: e.c:13: inst data: the arguments are missing; write data(pointer, bytes, "name")
kinst: e.c:14: inst data: the size is missing behind the comma; write data(pointer, bytes, "name")
kinst: e.c:15: inst data: there are more than three arguments; write data(pointer, bytes, "name")
kinst: e.c:16: inst data: the name is empty; leave it out, or write one
kinst: e.c:18: inst data: it stands between a directive and its statement; put it before the directive
kinst: e.c:23: inst data: a range cannot end outside of functions; put it between statements
END
"$kinst" --no-access gcc -c e.c 2>said
same "malformed directives" e.txt said
! nm e.o | grep -q ompp_data || fail "a malformed directive has an effect"

# an error in an expression: the compiler's word, with the line, and what it means; the directive alone has no effect
wrong() {
	printf '%s\n' '#include <stddef.h>' 'double g[3];' 'int f(double *p)' '{' "#pragma omp inst data($1)" 'return !p; }' >w.$2
	"$kinst" --no-access gcc -c w.$2 -o w.o 2>said || fail "data($1): it does not build"
	grep -q "^kinst: w.$2:5: inst data: .*$3.*; the directive has no effect" said || { cat said; fail "data($1)"; }
}
wrong 'p' c 'its type does not tell how much memory it names'
wrong 'p' cc 'its type does not tell how much memory it names'
wrong 'g, no' c "error: .no. undeclared"
wrong 'g, p' c "error: invalid operands"
wrong 'no, 8, "x"' cc "error: .no. was not declared"

# with the runtime: recursion, each call's own array; what lies there afterwards is not it
cat >r.c <<'END'
static double sum(volatile double *a)
{
	double s = 0;
	int i;
	for (i = 0; i < 64; i++)
		s += a[i];
	return s;
}
static double f(int n)
{
	volatile double buf[64];
	int i;
#pragma omp inst data(buf)
	for (i = 0; i < 64; i++)
		buf[i] = i;
	return n ? f(n - 1) + sum(buf) : sum(buf);
}
static double g(void)
{
	volatile double other[128];
	int i;
	for (i = 0; i < 128; i++)
		other[i] = i;
	return sum(other) + sum(other + 64);
}
int main(void)
{
	return f(3) + g() != 16192;
}
END
for compiler in "gcc -O0" "gcc -O2" "clang -O0" "clang -O2"; do
	command -v ${compiler%% *} >/dev/null || continue
	"$kinst" --strict $compiler r.c -o r
	rm -f rep*
	OMPP_REPORTFILE=rep ./r || fail "$compiler: the sums"
	grep -q '^buf  *4 096 .* 256  *256 *$' rep || { grep '^buf' rep; fail "$compiler: the loads and stores of an automatic array"; }
done
clean
