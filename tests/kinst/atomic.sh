# atomic: what the operand of an atomic calls is no time of the atomic, but of the region around it
. "$srcdir/tests/kinst/kinst.sh"

cat >a.c <<'END'
#include <stdio.h>
#include <time.h>
static int slow(void)
{
	struct timespec now, begin;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - begin.tv_sec) * 1e9 + now.tv_nsec - begin.tv_nsec < 3e7);
	return 1;
}
int main(void)
{
	int x = 0, v, w = 0;
#pragma omp parallel num_threads(2) private(v)
	{
#pragma omp atomic
		x += slow();
#pragma omp atomic
		x = x + slow() * 2;
#pragma omp atomic capture
		{ v = x; x -= slow(); }
#pragma omp atomic write
		w = slow();
		if (v < 0)
			x = v;
	}
	printf("%d %d\n", x, w);
	return 0;
}
END
# 0.24 s of calls in all; a tenth of that is what waiting for a processor may add
measured() {
	OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=report ./a >out || fail "$compiler: status $?"
	for line in 17 19 21 23; do
		awk -v t="$(csv_field report "ATOMIC:$line" SUM execT)" 'BEGIN { exit !(t < 0.006) }' || return 1
	done
}
for compiler in gcc clang 'g++ -x c++' 'clang++ -x c++'; do
	command -v ${compiler%% *} >/dev/null || continue
	$compiler -w -fopenmp a.c -o a && ./a >want
	"$kinst" --strict $compiler -w -fopenmp a.c -o a || fail "$compiler: it does not build"
	retry 5 measured || fail "$compiler: the operand's time is the atomic's: $(cat report)"
	same "$compiler: the output" want out
done
clean
