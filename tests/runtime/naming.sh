# naming: private ranges, nested and moved ones, OMPP_DATA_*, OMPP_CTR1, shared lines, const data, unhooked files, words
. "$srcdir/tests/lib.sh"

export OMPP_OUTFORMAT=CSV OMPP_PROFILE=0 OMPP_REPORTFILE=report.csv
flags="-O1 -g -fopenmp -no-pie -fno-pie"

# object NAME COLUMN: prints the column of an object, from the table of objects.
object() {
	awk -F, -v name="$1" -v column="$2" '
		/^##BEG data objects$/ { inside = 1; getline; for (i = 1; i <= NF; i++) col[$i] = i; next }
		/^##END/ { inside = 0 }
		inside && $1 == name { print $col[column]; exit }' report.csv
}

expect() {
	[ "$(object "$1" "$2")" = "$3" ] || fail "$what: $1: $2 is '$(object "$1" "$2")', not '$3'"
}

run() {
	what=$1
	shift
	"$@" 2>err || fail "$what: ends with $?"
}

kinst --access $CC $flags "$srcdir/tests/runtime/naming.c" -o hooked
kinst --no-access $CC $flags "$srcdir/tests/runtime/naming.c" -o plain

run names ./hooked names
expect mine stores 80
expect mine threads 2
expect mine min 40
expect mine class private
expect pairs stores 20
expect right stores 10
expect row stores 200

run address ./hooked address
OMPP_DATA_ADDR=$(head -1 err) OMPP_DATA_SIZE=$((50 * 8)) OMPP_DATA_NAME=half run address ./hooked address
expect half stores 50
expect half bytes 400
OMPP_DATA_ADDR=here OMPP_DATA_SIZE=8 run address ./hooked address
grep -q '^ompp: OMPP_DATA_ADDR: here: not an address; ' err || fail "a bad address: $(cat err)"
OMPP_DATA_ADDR=4096 OMPP_DATA_NAME=x run address ./hooked address
grep -q '^ompp: OMPP_DATA_SIZE: x: no size is given; ' err || fail "no size: $(cat err)"
OMPP_DATA_NAME=fixed run symbol ./hooked
expect fixed stores 70
OMPP_DATA_NAME=fixde run symbol ./hooked
grep -q 'fixde.*fixed' err || fail "a misspelt name: $(cat err)"
OMPP_DATA_NAME=fixed OMPP_CTR1=PAPI_SR_INS OMPP_CTR2=PAPI_LST_INS run counter ./hooked names
[ "$(csv_field report.csv PARALLEL SUM 'PAPI_SR_INS(fixed mine pairs ...)')" = 80 ] || fail "PAPI_SR_INS: not 80 in the team"
# what lies in two objects counts once
[ "$(csv_field report.csv 'USER REGION:nested' SUM 'PAPI_SR_INS(fixed mine pairs ...)')" = 220 ] ||
	fail "PAPI_SR_INS: not 220 where ranges are nested"
OMPP_CTR='ACC_ST,ACC_ST(*),ACC_ST(right),ACC_ST(rigth)' run counter ./hooked names
for pair in ACC_ST=282 'ACC_ST(*)=220' 'ACC_ST(right)=10' 'ACC_ST(rigth)=-'; do
	[ "$(csv_field report.csv 'USER REGION:nested' SUM "${pair%=*}")" = "${pair#*=}" ] || fail "$pair: $(cat report.csv)"
done
grep -q 'ACC_ST(rigth), not counted[:,] no data is named rigth; did you mean right?' report.csv || fail "a misspelt object"
OMPP_CTR=ACC_ST run counter ./plain
grep -q 'ACC_ST, not counted[:,] the program has no access hooks; build it with kinst --access' report.csv ||
	fail "access counts without hooks: $(grep CTR report.csv)"
OMPP_CTR1=PAPI_LD_INT run counter ./hooked names
grep -q 'OMPP_CTR1=PAPI_LD_INT: not counted: .*did you mean PAPI_LD_INS?' err || fail "a misspelt counter: $(cat err)"

for program in hooked plain; do
	run impossible timeout 60 ./$program impossible
	for note in 'negative: its size is negative (-56 bytes); ' "kernel's: 0xffffffffffffff9b is not an address " \
		'endless: its 4611686018427387903 bytes would end past the address space; '; do
		[ "$(grep -c "Not named: $note" report.csv)" = 1 ] || fail "impossible, $program: no note '$note': $(grep Note report.csv)"
	done
done
run impossible timeout 60 ./hooked impossible
expect huge stores 8

OMPP_SHARING=1 run lines ./hooked lines
expect counters class shared-written
awk -F, '/^##BEG .*lines/ { inside = 1 } inside' report.csv >shared.txt
grep -q '^counters,' shared.txt || fail "counters: not among the shared lines: $(cat shared.txt)"
! grep -q '^padded,' shared.txt || fail "padded: among the shared lines"
grep '^counters,' shared.txt | grep -q ',2000,' || fail "counters: not 2000 stores: $(cat shared.txt)"

[ -z "$CLANG" ] || kinst --access $CLANG $flags "$srcdir/tests/runtime/naming.c" -o clang
for program in hooked ${CLANG:+clang}; do
	run "const, $program" ./$program const
	expect table loads -
	expect table class -
	grep -q 'constant data, whose reads compilers do not all hook' report.csv || fail "$program: const: no note"
done

# in a program without hooks, words are counted by breakpoints, where the system allows it, and larger data not at all
run words ./plain words
if [ "$(object word accesses)" != - ]; then
	expect word accesses 25
	expect word stores 5
else
	echo "breakpoints: $(grep -o 'Not counted: word[^"]*' report.csv)"
	grep -q '^Note,"*Not counted: word' report.csv || fail "words: not counted, and no note"
fi
OMPP_DATA_NAME=fixed run unhooked ./plain
expect fixed stores -
grep -q 'Not counted: fixed: the program has no access hooks' report.csv || fail "unhooked: no note"

# some files with hooks, some without
cat >part.c <<'PART'
int part(int i) { return i + 1; }
PART
cat >other.c <<'OTHER'
long shared[8];
int part(int i);
int main(void)
{
#pragma omp inst data(shared)
	for (int i = 0; i < 8; i++)
		shared[i] = part(i);
	return 0;
}
OTHER
kinst $CC $flags -c part.c
kinst $CC $flags -c other.c
kinst $CC $flags part.o other.o -o both
run both ./both
expect shared stores 8
grep -q '1 of 2 files are built without access hooks.*part\.o' report.csv || fail "both: $(grep Note report.csv)"
