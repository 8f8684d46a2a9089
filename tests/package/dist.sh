# dist: the distribution is the same, byte by byte, whoever makes it, when and where: here, and of what it unpacks to, with
# another umask, time zone and locale; nothing is left in the source.
. "$srcdir/tests/lib.sh"
need xz

"$srcdir/env/dist" here >log 2>&1 || fail "env/dist: $(tail -5 log)"
set -- here/kinst-*.tar.xz
[ $# = 1 ] || fail "distributions: $*"
name=${1#here/}
mkdir elsewhere
tar -C elsewhere -xf "here/$name"
tree=elsewhere/${name%.tar.xz}
(cd "$tree" && find . -printf '%p %s %T@\n' | sort) >before
(umask 077 && TZ=Asia/Kathmandu LC_ALL=C.UTF-8 HOME=$work "$tree/env/dist" there) >log 2>&1 || fail "env/dist elsewhere: $(tail -5 log)"
(cd "$tree" && find . -printf '%p %s %T@\n' | sort) >after
same 'the source that env/dist has read' before after
same 'the distribution' "here/$name" "there/$name"

# Its files are as old as the commit, and belong to nobody.
if [ -e "$srcdir/.git" ]; then
	time=$(TZ=UTC0 git -C "$srcdir" log -1 --date=format-local:'%Y-%m-%d %H:%M' --format=%cd)
	TZ=UTC0 tar -tvf "here/$name" | awk -v time="$time" '$2 != "0/0" || $4 " " $5 != time' >other
	[ ! -s other ] || fail "files of another time or owner: $(head -3 other)"
fi
