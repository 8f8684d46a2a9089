#!/bin/sh
# touch.sh: how much longer programs take while first touches are looked for (OMPP_SAMPLE=touch), beside the same runs
# without: the examples whose regions last over 100 µs; and, as the worst that can be, a program that does nothing but
# touch fresh pages of 4 KiB.
# Usage: touch.sh [ROUNDS]      Environment: WRAPPER (the wrapper), CC, srcdir.
set -eu
: "${WRAPPER:=kinst}" "${CC:=gcc}" "${srcdir:=.}"
rounds=${1:-11}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
export OMP_NUM_THREADS=2 OMPP_QUIET=1 OMPP_REPORTFILE=none

cat >"$work/pages.c" <<'C'
#include <sys/mman.h>
int main(void)
{
	enum { N = 60000 };
	char *p = mmap(0, N * 4096L, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(p, N * 4096L, MADV_NOHUGEPAGE);
#pragma omp parallel for
	for (long i = 0; i < N; i++)
		p[i * 4096] = 1;
	return 0;
}
C
for source in "$work/pages.c" "$srcdir"/examples/matvec.c "$srcdir"/examples/imbalance.c "$srcdir"/examples/sections.c \
		"$srcdir"/examples/critical.c; do
	name=$(basename "$source" .c)
	"$WRAPPER" --no-access "$CC" -w -O2 -fopenmp "$source" -o "$work/$name" -lm
	printf '#!/bin/sh\nOMPP_SAMPLE=touch exec %s "$@"\n' "$work/$name" >"$work/$name.touch"
	printf '#!/bin/sh\nexec %s "$@"\n' "$work/$name" >"$work/$name.off"
	chmod +x "$work/$name.touch" "$work/$name.off"
	"$srcdir/tests/bench/overhead.sh" "$rounds" "$work/$name.off" "$work/$name.touch"
done
