# language: compilers that speak another language than English are understood, and go on speaking it to the user
. "$srcdir/tests/lib.sh"
mkdir locales
localedef -i de_DE -f UTF-8 ./locales/de_DE.UTF-8 >/dev/null 2>&1 || skip "no sources of locales are installed (locales)"
cat >program.c <<'C'
#include <stdio.h>
int main(void)
{
	int sum = 0;
#pragma omp inst data(nowhere, 8, "nowhere")
#pragma omp parallel reduction(+ : sum)
	sum += 1;
	printf("%d\n", sum > 0);
	return 0;
}
C
sed 's/int sum = 0;/int sum = 0; undeclared = 1;/' program.c >wrong.c
german() {
	LOCPATH="$PWD/locales" LC_ALL=de_DE.UTF-8 "$@"
}
german gcc -c wrong.c -o wrong.o 2>plain.err && fail "the wrong program compiles"
grep -q 'Fehler:' plain.err || skip "gcc speaks no German here (gcc-12-locales)"

# What kinst says of a directive is what it says in English, and the rest of the file is measured.
kinst gcc -fopenmp program.c -o english 2>english.err || fail "gcc: $(cat english.err)"
german kinst gcc -fopenmp program.c -o ours 2>german.err || fail "gcc in German: $(cat german.err)"
same "what kinst says" english.err german.err
OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=$PWD/report OMPP_QUIET=1 ./ours >out || fail "the program: $?"
[ "$(csv_field report PARALLEL 0 execC)" = 1 ] || fail "the region is not measured"

# The user's own errors are in the user's language.
german kinst gcc -fopenmp -c wrong.c -o wrong.o 2>german.err && fail "the wrong program compiles by kinst"
grep -q 'Fehler:' german.err || fail "the user's errors: $(cat german.err)"
