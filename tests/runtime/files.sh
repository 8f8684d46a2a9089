# files: where the report goes, what it is called, and what happens when it cannot be written
. "$srcdir/tests/lib.sh"

kinst $CC -fopenmp "$srcdir/tests/runtime/work.c" -o prog -lm

# run ARGS…: out, err; the program's own status is always 5
run() {
	status=0
	./prog "$@" >out 2>err || status=$?
	[ $status = 5 ] || fail "$*: status $status"
	[ "$(cat out | head -1)" = 2 ] || fail "$*: wrong output"
}

# one clear line, and all of ours begin with ompp:
complaint() {
	[ "$(grep -c "$1" err)" = 1 ] || fail "no line with '$1': $(cat err)"
	! grep -v '^ompp:' err || fail "stderr has other lines"
}

# ompP's names, the first free number
run
[ -s prog.2-0.ompp.txt ] && [ -s prog.2-0.ompp ] || fail "no report: $(ls)"
complaint 'ompp: report: .*/prog\.2-0\.ompp\.txt$'
cp prog.2-0.ompp.txt first
run
[ -s prog.2-1.ompp.txt ] || fail "not the next number"
same "the first report" first prog.2-0.ompp.txt

OMPP_OVERWRITE=1 run && OMPP_OVERWRITE=1 run
[ -s prog.2.ompp.txt ] || fail "OMPP_OVERWRITE"
OMPP_USEPID=1 run
ls | grep -q '^prog\.2\.[0-9][0-9]*-0\.ompp\.txt$' || fail "OMPP_USEPID"
OMPP_APPNAME=toci run
[ -s toci.2-0.ompp.txt ] && grep -q '^Application Name: toci$' toci.2-0.ompp.txt || fail "OMPP_APPNAME"
OMPP_OUTFORMAT=CSV,PLAIN OMPP_APPNAME=two run
[ -s two.2-0.ompp.txt ] && [ -s two.2-0.ompp.csv ] || fail "two formats"
OMPP_PROFILE=0 OMPP_APPNAME=noprof run
[ -s noprof.2-0.ompp.txt ] && [ ! -e noprof.2-0.ompp ] || fail "OMPP_PROFILE=0"
mkdir there
OMPP_OUTDIR=there run
[ -s there/prog.2-0.ompp.txt ] || fail "OMPP_OUTDIR"
# is made, under the folder of the start, by the program's umask
(umask 27 && OMPP_OUTDIR=there/a/b/ run chdir)
[ -s there/a/b/prog.2-0.ompp.txt ] && [ -s there/a/b/prog.2-0.ompp ] || fail "a missing OMPP_OUTDIR"
[ "$(stat -c %a there/a there/a/b | sort -u)" = 750 ] || fail "a missing OMPP_OUTDIR: its mode"
(umask 27 && OMPP_OVERWRITE=1 OMPP_OUTDIR="$PWD/there/c" run)
[ -s there/c/prog.2.ompp.txt ] || fail "a missing OMPP_OUTDIR with OMPP_OVERWRITE"

# used literally, and overwritten
rm -rf ./*.ompp* there
echo FORMER CONTENT >"a b"
OMPP_REPORTFILE='a b' run
grep -q 'PARALLEL' 'a b' && ! grep -q FORMER 'a b' || fail "OMPP_REPORTFILE"
[ -e 'a b.ompp' ] || fail "no profile beside it: $(ls)"
OMPP_REPORTFILE=f OMPP_OUTFORMAT=CSV,PLAIN run
[ -s f.txt ] && [ -s f.csv ] || fail "several formats to one name: $(ls)"
OMPP_REPORTFILE=stdout OMPP_PROFILE=0 run
grep -q 'ompP Overhead' out || fail "stdout"
[ "$(head -1 out)" = 2 ] || fail "the report comes before the program's output"
OMPP_REPORTFILE=stderr OMPP_PROFILE=0 run
grep -q 'ompP Overhead' err || fail "stderr"
rm -f ./*.ompp* f.* 'a b'
OMPP_REPORTFILE=none run
[ ! -s err ] && [ -z "$(ls | grep ompp)" ] || fail "none: $(cat err; ls)"
OMPP_QUIET=1 run
[ ! -s err ] && [ -s prog.2-0.ompp.txt ] || fail "OMPP_QUIET"

# the folder in which the program started
rm -f ./*.ompp*
run chdir
[ -s prog.2-0.ompp.txt ] || fail "chdir"

# what cannot be written
rm -f ./*.ompp*
OMPP_OUTDIR=out/folder run
complaint '/out/folder/prog\.2: report not written: no such folder'
complaint 'ompp: report: .*/prog\.2-0\.ompp\.txt$'
[ -s prog.2-0.ompp.txt ] && [ -s prog.2-0.ompp ] || fail "no report where OMPP_OUTDIR cannot be made: $(ls)"
rm -f ./*.ompp*
OMPP_REPORTFILE=/dev/full OMPP_PROFILE=0 run
complaint '/dev/full.*not written: no space left'
OMPP_REPORTFILE=/ OMPP_PROFILE=0 run
complaint 'not written: is a folder'
if [ "$(id -u)" = 0 ] && mkdir small && mount -t tmpfs -o size=64k tmpfs small 2>/dev/null; then
	dd if=/dev/zero of=small/fill bs=1k 2>/dev/null || :
	OMPP_OUTDIR=small run
	umount small
	complaint 'not written: no space left'
fi
if [ "$(id -u)" = 0 ]; then
	mkdir closed && chmod 555 closed && chmod 755 . && touch out err && chmod 666 out err
	rc=0
	setpriv --reuid 65534 --clear-groups env OMPP_OUTDIR="$PWD/closed" ./prog >out 2>err || rc=$?
	[ $rc = 5 ] || fail "unwritable folder: status $rc: $(cat err)"
	complaint 'closed.*not written: permission denied'
fi

# the limit of file sizes: as a full disk
rm -rf ./*.ompp*
for name in '' long; do
	status=0
	(ulimit -f 4; OMPP_REPORTFILE=$name exec ./prog >out 2>err) || status=$?
	[ $status = 5 ] && [ "$(cat out)" = 2 ] || fail "ulimit -f: status $status: $(cat out err)"
	complaint "$name.*: report not written: larger than the limit of file sizes"
	[ -z "$(ls | grep ompp)" ] || fail "ulimit -f: $(ls)"
done
rm -f long

# what a report cannot be written to without waiting, or without doing something: into a file of our own name, then
mkfifo pipe
for what in "$PWD/pipe" pipe /dev/tty /dev/ptmx; do
	rm -f ./*.ompp*
	OMPP_REPORTFILE=$what run
	complaint "report not written: is a"
	complaint 'ompp: report: .*/prog\.2-0\.ompp\.txt$'
	[ -s prog.2-0.ompp.txt ] && [ -s prog.2-0.ompp ] || fail "$what: no report: $(ls)"
done
rm -f ./*.ompp*
cat pipe >read &
OMPP_REPORTFILE=pipe run
: >pipe
wait
[ ! -s read ] && [ -s prog.2-0.ompp.txt ] || fail "a pipe with a reader: $(cat read)"
rm -f ./*.ompp*
OMPP_REPORTFILE=/nonexistent/folder/f run
complaint '/nonexistent/folder/f: report not written: no such folder'
[ -s prog.2-0.ompp.txt ] || fail "no report where OMPP_REPORTFILE cannot be opened"
rm -f ./*.ompp*
OMPP_REPORTFILE=/dev/null run
[ ! -s err ] && [ -z "$(ls | grep ompp)" ] || fail "/dev/null: $(cat err; ls)"
for name in /dev/stdout /dev/fd/1; do
	OMPP_REPORTFILE=$name OMPP_PROFILE=0 run
	grep -q 'ompP Overhead' out || fail "$name"
done

# names of our own never lead through links; the user's do
rm -rf ./*.ompp* pipe
echo victim >victim
refuse_links() {
	[ "$(cat victim)" = victim ] || fail "$1: written through a link"
	[ ! -e none ] || fail "$1: made through a link"
}
ln -s victim prog.2.ompp.txt
ln -s none prog.2.ompp
OMPP_OVERWRITE=1 run
refuse_links OMPP_OVERWRITE
[ -s prog.2.ompp.txt ] && [ ! -L prog.2.ompp.txt ] && [ -s prog.2.ompp ] || fail "OMPP_OVERWRITE: $(ls -l)"
ln -s none prog.2-0.ompp
OMPP_OUTFORMAT=CSV run
refuse_links "the first name"
[ -s prog.2-1.ompp.csv ] && [ -s prog.2-1.ompp ] || fail "a name that has a link: $(ls)"
ln -s victim r.ompp
ln -s victim r.csv
ln -s none r.dump1.txt
OMPP_OUTFORMAT=CSV,PLAIN OMPP_REPORTFILE=r ./prog dump >out 2>err || :
refuse_links "beside OMPP_REPORTFILE"
ln -s target link
OMPP_REPORTFILE=link OMPP_PROFILE=0 run
grep -q PARALLEL target && [ -L link ] || fail "OMPP_REPORTFILE does not follow the user's link"
[ -z "$(ls | grep part)" ] || fail "parts are left: $(ls)"

# closed streams; and none of the report goes into a file that took their number
status=0
./prog close >out 2>&- || status=$?
[ $status = 5 ] && [ "$(cat out)" = 2 ] || fail "closed streams: $status"
status=0
./prog >&- 2>&- || status=$?
[ $status = 5 ] || fail "streams closed from the start: $status"
