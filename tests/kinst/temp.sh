# temp: temporary files have unique names outside the sources and vanish, also on a signal; make -j
. "$srcdir/tests/kinst/kinst.sh"
mkdir src
small_c src/a.c

# a compiler that takes its time, so that a signal finds kinst at work
cat >slow <<'EOF'
#!/bin/sh
case " $* " in
*cpp-output*) echo $$ >"$READY"; exec sleep 60 ;;
esac
exec gcc "$@"
EOF
chmod +x slow
READY=$work/ready
export READY
# under nohup that one is ignored, by kinst too
signals="TERM HUP"
if sh -c 'kill -HUP $$' 2>/dev/null; then signals=TERM; fi
for signal in $signals; do
	rm -f ready
	"$kinst" ./slow -fopenmp -c src/a.c -o a.o 2>/dev/null &
	pid=$!
	n=0
	while [ ! -s ready ] && [ $n -lt 200 ]; do
		sleep 0.05
		n=$((n + 1))
	done
	[ -s ready ] || fail "the slow compiler did not start"
	kill -$signal $pid
	status=0
	wait $pid || status=$?
	[ $status -gt 128 ] || fail "$signal: status $status"
	clean
	! kill -0 "$(cat ready)" 2>/dev/null || fail "$signal: the compiler still runs"
done

# a folder that cannot be used: the next of gcc's list
touch a-file
mkdir other
for name in none a-file; do
	rm -f a.o
	TMPDIR=$work/$name TMP=$work/none TEMP=$work/other "$kinst" --keep gcc -fopenmp -c src/a.c 2>err || fail "TMPDIR=$name"
	grep -q "kept in $work/other/" err || fail "TMPDIR=$name, TEMP: $(cat err)"
	instrumented a.o
	rm -rf a.o other/kinst*
	TMPDIR=$work/$name TMP= TEMP= "$kinst" gcc -fopenmp -c src/a.c 2>err || fail "TMPDIR=$name"
	[ ! -s err ] || fail "TMPDIR=$name: $(cat err)"
	instrumented a.o
done

# no place for temporary files: the plain code, and a word
cat >nowhere <<'EOF'
place=/mnt
mount --bind "$1" $place || exit 77
for folder in /tmp /var/tmp /usr/tmp; do
	case $2 in
	$folder/*) mount --bind $folder $folder && mount -o remount,bind,ro $folder || exit 77 ;; # kinst is to be seen
	*) [ ! -d $folder ] || mount -t tmpfs -o ro none $folder || exit 77 ;;
	esac
done
cd /proc
TMPDIR=/none "$2" gcc -fopenmp -c $place/src/a.c -o $place/a.o 2>$place/err
EOF
rm -f a.o
status=0
unshare -rm sh ./nowhere "$work" "$kinst" 2>/dev/null || status=$?
if [ -s err ]; then
	grep -q 'TMPDIR' err || fail "no folder for temporary files: $(cat err)"
else
	echo "no mounts of our own here: a machine without temporary files is not tested"
fi

# many at once, the same source among them
{
	printf 'all:'
	for i in 1 2 3 4 5 6 7 8; do printf ' o%d.o' $i; done
	printf '\n'
	for i in 1 2 3 4 5 6 7 8; do printf 'o%d.o: src/a.c\n\t"%s" --strict gcc -fopenmp -c $< -o $@\n' $i "$kinst"; done
} >Makefile
${MAKE:-make} -s -j8
instrumented o?.o
[ "$(ls src)" = a.c ] || fail "files in the source folder"
clean
