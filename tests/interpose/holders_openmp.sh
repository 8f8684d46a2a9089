# holders_openmp: who had a critical section or an OpenMP lock while others waited for it, in programs that kinst did not build:
# programs of chance, whose holders sleep at known places while others wait, write the same themselves
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/measure.sh"

# Each phase has a place that gets a lock in one of several ways, and one at which the other threads wait for it.
make_program() {
	awk -v seed="$1" '
	function chance(n) { return int(rand() * n) }
	BEGIN {
		srand(seed)
		n_kinds = split("\n#pragma omp critical|\n#pragma omp critical(name)|omp_set_lock(\\&l[1]);|omp_set_nest_lock(\\&k);|omp_set_lock(\\&l[2]);", get, "|")
		for (i = 1; i <= n_kinds; i++) gsub(/\\/, "", get[i])
		split("||omp_unset_lock(\\&l[1]);|omp_unset_nest_lock(\\&k);|omp_unset_lock(\\&l[2]);", free, "|")
		for (i = 1; i <= n_kinds; i++) gsub(/\\/, "", free[i])
		test[3] = "while (!omp_test_lock(&l[1])) { }"; test[4] = "while (!omp_test_nest_lock(&k)) { }"; test[5] = "while (!omp_test_lock(&l[2])) { }"
		n = 1 + chance(4) # threads that wait
		print "#include <omp.h>\n#include <stdatomic.h>\n#include <stdio.h>\n#include <time.h>\n#include <unistd.h>"
		print "enum { N = " n " };\nstatic omp_lock_t l[4];\nstatic omp_nest_lock_t k;\nstatic volatile int zero;"
		print "static _Atomic int n_here, n_own[1000], is_busy;\nstatic double own[1000];\nstatic int held_by[1000];"
		print "static double now(void)\n{\n\tstruct timespec t;\n\tclock_gettime(CLOCK_MONOTONIC, &t);\n\treturn (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;\n}"
		print "static void hold(int by, int at)\n{\n\theld_by[at] = by;\n\tn_here++;\n\twhile (n_here < N + 1) usleep(1000);\n\tusleep(40000);\n}"
		print "static void take(int at, double t)\n{\n\twhile (atomic_exchange(&is_busy, 1)) { }\n\town[at] += t;\n\tis_busy = 0;\n\tn_own[at]++;\n}"
		n_phases = 3 + chance(4)
		for (i = 0; i < n_phases; i++) {
			kind = 1 + chance(n_kinds)
			how = kind in test && chance(2) ? test[kind] : get[kind]
			again = kind == 4 && chance(2) # a call more in the same line: of the holder, or before it
			before = kind > 2 && chance(2) ? get[kind] " " free[kind] " " : ""
			print "enum { WAIT" i " = __LINE__ + 4 };\nstatic void wait" i "(void)\n{\n\tdouble t = now(); n_here++;"
			if (kind < 3) {
				print substr(get[kind], 2) "\n\t{ t = now() - t; }"
			} else
				print get[kind] " t = now() - t; " free[kind]
			print "\ttake(WAIT" i ", t);\n}"
			print "enum { GET" i " = __LINE__ + 3 };\nstatic void get" i "(void)\n{"
			if (kind < 3) {
				print substr(how, 2) "\n\thold(GET" i ", WAIT" i ");"
			} else
				print before how (again ? " " get[kind] " int nested = 1;" : "") " hold(GET" i ", WAIT" i "); " (again ? "if (nested) " free[kind] : "") " " free[kind]
			print "\tzero++;\n}"
		}
		print "int main(void)\n{\n\tfor (int i = 0; i < 4; i++)\n\t\tomp_init_lock(&l[i]);\n\tomp_init_nest_lock(&k);"
		print "#pragma omp parallel num_threads(N + 1)\n\t{\n\t\tint is_holder = omp_get_thread_num() == 0;"
		for (i = 0; i < n_phases; i++)
			print "\t\tif (is_holder)\n\t\t\tget" i "();\n\t\telse {\n\t\t\twhile (!n_here)\n\t\t\t\tusleep(1000);\n\t\t\twait" i "();\n\t\t}\n#pragma omp barrier\n#pragma omp single\n\t\tn_here = 0;"
		print "\t}\n\tfor (int i = 0; i < 1000; i++)\n\t\tif (n_own[i])\n\t\t\tfprintf(stderr, \"own %d %d %d %.6f\\n\", i, held_by[i], n_own[i], own[i]);"
		print "\treturn 0;\n}"
	}' >"program$1.c"
}

# pairs REPORT: "waiter's line, holder's line, waits, seconds" of each row.
pairs() {
	awk -F, '
		/^##BEG holders of locks/ { on = 1; next }
		/^##END holders of locks/ { on = 0 }
		on && /^region,/ { for (i = 1; i <= NF; i++) at[$i] = i; next }
		on { print $at["begin"], $at["holder"] == "-" ? "-" : $at["holder line"], $at["waits"], $at["waitT"] }' "$1" | sort -n
}

of_chance() {
	measure program.csv ompp run ./program || fail "$compiler, program $seed: $(cat said)"
	pairs program.csv >pairs
	sed -n 's/^own //p' said | sort -n >own
	awk '
		function apart(a, b) { return a > b ? a - b : b - a }
		NR == FNR { own[$1, $2] = $3; own_t[$1, $2] = $4; n++; next }
		{ if (own[$1, $2] != $3 || apart($4, own_t[$1, $2]) > 0.01 + own_t[$1, $2] / 10) { print "not so: " $0; bad = 1 } else n-- }
		END { exit bad || n }' own pairs
}

echo 'int main(void) { return 0; }' >it.c
for compiler in "$CC" "$CLANG"; do
	[ -n "$compiler" ] && $compiler -fopenmp it.c -o it 2>/dev/null && ./it || continue
	for seed in 1 2 3 4 5; do
		make_program $seed
		$compiler -std=gnu11 -O1 -g -fno-inline -fopenmp program$seed.c -o program
		retry 10 of_chance || fail "$compiler, program $seed: $(cat pairs); itself: $(cat own)"
	done
done

# Nobody waits where each has a lock of its own, nor where one thread sets a nested one once more.
cat >nobody.c <<'C'
#include <omp.h>
int main(void)
{
#pragma omp parallel num_threads(4)
	{
		omp_nest_lock_t k;
		omp_init_nest_lock(&k);
		for (int i = 0; i < 1000; i++) {
			omp_set_nest_lock(&k);
			omp_set_nest_lock(&k);
			omp_unset_nest_lock(&k);
			omp_unset_nest_lock(&k);
		}
	}
	for (int i = 0; i < 1000; i++) {
#pragma omp critical
		{
		}
	}
	return 0;
}
C
$CC -O1 -g -fopenmp nobody.c -o nobody
measure nobody.csv ompp run ./nobody || fail "nobody: $(cat said)"
[ -z "$(pairs nobody.csv)" ] || fail "nobody waits: $(pairs nobody.csv)"
