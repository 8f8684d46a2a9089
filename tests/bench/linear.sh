# linear: kinst's own work for a text grows as its lines do, and a line costs no more than it did, counted in instructions,
# which are the same on any machine, busy or not
. "$srcdir/tests/lib.sh"
need valgrind

${CC:-cc} -D_GNU_SOURCE -O2 "$srcdir/tests/bench/prepare.c" -o prepare
ln -s prepare gcc
ln -s prepare gfortran
unset KINST_FLAGS

# instructions KIND LINES: with a construct in five lines.
instructions() {
	case $1 in
	fortran | loops) text=a.f90 compiler=./gfortran ;;
	*) text=a.i compiler=./gcc ;;
	esac
	./prepare text "$1" "$2" $(($2 / 5)) >$text
	valgrind --tool=callgrind --callgrind-out-file=out --log-file=log "$builddir/kinst" $compiler -fopenmp -c $text -o a.o 2>err ||
		fail "$1: $(cat err log)"
	sed -n 's/.*Collected : //p' log
}

# Instructions a line: one and a half times what gcc 12 -O2 on x86_64 takes.
for each in plain:12000 functions:9000 headers:9500 declarations:18000 nested:27000 user:10000 inside:13000 chain:11000 \
	fortran:19000 loops:24000; do
	kind=${each%:*} most=${each#*:}
	small=$(instructions $kind 1500)
	large=$(instructions $kind 6000)
	echo "$kind: $((large / 6000))"
	awk -v s="$small" -v l="$large" 'BEGIN { exit !(s > 1e5 && l / s < 4.3) }' ||
		fail "$kind: $small instructions, but $large for four times the lines"
	[ "$large" -lt $((most * 6000)) ] || fail "$kind: $((large / 6000)) instructions a line"
done
