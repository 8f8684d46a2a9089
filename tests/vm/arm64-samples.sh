# arm64-samples: samples by access hooks on 64-bit ARM, where the clock that programs can read has 1 GHz: with a period of 1
# they are the exact counts of each kind of access, also in a library; what may be timed is, and the program says the same.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/vm.sh"
. "$srcdir/tests/vm/cross.sh"

cross_need aarch64
vm_libraries=$cross_folder/.libs
vm_need
vm_packages
cross_build libompp.la libompp_openmp.la libompp_access.la include/ompp.h
# The processor guards the library's branch targets.  Debian's crt files have no marks for them, so it goes without.
kinst --access $cross-gcc -O2 -shared -fPIC -mbranch-protection=standard -nostartfiles -Wl,-z,force-bti \
	"$srcdir/tests/runtime/samples_hook_library.c" -o library.so 2>said || { cat said; fail 'library'; }
! grep 'BTI turned on' said || fail 'the library has code without marks'
kinst --access $cross-gcc -O2 -g -fopenmp "$srcdir/tests/runtime/samples_hook.c" -o hooked -ldl || fail 'the program'
cat >guards.c <<'END'
/* guards: loads a library, and prints the flags of its code in memory. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	void *library = dlopen(argv[argc - 1], RTLD_NOW);
	FILE *maps = fopen("/proc/self/smaps", "r");
	char line[512];
	int is_code = 0;

#pragma omp parallel
	;
	while (library && maps && fgets(line, sizeof(line), maps))
		if (strstr(line, argv[argc - 1]))
			is_code = strstr(line, " r-xp ") != NULL;
		else if (is_code && !strncmp(line, "VmFlags:", 8))
			fputs(line, stdout);
	return 0;
}
END
kinst --access $cross-gcc -O1 -fopenmp guards.c -o guards -ldl || fail 'guards.c'
vm_add /bin hooked guards
vm_add /lib library.so /usr/$cross/lib/libgcc_s.so.1

cat >script <<'END'
export OMPP_OUTFORMAT=CSV OMPP_PROFILE=0 OMPP_REPORTFILE=report OMPP_QUIET=1 OMPP_HOT=0 OMP_NUM_THREADS=2
export OMP_WAIT_POLICY=passive OMPP_SAMPLE_PERIOD=1
for sample in off hook; do
	mkdir $sample
	cd $sample
	OMPP_SAMPLE=$sample hooked kinds /lib/library.so >out 2>err
	echo $? >status
	OMPP_SAMPLE=$sample OMPP_REPORTFILE=none guards /lib/library.so >guards
	cd ..
done
END
vm_cpu=max,pauth-impdef=on,cntfrq=1000000000 vm_cpus=2
vm_run machine script || fail "status $?"
cd machine
for sample in off hook; do
	[ "$(cat $sample/status)" = 0 ] || fail "$sample: status $(cat $sample/status): $(cat $sample/out $sample/err)"
	! grep '^Note.*OMPP_SAMPLE' $sample/report || fail "$sample: a note"
	grep -q ' bt' $sample/guards && ! grep -v ' bt' $sample/guards || fail "$sample: no guard: $(cat $sample/guards)"
done
same 'what the program says' off/out hook/out
grep -q '^Latencies,.*cntvct ticks' hook/report || fail "the clock: $(grep '^Latencies' hook/report)"

# rows RUN TABLE COLUMN…: the values of these columns, a line each
rows() {
	run=$1 table=$2
	shift 2
	awk -F, -v table="$table" -v columns="$*" '
		$0 == "##BEG " table { inside = 1; n = split(columns, c, " "); getline; for (i = 1; i <= NF; i++) at[$i] = i; next }
		/^##END/ { inside = 0 }
		inside { for (i = 1; i <= n; i++) printf "%s%s", $at[c[i]], i < n ? " " : "\n" }' "$run/report"
}
rows off 'data objects' object loads stores atomics >off/counts
rows hook 'data objects' object loads stores atomics >hook/counts
same 'the counts with samples' off/counts hook/counts
for object in plain volatiles atomics blocks theirs; do
	counted=$(awk -v o=$object '$1 == o { print $2, $3 + $4 }' hook/counts)
	sampled=$(rows hook 'sampled accesses' object kind accesses | awk -v o=$object '$1 == o { n[$2] += $3 } END { print n["loads"] + 0, n["stores"] + 0 }')
	[ -n "$counted" ] && [ "$counted" = "$sampled" ] || fail "$object: counted $counted, sampled $sampled"
done
[ "$(awk '$1 == "theirs"' hook/counts)" = 'theirs 1 1000 0' ] || fail "the library: $(cat hook/counts)"
rows hook 'sampled accesses' object kind latency >hook/latencies
awk '($1 == "volatiles" || $1 == "atomics" && $2 == "stores") && $3 != "-" { bad = 1 } $1 == "plain" && $3 > 0 { n++ } END { exit bad || n != 2 }' \
	hook/latencies || fail "latencies: $(cat hook/latencies)"
