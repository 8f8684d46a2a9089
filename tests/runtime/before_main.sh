# before_main: how long constructors take is known, beside the serial part, and main() is called as it is without kinst.
. "$srcdir/tests/lib.sh"
need python3
export OMP_NUM_THREADS=2 OMPP_QUIET=1 BEFORE=yes OMPP_OUTFORMAT=text

# before PROFILE: prints before_main_ns and duration_ns, and what the serial part is said to cost.
before() {
	ompp report --format=json "$1" | python3 -c 'import json, sys
p = json.load(sys.stdin)
r = p["run"]
print(r["before_main_ns"], r["duration_ns"], sum(f["time_ns"] for f in p["findings"]["list"] if f["name"] == "SerialPart"))'
}

# try NAME COMPILER FLAGS…: builds and runs the program with kinst and without, which must do the same.
try() {
	name=$1
	shift
	"$@" "$srcdir/tests/runtime/before_main.c" -o plain || fail "$name: build"
	kinst "$@" "$srcdir/tests/runtime/before_main.c" -o "$name" || fail "$name: build by kinst"
	set +e
	./plain 'a b' '' >plain.out 2>plain.err
	status=$?
	"./$name" 'a b' '' >"$name.out" 2>"$name.err"
	[ $? = $status ] || fail "$name: status"
	set -e
	same "$name: output" plain.out "$name.out"
}

for cc in gcc clang; do
	command -v $cc >/dev/null || continue
	echo 'int main(void) { return 0; }' >probe.c
	$cc -fopenmp probe.c -o probe 2>/dev/null || continue
	try $cc $cc -O2 -fopenmp
	before $cc.*.ompp >numbers
	read -r ns duration serial <numbers
	took=$(cat $cc.err)
	[ "$ns" -ge "$took" ] && [ "$ns" -le "$duration" ] ||
		fail "$cc: $ns of $duration ns before main(), where a constructor took $took"
	ompp report --view=summary $cc.*.ompp >summary
	grep -q 'before main(): loading of libraries, constructors' summary || fail "$cc: $(cat summary)"
	[ "$serial" -le $((duration - ns)) ] || fail "$cc: time before main() is called serial: $(cat numbers)"
done

# With regions in constructors nobody knows what of it was serial; in static programs, and in a child, nothing is known.
try regions gcc -O2 -fopenmp -DREGIONS
[ "$(before regions.*.ompp | cut -d' ' -f1)" = None ] || fail 'a constructor with regions'
if gcc -static -fopenmp probe.c -o probe 2>/dev/null; then
	try static gcc -O2 -fopenmp -static
	[ "$(before static.*.ompp | cut -d' ' -f1)" = None ] || fail 'a static program'
fi
try fork gcc -O2 -fopenmp -DFORK
for profile in fork.*.ompp; do
	before "$profile"
done | cut -d' ' -f1 | sort >both
[ "$(grep -c None both)" = 1 ] && [ "$(wc -l <both)" = 2 ] || fail "a child: $(cat both)"
