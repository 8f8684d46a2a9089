# left_out: in programs that kinst did not build, the end of a construct that is not measured, by its name or as there
# was no room for its place, ends none of those around: what comes behind it is in these, and all that began has ended
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/measure.sh"

source=$srcdir/tests/interpose/left_out.c

# paths REPORT: where taskwaits are, "TYPE NAME > TYPE NAME > WAIT", with the names of critical sections that are known
paths() {
	awk -F, '
		/^##BEG ompp callgraph/ { on = 1; next }
		/^##END ompp callgraph/ { on = 0 }
		on && $1 == "Inclusive" { for (i = 1; i <= NF; i++) at[$i] = i; next }
		on && $at["level"] > 0 {
			path[$at["level"]] = $at["type"] ($at["name"] ~ /^[abc]$/ ? " " $at["name"] : "") " > "
			if ($at["type"] != "TASKWAIT") next
			for (i = 1; i < $at["level"]; i++) printf "%s", path[i]
			print "WAIT"
		}' "$1" | sort -u
}

# check WHAT COMMAND…: measures the program; its taskwaits are where `expected` says.
check() {
	what=$1
	shift
	measure report.csv "$@" >got || fail "$what: $? $(cat said)"
	same "$what: output" want got
	paths report.csv >found
	same "$what: taskwaits" expected found
	! grep -E 'left without their end|came without a begin' report.csv || fail "$what: ends"
}

# By name.
$CC -w -g -O1 -fopenmp "$source" -o left_out
./left_out >want
printf '%s\n' 'CRITICAL a > CRITICAL b > CRITICAL c > WAIT' 'CRITICAL a > CRITICAL c > WAIT' \
	'CRITICAL a > WAIT' >expected
check 'all critical sections' ompp run ./left_out
printf '%s\n' 'CRITICAL a > CRITICAL c > WAIT' 'CRITICAL a > WAIT' >expected
OMPP_FILTER=b check 'b is left out' ompp run ./left_out
printf '%s\n' 'CRITICAL a > CRITICAL b > WAIT' 'CRITICAL a > WAIT' >expected
OMPP_FILTER=c check 'c is left out' ompp run ./left_out
printf '%s\n' 'CRITICAL b > CRITICAL c > WAIT' 'CRITICAL c > WAIT' 'WAIT' >expected
OMPP_FILTER=a check 'a is left out' ompp run ./left_out
printf '%s\n' 'CRITICAL a > WAIT' >expected
OMPP_FILTER=b,c check 'b and c are left out' ompp run ./left_out
printf '%s\n' 'CRITICAL c > WAIT' 'WAIT' >expected
OMPP_FILTER=a,b check 'a and b are left out' ompp run ./left_out

# Without room for further places: in the second round all places but those of the first one are left out.
awk 'BEGIN { for (i = 0; i < 20000; i++) print "#pragma omp barrier" }' >places.c
without_room() {
	$1 -w -O0 -fopenmp -I. -DMANY "$source" -o left_out
	./left_out >want
	check "$1, without room" ompp run ./left_out
	grep -q 'regions could not be registered' report.csv || fail "$1: there was room for all places"
}
printf '%s\n' 'CRITICAL a > CRITICAL c > WAIT' 'CRITICAL a > WAIT' 'PARALLEL > LOOP > WAIT' \
	'PARALLEL > SECTIONS > WAIT' 'PARALLEL > SINGLE > WAIT' 'PARALLEL LOOP > WAIT' 'TARGET DATA > WAIT' \
	'TASKGROUP > TASKGROUP > WAIT' \
	'TASKGROUP > WAIT' >expected
without_room "$CC"

echo 'int main(void) { return 0; }' >it.c
[ -n "$CLANG" ] && $CLANG -fopenmp it.c -o it 2>/dev/null && ./it || exit 0
printf '%s\n' 'CRITICAL > CRITICAL > WAIT' 'CRITICAL > WAIT' 'MASKED > WAIT' 'TASKGROUP > TASKGROUP > WAIT' \
	'TASKGROUP > WAIT' >expected
without_room "$CLANG -fopenmp-version=51"

# Of the three sections kinst has built the one in the middle, whose name is left out.
kinst $CLANG -w -g -O1 -fopenmp -fPIC -shared -DPART "$source" -o libpart.so
$CLANG -w -g -O1 -fopenmp -DOTHER "$source" -rdynamic -o left_out -L. -lpart -Wl,-rpath,"$PWD"
./left_out >want
printf '%s\n' 'CRITICAL > CRITICAL > WAIT' 'CRITICAL > CRITICAL b > CRITICAL > WAIT' 'CRITICAL > WAIT' >expected
check 'a part by kinst' ./left_out
printf '%s\n' 'CRITICAL > CRITICAL > WAIT' 'CRITICAL > WAIT' >expected
OMPP_FILTER=b check 'the part by kinst is left out' ./left_out
