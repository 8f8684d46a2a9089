# clean: names of strangers (regions, data, files, variables, arguments) give no terminal and no log a control character;
# spreadsheets get nothing to run; csv-raw has the names as they are
. "$srcdir/tests/lib.sh"

esc=$(printf '\033')
c1=$(printf '\302\233')
bidi=$(printf '\342\200\256')
bad=$(printf '\377')
nasty="n${esc}[2J${c1}1m${bidi}x$bad"
file="f${esc}[31m.c"
cat >"$file" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <ompp.h>

static const char name[] = "=n\033[2J\302\2331m\342\200\256x\377\nR00009";

int main(void)
{
	double *a = malloc(8000);

	ompp_data_begin(a, 8000, name);
	ompp_region_begin(name);
#pragma omp parallel for
	for (int i = 0; i < 1000; i++)
		a[i] = i;
	ompp_region_end(name);
	free(a);
	return 0;
}
C

# dirty FILE…: has it what a terminal would obey?
dirty() {
	LC_ALL=C grep -q -e '[[:cntrl:]]' -e "$(printf '\302[\200-\237]')" -e "$bidi" -e "$bad" "$@"
}
printf '%s\n' "$nasty" >sample
dirty sample || fail 'the test sees nothing'

# kinst: the text of its own messages, the listing of its steps
kinst --access gcc -fopenmp "$file" -o prog 2>err || fail "kinst: $(cat err)"
! dirty err || fail 'kinst'
kinst --dry-run gcc -fopenmp "$file" -o prog >out 2>err || fail 'kinst --dry-run'
! dirty out err || fail 'kinst --dry-run'
kinst "--$nasty" gcc 2>err && fail "kinst --$nasty"
grep -qF 'kinst: --n\x1b[2J\u009b1m\u202ex\xff: unknown option' err && ! dirty err || fail "kinst's options: $(cat err)"
cat >"bad$file" <<'C'
int main(void)
{
#pragma omp inst dta(a)
	return 0;
}
C
kinst gcc -fopenmp "bad$file" -o bad 2>err || fail 'kinst of a misspelt directive'
grep -qF 'f\x1b[31m.c' err && ! dirty err || fail "kinst's messages: $(cat err)"

# the program: stderr, the text report, CSV
run() {
	env "OMPP_A$nasty=1" "OMP_$nasty=$nasty" "OMPP_MEM=$nasty" "OMPP_FILTER=$nasty" OMPP_OUTFORMAT="$1" \
		OMPP_REPORTFILE="$PWD/report" OMP_NUM_THREADS=2 ./prog "$nasty" =arg >out 2>err || fail "$1: status"
	! dirty err || fail "$1: stderr: $(cat -v err)"
}
run PLAIN
grep -qF 'OMPP_An\x1b[2J\u009b1m\u202ex\xff: unknown variable' err || fail "messages: $(cat -v err)"
! dirty report || fail "the text report: $(LC_ALL=C grep -n '[[:cntrl:]]' report | cat -v | head -5)"
grep -qF '(=n\x1b[2J\u009b1m\u202ex\xff\nR00009)' report || fail "the name of the region: $(cat -v report)"
grep -qF 'f\x1b[31m.c (13-15)' report || fail 'the name of the file'
grep -q '^=n.x1b.*R00009 ' report || fail 'the name of the data'
for view in overview flat callpath data; do
	ompp report --view=$view report.ompp >out 2>err && ! dirty out err || fail "ompp report --view=$view"
done
ompp report --format=csv --view=all report.ompp >csv || fail 'ompp report --format=csv'
! dirty csv || fail "CSV: $(LC_ALL=C grep -n '[[:cntrl:]]' csv | cat -v | head -5)"
grep -qF "USER REGION,f\\x1b[31m.c,12,12,'=n\\x1b[2J\\u009b1m\\u202ex\\xff\\nR00009" csv || fail "a name in CSV: $(cat -v csv)"
! grep -E '(^|,)"?[=+@]' csv || fail 'a formula in CSV'
run CSV
! dirty report || fail 'CSV by the program'
run CSV-RAW
ompp report --format=csv-raw --view=all report.ompp >csv || fail 'ompp report --format=csv-raw'
same 'csv-raw' csv report
tr '\n' ' ' <report | grep -qaF "USER REGION,$file,12,12,\"=$nasty R00009\"" || fail 'the name in csv-raw'

# ompp: what it lists and complains about
ompp regions prog >out 2>err && ! dirty out err || fail 'ompp regions'
grep -qF 'f\x1b[31m.c:13-15 PARALLEL LOOP' out || fail "ompp regions: $(cat -v out)"
ompp regions report.ompp >out 2>err && ! dirty out err || fail 'ompp regions of a profile'
ompp "$nasty" 2>err || [ $? -eq 2 ] || fail 'ompp: status'
ompp report "$nasty" 2>>err || ompp report "--region=$nasty" report.ompp 2>>err || ompp run "./$nasty" 2>>err ||
	ompp report "--view=$nasty" report.ompp 2>>err || ompp counters "ACC_LD($nasty)" "$nasty" >>err 2>&1 || :
[ "$(grep -c '^ompp: ' err)" -ge 6 ] && ! dirty err || fail "ompp's complaints: $(cat -v err)"
