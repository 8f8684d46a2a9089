# annotate: the source has the numbers of the report beside its lines, and says what is not found, or has changed
. "$srcdir/tests/lib.sh"

cp "$srcdir/examples/imbalance.c" "$srcdir/examples/spin.h" .
cat >data.c <<'END'
#include <stdio.h>
enum { N = 4096 };
static double a[N], b[N];
int main(void)
{
	double sum = 0;
	#pragma omp parallel
	{
		#pragma omp for schedule(static)
		for (int i = 0; i < N; i++)
			a[i] = i;
		#pragma omp for schedule(static) reduction(+ : sum)
		for (int i = 0; i < N; i++)
			sum += a[i] + b[i];
	}
	printf("%g\n", sum);
	return 0;
}
END
export OMP_NUM_THREADS=2 OMPP_QUIET=1 OMPP_OVERWRITE=1 OMPP_HOT=0 # whose column is seen in hot.sh
kinst $CC -O1 -g -fopenmp imbalance.c -o imbalance && ./imbalance >printed
kinst --access $CC -O1 -g -fopenmp data.c -o data && OMPP_DATA_NAME=a,b OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=1 ./data >printed

# ---- a page shows the source as it is, with its tabs ----

ompp report --format=html --source data.2.ompp >page.html || fail "status $?"
grep -Fq '"\t\t\tsum += a[i] + b[i];"' page.html || fail 'a line with tabs is not in the page'

# ---- times and counts are those of the report ----

ompp report --format=csv imbalance.2.ompp >report.csv
ompp annotate --format=csv imbalance.2.ompp >lines.csv || fail "status $?"
[ "$(head -n 1 lines.csv)" = 'file,line,execT,(%),waiting,execC,source' ] || fail "titles: $(head -n 1 lines.csv)"
for region in PARALLEL:19 MASTER:23 BARRIER:25 LOOP:29; do
	line=$(awk -F, -v line="${region#*:}" '$2 == line { print $3 "," $6 }' lines.csv)
	[ "$line" = "$(csv_field report.csv $region SUM execT),$(csv_field report.csv $region SUM execC)" ] || fail "$region: $line"
done
[ "$(wc -l <lines.csv)" -eq 5 ] || fail "lines: $(cat lines.csv)"
waiting=$(awk -F, '$2 == 29 { print $5 }' lines.csv)
[ "$waiting" = "$(csv_field report.csv LOOP:29 SUM exitBarT)" ] || fail "waiting: $waiting"
# a page has the same sums by line, those of a barrier included, which is nothing but waiting
awk -F, '$2 ~ /^[0-9]/ { print $2, $3 * 1e9, $5 * 1e9, $6 }' OFMT=%.0f CONVFMT=%.0f lines.csv >want
ompp report --format=html --source imbalance.2.ompp |
	grep -o '{"line":[0-9]*,"exec":[0-9]*,"waiting":[0-9]*,"count":[0-9]*' | tr -cs '0-9\n' ' ' | sed 's/^ //' >sums
same 'sums by line in a page' want sums
awk '$1 == 25 { alike = ($2 > 0 && $2 == $3) } END { exit !alike }' sums || fail "the barrier: $(cat sums)"
ompp annotate imbalance.2.ompp >text || fail "status $?"
grep -q '^ *29 .*[0-9] *20  *#pragma omp for schedule(static, 1)$' text || fail "text: $(cat text)"
! grep -q '^ *8 ' text || fail "lines far from all numbers: $(cat text)"
ompp annotate --all imbalance.2.ompp >all
[ "$(grep -c '^ *[0-9][0-9]* ' all)" -eq "$(wc -l <imbalance.c)" ] || fail 'not all lines'
ompp annotate --region=imbalance.c:25 --format=csv imbalance.2.ompp | cut -d , -f 2 | tr '\n' ' ' >chosen
[ "$(cat chosen)" = 'line 19 25 ' ] || fail "the barrier, and the region around it: $(cat chosen)"

# ---- accesses of regions, and samples of lines: with a period of 1 each access is one ----

ompp annotate --format=csv --object=a data.2.ompp >lines.csv || fail "status $?"
value() { awk -F, -v line="$1" -v title="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == title) at = i } $2 == line { print $at }' lines.csv; }
[ "$(value 9 stores)" = 4096 ] && [ "$(value 9 loads)" = 0 ] && [ "$(value 12 loads)" = 4096 ] || fail "accesses: $(cat lines.csv)"
! has_sample_clock || { [ "$(value 11 samples)" = 4096 ] && [ "$(value 14 samples)" = 4096 ] && [ -z "$(value 9 samples)" ]; } || fail "samples: $(cat lines.csv)"
ompp annotate --format=csv data.2.ompp >lines.csv
[ "$(value 12 loads)" -ge 8192 ] || fail "all objects: $(cat lines.csv)"
! has_sample_clock || [ "$(value 14 samples)" -ge 8192 ] || fail "all objects: $(cat lines.csv)"
ompp annotate data.2.ompp >text
grep -q 'sum += a\[i\] + b\[i\];$' text || fail "text: $(cat text)"
! has_sample_clock || grep -q '~: not exact but sampled' text || fail "text: $(cat text)"

# ---- files of regions come first, those of accesses alone behind them ----

mkdir first
echo 'static __attribute__((noinline)) double twice(const double *x) { return 2 * *x; }' >first/header.h
sed 's|^enum|#include "first/header.h"\nenum|; s|a\[i\] + b|twice(\&a[i]) + b|' data.c >files.c
kinst --access $CC -O1 -g -fopenmp files.c -o files && OMPP_DATA_NAME=a,b OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=1 ./files >printed
ompp annotate files.2.ompp | grep '^[^ ]*/\(files\.c\|header\.h\)$' >listed
! has_sample_clock || [ "$(sed 's|.*/||' listed | head -n 2 | tr '\n' ' ')" = 'files.c header.h ' ] || fail "files: $(cat listed)"

# ---- what is chosen stands beside the lines alone ----

OMPP_CTR=page-faults,task-clock OMPP_DATA_NAME=a,b OMPP_CACHE=L1=4K/2/64 OMPP_APPNAME=all ./data >printed
ompp annotate --format=csv --object=b data.2.ompp >lines.csv || fail "status $?"
[ "$(head -n 1 lines.csv | cut -d , -f 3)" = loads ] && ! head -n 1 lines.csv | grep -q 'execT' || fail "--object: $(head -n 1 lines.csv)"
lines='line 12 '
! has_sample_clock || lines='line 12 14 '
[ "$(cut -d , -f 2 lines.csv | tr '\n' ' ')" = "$lines" ] && [ "$(value 12 loads)" = 4096 ] && [ "$(value 12 stores)" = 0 ] ||
	fail "the lines of b: $(cat lines.csv)"
ompp annotate --format=csv --object=a all.2.ompp >lines.csv || fail "status $?"
ompp report --format=csv --view=data all.2.ompp >report.csv
misses=$(awk -F, '/^a,/ && !found { print; found = 1 }' report.csv)
[ "$(value 9 'L1 misses')" -ge 256 ] && [ "$(value 9 stores)" = 4096 ] || fail "misses of a: $(cat lines.csv); $misses"
ompp annotate --object=a all.2.ompp | grep -q 'Misses are modelled' || fail 'misses are not called modelled'
ompp annotate --format=csv --counter=page-faults all.2.ompp >lines.csv || fail "status $?"
[ "$(head -n 1 lines.csv)" = 'file,line,page-faults,source' ] || fail "--counter: $(head -n 1 lines.csv)"
ompp report --format=csv all.2.ompp >report.csv
for region in LOOP:9 LOOP:12; do
	[ "$(value "${region#*:}" page-faults)" = "$(csv_field report.csv $region SUM page-faults)" ] || fail "page-faults of $region: $(cat lines.csv)"
done
ompp annotate --counter=page-faults all.2.ompp | grep -q '^ *page-faults: exact' || fail "the counter's certainty is not told"
ompp annotate --format=csv --counter=task-clock,page-faults all.2.ompp | head -n 1 | grep -q '^file,line,page-faults,task-clock,source$' || fail 'two counters'
if has_sample_clock; then
	ompp annotate --format=csv --samples data.2.ompp >lines.csv || fail "status $?"
	[ "$(head -n 1 lines.csv | cut -d , -f -4)" = 'file,line,samples,(%)~' ] || fail "--samples: $(head -n 1 lines.csv)"
	ompp annotate --format=csv --samples --object=b data.2.ompp >lines.csv || fail "status $?"
	[ "$(wc -l <lines.csv)" -eq 2 ] && [ "$(value 14 samples)" = 4096 ] && [ "$(value 14 '(%)~')" = 100.000000 ] || fail "samples of b: $(cat lines.csv)"
fi

# ---- what cannot be shown is said ----

said() { # said WORDS OPTION...: the command fails, and says the words
	words=$1
	shift
	! ompp annotate "$@" >out 2>what && grep -q "^ompp: $words" what || fail "'$*': $(cat out what)"
}
said "--counter: unknown word 'page-fault'; did you mean 'page-faults'" --counter=page-fault all.2.ompp
said '--counter: the profile has no counters; ' --counter=page-faults imbalance.2.ompp
said '--counter: no name; ' --counter= all.2.ompp
said '--samples: the profile has no samples; ' --samples imbalance.2.ompp
said "--object: no data object 'zebra'; " --object=zebra data.2.ompp


touch -d 'tomorrow' data.c
ompp annotate data.2.ompp | grep -q 'was changed after the run began' || fail 'a file that was changed'
rm data.c
! ompp annotate data.2.ompp >out 2>said || fail 'a file that is gone'
grep -q '^ompp: .*/data.c: not found here; ' said || fail "said: $(cat said)"
! ompp annotate --file=other.c imbalance.2.ompp >out 2>said || fail 'a file that is not in the profile'
grep -q "^ompp: --file: no source file 'other.c'" said || fail "said: $(cat said)"
ompp annotate --file=imbalance.c imbalance.2.ompp | grep -q 'pragma omp for' || fail '--file'
for wrong in '' '--wrong imbalance.2.ompp' '--object=zebra data.2.ompp' '--format=html imbalance.2.ompp' 'imbalance.2.ompp data.2.ompp' printed; do
	! ompp annotate $wrong >out 2>said && grep -q '^ompp: ' said || fail "'$wrong': $(cat out said)"
done
has_sample_clock || skip 'samples: this processor has no clock for them'
