# publish: labels and values that a program shows come to who watches, from programs that ompp starts and from those that run
# already; the program does not depend on it.
. "$srcdir/tests/lib.sh"

mkdir shared
export OMPP_REPORTFILE=none XDG_RUNTIME_DIR="$work/shared"
kinst $CC -O1 -fopenmp "$srcdir/tests/runtime/publish.c" -o publish || fail 'publish.c'
watch() {		# watch OPTION … -- ./publish …: its exit status has to be 6
	status=0
	ompp stat "$@" 2>out || status=$?
	[ $status = 6 ] || { cat out; fail "$*: status $status"; }
}
# column OUT NAME: the values of the column value:NAME, one a line; - where there is none.
column() {
	awk -v name="$2" '$1 == "time" { c = 0; for (i = 2; i <= NF; i++) if ($i == name) c = i; next }
		c && $1 ~ /^[0-9.]+$/ && $2 != "-" || (c == 2 && NF == 2 && $1 ~ /^[0-9.]+$/) { print $c }' "$1"
}

# Steps are seen in their order, and what is set last is seen although the program has ended.
ompp record -o r.jsonl -e value --interval=20ms -- ./publish s && fail 'status 0' || [ $? = 6 ] || fail 'status'
ompp stat r.jsonl >out || fail 'replay'
column out queue | uniq >queue
printf '%s\n' -5 5 15 25 35 >expected
same 'the steps of queue' expected queue
[ "$(column out last)" = 42 ] || { cat out; fail 'what was set last'; }
grep -qE '^ *[0-9.]+ - begin -$' out && grep -qF -- '- end "}\x1b[2J -' out || { cat out; fail 'labels'; }
# A label has the time at which it was made, and not that of the sample: between them the program slept five times.
awk '/ - begin -$/ { begin = $1 } / - end "/ { exit !($1 - begin >= 0.499 && $1 - begin < 5) }' out || { cat out; fail 'the times of labels'; }
# By its name a value can be asked for before it is there.
watch -e value:queue --interval=50ms -- ./publish s
[ "$(column out queue | tail -1)" = 35 ] || { cat out; fail 'value:queue'; }

# There are 64 values, and the last 32 labels of those between two samples.
watch -e value --interval=1h -- ./publish m
[ "$(grep time out | tr -s ' ' '\n' | grep -c '^value[0-9]')" = 64 ] || { grep time out; fail 'not 64 values'; }
[ "$(grep -c ' - label [0-9]* -$' out)" = 31 ] && grep -q ' - label 99 -$' out && grep -q ' - 69 labels are lost' out || { cat out; fail 'labels'; }
# Threads that meet at the same names share their values, and the last one stays.
watch -e value --interval=5ms -- ./publish t
n=0
while [ $n -lt 40 ]; do
	[ "$(tail -1 out | awk -v c="$(grep time out | tail -1 | tr -s ' ' '\n' | grep . | grep -nx t$n | cut -d: -f1)" '{ print $c }')" = $((19960 + n)) ] ||
		{ tail -5 out; fail "t$n"; }
	n=$((n + 1))
done
[ "$(grep time out | tail -1 | wc -w)" = 41 ] || { grep time out; fail 'a value is there twice'; }
# What a child sets is there, too, and so is what a program does that a script starts.
watch -e value --interval=1h -- ./publish f
[ "$(column out child)" = 7 ] || { cat out; fail 'a child'; }
watch -e value --interval=1h -- sh -c './publish f; exit 6'
[ "$(column out child)" = 7 ] || { cat out; fail 'a program of a script'; }
# Nonsense, and a file that is cut off, do nothing to the watcher.
for i in 1 2 3; do
	for cut in '' cut; do
		watch -e value --interval=3ms -- ./publish n $cut
	done
done
if [ -n "${GFORTRAN:-}" ]; then
	cat >f.f90 <<-'END'
		use ompp
		call ompp_label('from Fortran   ')
		call ompp_sensor_set('cells', 123456789012_8)
		call exit(6)
		end
	END
	kinst $GFORTRAN -fopenmp f.f90 -o f || fail f.f90
	watch -e value --interval=1h -- ./f
	grep -q ' - from Fortran -$' out && [ "$(column out cells)" = 123456789012 ] || { cat out; fail 'Fortran'; }
fi

# A program that runs already: its memory is read.
mkfifo input
./publish w <input &
pid=$!
exec 7>input
sleep 0.3
ompp stat --pid=$pid -e value --interval=50ms --samples=3 >out 2>err || { cat err; fail '--pid'; }
if grep -q 'ptrace_scope' err; then
	echo 'the memory of programs may not be read here'
else
	[ "$(column out queue | uniq)" = 99 ] || { cat out err; fail 'no value by --pid'; }
fi
exec 7>&-
wait $pid && fail 'status 0' || [ $? = 6 ] || fail 'the program that was watched'

# Nobody watches: no file, and no word.
if command -v strace >/dev/null; then
	strace -f -o trace -e trace=openat,open,creat ./publish m >own 2>&1 && fail 'status 0' || [ $? = 6 ] || fail 'status'
	! grep -e O_CREAT trace | grep -v KMP || fail 'a file is made'
	[ ! -s own ] || { cat own; fail 'a word'; }
fi
# A file that others may write to is not taken, and said so.
: >file
chmod 666 file
unset OMPP_REPORTFILE
status=0
OMPP_PUBLISH=file ./publish m 2>err || status=$?
[ $status = 6 ] && grep -q 'OMPP_PUBLISH' err && [ ! -s file ] || { cat err; fail 'a file of others'; }
# A program without libompp, and one that was stripped, are watched as any other.
ompp stat -e value,stat --interval=1h -- true 2>out || fail 'a program without libompp'
[ -z "$(ls shared)" ] || { ls -l shared; fail 'a file stays'; }
