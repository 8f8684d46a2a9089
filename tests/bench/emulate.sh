#!/bin/sh
# emulate.sh: how much processor time `ompp run --emulate` takes, in times of the plain program's: three kernels in the
# manner of NPB's CG, MG and FT, by gcc -O2, with 1 and 2 threads.  Beside it what QEMU's user mode takes alone, without
# our plug-in, which is the least that any plug-in takes.  The goal is 20 times.
# Usage: emulate.sh [ROUNDS]     Environment: CC, OMPP (the command ompp), srcdir (top of the source).
set -eu
: "${CC:=gcc}" "${srcdir:=.}" "${OMPP:=ompp}"
rounds=${1:-3}
command -v qemu-x86_64 >/dev/null || { echo "emulate.sh: no qemu-x86_64" >&2; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
export OMPP_REPORTFILE="$work/report" OMPP_PROFILE=0 OMPP_QUIET=1 OMP_WAIT_POLICY=passive

# spent COMMAND…: its processor time in user mode, in seconds
spent() {
	sh -c '"$@" >/dev/null 2>&1 || :; times' sh "$@" | awk 'END { split($1, t, "[ms]"); print 60 * t[1] + t[2] }'
}

for kernel in cg mg ft; do
	$CC -O2 -w -fopenmp "$srcdir/tests/bench/npb_$kernel.c" -o "$work/$kernel" -lm
	for OMP_NUM_THREADS in 1 2; do
		export OMP_NUM_THREADS
		i=0
		while [ $i -lt "$rounds" ]; do
			echo "$(spent "$work/$kernel") $(spent qemu-x86_64 -cpu max "$work/$kernel")" \
				"$(spent "$OMPP" run --emulate "$work/$kernel")"
			i=$((i + 1))
		done | awk -v what="$kernel, $OMP_NUM_THREADS threads" '
			{ for (i = 1; i <= 3; i++) if (NR == 1 || $i < least[i]) least[i] = $i }
			END { printf "%s: plain %.2f s; QEMU alone %.1f times, with our plug-in %.1f times\n", what, least[1],
				least[2] / least[1], least[3] / least[1] }'
	done
done
