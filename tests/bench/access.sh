#!/bin/sh
# access.sh: what access hooks cost.
#
# matvec   access_matvec.c, row and column order, two threads: plain, with empty hooks, with libompp, with the cache
#          model, with the real ThreadSanitizer, run in turn; medians and ratios.  To hold: libompp at most 1.75 × plain
#          (column), 3 × (row), 1.4 × the empty hooks.
# lookup   access_lookup.c with 8, 1,000 and 100,000 objects; ns an access beyond an empty hook.  To hold: 1 for sweep;
#          5, 8, 40 for random.
# kernels  those of tests/access/kernels, C and C++ and Fortran: plain, with hooks, by whole loops, with the cache model,
#          ThreadSanitizer; ratios and their geometric mean.  To hold: 4, by loops 1.4, with the cache model 7.
# samples  matvec, and those kernels in C, with OMPP_SAMPLE=hook at the default period beside counting alone, in turn; the
#          medians of the rounds' ratios, and how they divide: first touches, which come with every source of samples
#          (OMPP_SAMPLE=touch alone, beside counting), counting down to samples that never come (a period of 10^12,
#          beside first touches), and the samples; and what it takes more to start and end.  To hold: 1.10.
# npb      npb_cg.c, npb_ft.c, npb_mg.c, whole programs like NPB's: plain, with per-access hooks, and as kinst --access does
#          it, at -O2 and -O3, on one thread and two, run in turn; medians and ratios.  To hold: --access 2.5 × plain.
# tools    the product of matvec, small, one thread: plain, libompp, cachegrind, lackey
#
# Usage: access.sh [ROUNDS [PART…]]     Environment: WRAPPER (the wrapper), CC, srcdir (top of the source), LEVEL (-O2, of
# the kernels), OMP_NUM_THREADS (2), OMP_THREAD_LIMIT (the kernels ask for two threads).  Another way
# to hook and to link than kinst's: HOOK ("gcc -fsanitize=thread …"), LINK ("gcc -fopenmp"), LIBS ("libompp_access.a …").
set -eu
: "${WRAPPER:=kinst}" "${CC:=gcc}" "${srcdir:=.}"
: "${HOOK:=$WRAPPER --access=hooks $CC}" "${LINK:=$WRAPPER $CC -fopenmp}" "${LIBS=}"
rounds=${1:-7}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- matvec lookup kernels samples npb tools
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
OMP_NUM_THREADS=${OMP_NUM_THREADS:-2} OMP_WAIT_POLICY=passive OMPP_REPORTFILE=none OMPP_QUIET=1 OMPP_PROFILE=0
export OMP_NUM_THREADS OMP_WAIT_POLICY OMPP_REPORTFILE OMPP_QUIET OMPP_PROFILE
src=$srcdir/tests/bench
flags="-w -O2 -fopenmp -I$srcdir"
cache=L1=32K/8/64,L2=512K/8/64,L3=8M/16/64

# hooked SOURCE NAME [FLAGS]: NAME.o with hooks; NAME.ompp and NAME.empty of it.
hooked() {
	$HOOK $flags ${3:-} -c "$src/$1" -o "$work/$2.o"
	$LINK "$work/$2.o" $LIBS -o "$work/$2.ompp"
	# the empty hooks come first, and the archive's second ones are left out
	$LINK "$work/$2.o" "$work/empty.o" -Wl,-z,muldefs $LIBS -o "$work/$2.empty"
}

# median FILE KEY: of the last field of the lines that begin with the key
median() {
	grep "^$2 " "$1" | awk '{ print $NF }' | sort -g | awk '{ v[NR] = $1 } END { printf "%.6f", v[int((NR + 1) / 2)] }'
}

ratio() {
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'
}

matvec() {
	$CC $flags "$src/access_matvec.c" -o "$work/plain"
	hooked access_matvec.c matvec
	$CC $flags -fsanitize=thread "$src/access_matvec.c" -o "$work/tsan"
	i=0
	while [ $i -lt "$rounds" ]; do
		for order in row column; do
			echo "$order plain $("$work/plain" $order)"
			echo "$order empty $("$work/matvec.empty" $order)"
			echo "$order ompp $("$work/matvec.ompp" $order)"
			echo "$order model $(OMPP_CACHE=$cache "$work/matvec.ompp" $order 1)"
			echo "$order tsan $(TSAN_OPTIONS=report_bugs=0 "$work/tsan" $order 1)"
		done
		i=$((i + 1))
	done >"$work/times"
	printf '%-8s %10s %10s %10s %10s %10s   %s\n' order plain empty libompp model tsan \
		'libompp/plain  libompp/empty  model/plain  tsan/plain'
	for order in row column; do
		for build in plain empty ompp model tsan; do
			eval "$build=$(median "$work/times" "$order $build")"
		done
		printf '%-8s %10s %10s %10s %10s %10s   %-14s %-14s %-12s %s\n' $order "$plain" "$empty" "$ompp" "$model" \
			"$tsan" "$(ratio "$ompp" "$plain")" "$(ratio "$ompp" "$empty")" "$(ratio "$model" "$plain")" \
			"$(ratio "$tsan" "$plain")"
	done
}

lookup() {
	$CC $flags -c "$src/access_lookup.c" -o "$work/lookup.o"
	$CC -fopenmp "$work/lookup.o" "$work/empty.o" -o "$work/lookup.empty"
	$LINK "$work/lookup.o" $LIBS -o "$work/lookup.ompp"
	printf '%-8s %-8s %8s %8s %8s\n' objects pattern empty libompp beyond
	for n in 8 1000 100000; do
		"$work/lookup.empty" $n >"$work/lookup.e"
		"$work/lookup.ompp" $n >"$work/lookup.o"
		paste -d ' ' "$work/lookup.e" "$work/lookup.o" |
			awk '{ printf "%-8s %-8s %8.2f %8.2f %8.2f\n", $1, $2, $3, $6, $6 - $3 }'
	done
}

# timed BUILD PROGRAM: a line "BUILD seconds", as the kernel measures it
timed() {
	echo "$1 $(KERNEL_FD=8 "$2" 8>&1 >/dev/null 2>&1 | sed -n 's/^T //p')"
}

kernels() {
	folder=$srcdir/tests/access/kernels
	kernel_flags="-w ${LEVEL:--O2} -fopenmp -DSCALE=300 -DSIDE=16 -I$folder -J$work"
	$CC -w -O2 -c "$folder/kernel.c" -o "$work/kernel.o"
	printf '%-12s %10s %10s %10s %10s %10s %8s %8s %8s %8s\n' kernel plain hooks loops model tsan hooks loops model tsan
	for source in "$folder"/*.c "$folder"/*.cpp "$folder"/*.f90; do
		name=$(basename "${source%.*}")
		case $source in
		*/kernel.c) continue ;;
		*.cpp) compiler=${GXX:-g++} ;;
		*.f90)
			compiler=${GFORTRAN:-gfortran}
			sed 's/n = 60$/n = 960/; s/n = 60,/n = 960,/; s/n = 90,/n = 1440,/' "$source" >"$work/$name.f90"
			source=$work/$name.f90
			;;
		*) compiler=$CC ;;
		esac
		f=$kernel_flags
		[ "$compiler" = "${GFORTRAN:-gfortran}" ] || f=${kernel_flags% -J*}
		$compiler $f "$source" "$work/kernel.o" -lm -o "$work/plain"
		"$WRAPPER" --access=hooks $compiler $f "$source" "$work/kernel.o" -lm -o "$work/hooks"
		"$WRAPPER" --access $compiler $f "$source" "$work/kernel.o" -lm -o "$work/loops"
		$compiler $f -fsanitize=thread "$source" "$work/kernel.o" -lm -o "$work/tsan"
		i=0
		while [ $i -lt "$rounds" ]; do
			timed plain "$work/plain"
			timed hooks "$work/hooks"
			timed loops "$work/loops"
			OMPP_CACHE=$cache timed model "$work/loops"
			[ $i -gt 1 ] || TSAN_OPTIONS=report_bugs=0 timed tsan "$work/tsan"
			i=$((i + 1))
		done >"$work/times"
		for build in plain hooks loops model tsan; do
			eval "$build=$(median "$work/times" $build)"
		done
		printf '%-12s %10s %10s %10s %10s %10s %8s %8s %8s %8s\n' "$name" "$plain" "$hooks" "$loops" "$model" "$tsan" \
			"$(ratio "$hooks" "$plain")" "$(ratio "$loops" "$plain")" "$(ratio "$model" "$plain")" \
			"$(ratio "$tsan" "$plain")" | tee -a "$work/kernels"
	done
	awk '{ for (i = 7; i <= 10; i++) sum[i] += log($i) }
		END { printf "%-67s", "geom. mean"; for (i = 7; i <= 10; i++) printf " %8.2f", exp(sum[i] / NR); print "" }' \
		"$work/kernels"
}

# turns NAME COMMAND…: runs the command with counting alone, with first touches alone, and with samples of hooks (which come
# with first touches), in turn, and prints the medians of the rounds' ratios of what it prints last.
turns() {
	what=$1
	shift
	i=0
	while [ $i -lt "$rounds" ]; do
		counted=$("$@") touched=$(OMPP_SAMPLE=touch "$@") sampled=$(OMPP_SAMPLE=hook "$@")
		rare=$(OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=1000000000000 "$@")
		awk -v what="$what" -v c="${counted##* }" -v t="${touched##* }" -v s="${sampled##* }" -v r="${rare##* }" 'BEGIN {
			print "all", s / c; print "touch", t / c; print "count", r / t; print "sample", s / r; print "time", c }'
		i=$((i + 1))
	done >"$work/ratios"
	printf '%-12s %9.4f %8.3f %8.3f %8.3f %8.3f\n' "$what" "$(median "$work/ratios" time)" "$(median "$work/ratios" all)" \
		"$(median "$work/ratios" touch)" "$(median "$work/ratios" count)" "$(median "$work/ratios" sample)" |
		tee -a "$work/all_ratios"
}

# What a program takes more before main() and after it, in ms.
ends() {
	printf 'int main(void) { return 0; }\n' >"$work/ends.c"
	"$WRAPPER" --access $CC -w -O2 -fopenmp "$work/ends.c" -o "$work/ends"
	i=0
	while [ $i -lt $((3 * rounds)) ]; do
		for sample in off touch hook; do
			echo "$sample $(OMPP_SAMPLE=$sample wall "$work/ends")"
		done
		i=$((i + 1))
	done >"$work/times"
	for sample in off touch hook; do
		eval "$sample=$(median "$work/times" $sample)"
	done
	awk -v off="$off" -v touch="$touch" -v hook="$hook" 'BEGIN {
		printf "a program that does nothing: %.1f ms; with first touches %.1f ms more, with hooks %.1f ms more\n",
			off * 1000, (touch - off) * 1000, (hook - off) * 1000 }'
}

samples() {
	hooked access_matvec.c matvec
	printf '%-12s %9s %8s %8s %8s %8s   %s\n' program 'counted s' all touch 'down' samples \
		'(all: to counting alone; of it: first touches, counting down, samples)'
	turns row "$work/matvec.ompp" row
	turns column "$work/matvec.ompp" column
	folder=$srcdir/tests/access/kernels
	$CC -w -O2 -c "$folder/kernel.c" -o "$work/kernel.o"
	for source in "$folder"/*.c; do
		name=$(basename "${source%.*}")
		[ "$name" != kernel ] || continue
		"$WRAPPER" --access=hooks $CC -w -O2 -fopenmp -DSCALE=300 -DSIDE=16 -I"$folder" "$source" "$work/kernel.o" -lm \
			-o "$work/ompp"
		turns "$name" timed ompp "$work/ompp"
	done
	awk '{ for (i = 3; i <= 6; i++) sum[i] += log($i) }
		END { printf "%-12s %9s", "geom. mean", ""; for (i = 3; i <= 6; i++) printf " %8.3f", exp(sum[i] / NR); print "" }' \
		"$work/all_ratios"
	ends
}

npb() {
	printf '%-8s %-5s %7s %10s %10s %10s %12s %12s\n' program level threads plain hooks access hooks/plain access/plain
	for name in cg ft mg; do
		for level in -O2 -O3; do
			npb_flags="-w $level -fopenmp $src/npb_$name.c -lm"
			$CC $npb_flags -o "$work/npb.plain"
			"$WRAPPER" --access=hooks $CC $npb_flags -o "$work/npb.hooks"
			"$WRAPPER" --access $CC $npb_flags -o "$work/npb.access"
			for threads in 1 2; do
				i=0
				while [ $i -lt "$rounds" ]; do
					for build in plain hooks access; do
						seconds=$(OMP_NUM_THREADS=$threads "$work/npb.$build") ||
							{ echo "npb: $name, $level, $build: the result is wrong" >&2; exit 1; }
						echo "$build $seconds"
					done
					i=$((i + 1))
				done >"$work/times"
				for build in plain hooks access; do
					eval "$build=$(median "$work/times" $build)"
				done
				printf '%-8s %-5s %7s %10s %10s %10s %12s %12s\n' $name $level $threads "$plain" "$hooks" "$access" \
					"$(ratio "$hooks" "$plain")" "$(ratio "$access" "$plain")" | tee -a "$work/npb"
			done
		done
	done
	awk '{ hooks += log($7); access += log($8) }
		END { printf "%-12s %52.2f %12.2f\n", "geom. mean", exp(hooks / NR), exp(access / NR) }' "$work/npb"
}

# wall COMMAND…: seconds
wall() {
	start=$(date +%s%N)
	"$@" >/dev/null 2>&1
	end=$(date +%s%N)
	awk -v n=$((end - start)) 'BEGIN { printf "%.6f", n / 1e9 }'
}

tools() {
	$CC $flags -DN=1000 "$src/access_matvec.c" -o "$work/plain"
	hooked access_matvec.c matvec -DN=1000
	OMP_NUM_THREADS=1
	i=0
	while [ $i -lt "$rounds" ]; do
		for order in row column; do
			echo "$order plain $(wall "$work/plain" $order)"
			echo "$order ompp $(wall "$work/matvec.ompp" $order)"
			echo "$order cachegrind $(wall valgrind --tool=cachegrind --cache-sim=yes \
				--cachegrind-out-file=/dev/null "$work/plain" $order)"
			[ $i -gt 0 ] || echo "$order lackey $(wall valgrind --tool=lackey --trace-mem=yes \
				--log-file=/dev/null "$work/plain" $order)"
		done
		i=$((i + 1))
	done >"$work/times"
	printf '%-8s %10s %10s %10s %10s   (whole program, n = 1000)\n' order plain libompp cachegrind lackey
	for order in row column; do
		printf '%-8s %10s %10s %10s %10s\n' $order $(for build in plain ompp cachegrind lackey; do
			median "$work/times" "$order $build"
			echo
		done)
	done
}

$CC -w -O2 -c "$src/access_empty.c" -o "$work/empty.o"
for part; do
	$part
done
