# parts: the class of an object tells parts that threads have of their own from what they share
. "$srcdir/tests/lib.sh"

export OMPP_OVERWRITE=1 OMPP_QUIET=1
src=$srcdir/tests/runtime

# classes FILE: the objects of a CSV report are of the classes that they are named after; a number may follow.
classes() {
	awk -F, -v least="$2" '
		/^##BEG data objects$/ { inside = 1; getline; next }
		/^##END/ { inside = 0 }
		inside && $1 !~ /^\(/ { n++; want = $1; sub(/ .*/, "", want); if ($NF != want) { print $1 " is " $NF; bad = 1 } }
		END { if (n < least) print n " objects"; exit bad || n < least }' "$1" >wrong || fail "$how: $(cat wrong)"
}

check() {
	how="$*"
	case $2 in
	*gfortran*) least=3 ;;
	*)         least=10 ;;
	esac
	"$@" -fopenmp -o parts || fail "$how: does not build"
	./parts >/dev/null || fail "$how: ends with $?"
	ompp report --format=csv --view=data parts.*.ompp >one.csv || fail "$how: report"
	classes one.csv $least
	rm -f parts.*
}

check kinst "$CC" -O0 "$src/parts.c"
check kinst "$CC" -O2 "$src/parts.c"
[ -z "$CLANG" ] || check kinst "$CLANG" -O2 "$src/parts.c"
[ -z "$GFORTRAN" ] || check kinst "$GFORTRAN" -O2 "$src/parts.f90"

# ranks: the classes of each, together; what one of them shares is shared
how=ranks
cat >rank.c <<'END'
#include <stdlib.h>
int main(int argc, char **argv)
{
	enum { N = 20000 };
	static double own[N], one[N];
	int i, k, all = argc > 1;
	(void)argv;
#pragma pomp inst data(own, sizeof own, "partitioned")
#pragma pomp inst data(one, sizeof one, "shared-written")
	for (k = 0; k < 2; k++)
		for (i = 0; i < N; i++)
			own[i] = one[i] = k;
#pragma omp parallel private(i, k) num_threads(2)
	{
#pragma omp for schedule(static)
		for (i = 0; i < N; i++)
			own[i] += one[i]++;
		for (i = 0; all && i < N; i++)
#pragma omp atomic
			one[i] += 1;
	}
	return 0;
}
END
kinst "$CC" -O1 -fopenmp rank.c -o rank || fail 'ranks: do not build'
PMI_RANK=0 PMI_SIZE=2 ./rank && PMI_RANK=1 PMI_SIZE=2 ./rank all || fail 'ranks'
ompp report --format=csv --view=data rank.*.ompp >both.csv || fail 'ranks: report'
classes both.csv 2
