# owners: calls of one place that several calls reach, as in a wrapper, a constructor or a template, are told apart by
# the variables that are set around them; by numbers where no such variable is known, or where it is the same one.
. "$srcdir/tests/lib.sh"
export OMPP_QUIET=1 OMPP_OBJECTS=all OMPP_OUTFORMAT=CSV OMPP_SAMPLE=off OMPP_HOT=0 OMP_NUM_THREADS=1

# names PROGRAM: of what it allocates in its own source, with the bytes of each
names() {
	OMPP_REPORTFILE=$1.csv "./$1" >out || fail "$1 ends with $?"
	awk -F, '/^allocated at,/ { inside = 1; next } /^##/ { inside = 0 }
		inside && $1 ~ / = | for |values|tile/ { print $1, $4 }' "$1.csv" | sort
}

cat >wrapper.c <<'C'
#include <stdlib.h>
static __attribute__((noinline)) void *get(size_t n) { void *p = malloc(n); if (!p) exit(1); return p; }
static __attribute__((noinline)) double *image(size_t n) { return get(n * sizeof(double)); }
static __attribute__((noinline)) void fill(double **to, size_t n) { double *made = get(n); *to = made; }
int main(void)
{
	double *first = image(100), *second = image(200), (*rows)[10] = get(3000), *third, *fourth;
	free(get(5000));
	free(get(4000));
	fill(&third, 6000);
	fill(&fourth, 7000);
#pragma omp parallel
	first[0] = second[0] = rows[0][0] = third[0] = fourth[0] = 1;
	free(first); free(second); free(rows); free(third); free(fourth);
	return 0;
}
C
cat >wanted <<'NAMES'
wrapper.c:2 p = malloc(…) #2 4000
wrapper.c:2 p = malloc(…) 5000
wrapper.c:2 p = malloc(…) for first 800
wrapper.c:2 p = malloc(…) for made #2 6000
wrapper.c:2 p = malloc(…) for made 7000
wrapper.c:2 p = malloc(…) for rows 3000
wrapper.c:2 p = malloc(…) for second 1600
NAMES
for level in -O0 -O2; do
	"$builddir/kinst" $CC -g $level -fopenmp wrapper.c -o wrapper || fail "wrapper $level"
	names wrapper >found
	same "wrapper $level" wanted found
done
[ -n "$GXX" ] || exit 0

cat >class.cc <<'CC'
#include <vector>
#include <cstdlib>
class Matrix {
	std::vector<double> values;
public:
	explicit Matrix(int n) : values(n * n) { }
	double &at(int i) { return values[i]; }
};
template <class T> struct Tile {
	T *tile;
	explicit Tile(int n) { tile = static_cast<T *>(std::malloc(n * sizeof(T))); }
	~Tile() { std::free(tile); }
};
int main()
{
	Matrix a(10), b(20), c(30);
	Tile<double> near(100);
	Tile<float> far(400);
#pragma omp parallel
	a.at(0) = b.at(0) = c.at(0) = near.tile[0] = far.tile[0] = 1;
}
CC
cat >wanted <<'NAMES'
class.cc:11 tile = malloc(…) for far 1600
class.cc:11 tile = malloc(…) for near 800
class.cc:6 values for a 800
class.cc:6 values for b 3200
class.cc:6 values for c 7200
NAMES
for level in -O0 -O2; do
	"$builddir/kinst" $GXX -g $level -fopenmp class.cc -o class || fail "class $level"
	names class >found
	same "class $level" wanted found
done
