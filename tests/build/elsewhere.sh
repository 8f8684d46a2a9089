#!/bin/sh
# elsewhere: run the tests as other machines and other people would.  Each place takes as long as all tests do, so
# env/check runs a part of one now and then (tests/slices); `make check-elsewhere` runs all.
# Usage: tests/build/elsewhere.sh BUILD-FOLDER [PLACE…]
# TESTS='tests/…' in the environment runs some of them, PART=3/20 the third of 20 parts.  Places:
#   processor   on one processor alone
#   busy        with a low priority, beside two loops that never end
#   bare        with PATH, HOME and nothing else in the environment
#   zone        in a time zone of half hours, in the Turkish locale, whose dotless i breaks careless comparisons
#   user        as an ordinary user, in a copy of the source that belongs to it; needs root
#   fresh       env/check --quick of the committed tree in a Debian that debootstrap makes; needs root and Debian's
#               packages
# and `list` runs nothing: it prints the tests.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${1:?the folder of a build}" && pwd)
shift
places=${*:-processor busy bare zone user fresh}
work=$(mktemp -d)
loads=
if [ "${PART:-}" ]; then
	# by their names, as make also prints how it makes its Makefile when that is old
	TESTS=$(make -s --no-print-directory -C "$build" list-tests |
		awk -v part="${PART%/*}" -v parts="${PART#*/}" '/^tests\// && ++n % parts == part % parts' | tr '\n' ' ')
fi
unset PART
finish() {
	[ -z "$loads" ] || kill $loads 2>/dev/null
	rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM

# say PLACE FOLDER STATUS: what failed there, from the logs of automake, and one line of counts.
say() {
	passed=0 failed=0 skipped=0
	for trs in $(find "$2" -name '*.trs'); do
		test=${trs#"$2"/}
		test=${test%.trs}
		case $(sed -n 's/^:global-test-result: //p' "$trs") in
		PASS) passed=$((passed + 1)) ;;
		SKIP) skipped=$((skipped + 1)); echo "$1: skipped: $test: $(grep -m1 '^skip' "${trs%.trs}.log")" ;;
		*) failed=$((failed + 1)); echo "$1: FAILED: $test"; tail -n 15 "${trs%.trs}.log" ;;
		esac
	done
	echo "$1: $passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ] && [ "$3" -eq 0 ]
}

# check PLACE COMMAND…: make check of the build, by that command.
check() {
	place=$1
	shift
	find "$build" -name '*.trs' -exec rm -f {} +
	"$@" make -s -C "$build" check ${TESTS:+"TESTS=$TESTS"} >"$work/out" 2>&1
	say "$place" "$build" $?
}

processor() {
	check processor taskset -c "$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')"
}

busy() {
	for _ in 1 2; do
		sh -c 'while :; do :; done' &
		loads="$loads $!"
	done
	check busy nice -n 10
	status=$?
	kill $loads
	loads=
	return $status
}

bare() {
	check bare env -i PATH="$PATH" HOME="$work"
}

zone() {
	mkdir -p "$work/locales"
	localedef -i tr_TR -f UTF-8 "$work/locales/tr_TR.UTF-8" >/dev/null 2>&1 ||
		{ echo "zone: skipped: no sources of the Turkish locale"; return 0; }
	check zone env LOCPATH="$work/locales" LC_ALL=tr_TR.UTF-8 TZ=Asia/Kathmandu
}

user() {
	[ "$(id -u)" = 0 ] || { echo "user: skipped: only root can become another user"; return 0; }
	mkdir "$work/user"
	git -C "$here" ls-files -z | (cd "$here" && xargs -0 cp --parents -t "$work/user")
	chmod 711 "$work"
	chown -R 65534:65534 "$work/user"
	as="setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all env HOME=$work/user"
	(cd "$work/user" && $as env/build build --enable-werror) >"$work/out" 2>&1 ||
		{ tail "$work/out"; echo "user: FAILED: build"; return 1; }
	$as make -s -C "$work/user/build" check ${TESTS:+"TESTS=$TESTS"} >"$work/out" 2>&1
	say user "$work/user/build" $?
}

fresh() {
	[ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null ||
		{ echo "fresh: skipped: needs root and debootstrap"; return 0; }
	suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
	debootstrap --variant=minbase --include=ca-certificates "$suite" "$work/fresh" >"$work/out" 2>&1 ||
		{ tail "$work/out"; echo "fresh: FAILED: debootstrap"; return 1; }
	cp -L /etc/resolv.conf "$work/fresh/etc/" 2>/dev/null
	echo '127.0.0.1 localhost' >"$work/fresh/etc/hosts" # which debootstrap leaves to the installer
	mkdir "$work/fresh/kinst"
	git -C "$here" archive HEAD | tar x -C "$work/fresh/kinst"
	# proc, sys and dev in a mount namespace of its own, so that nothing stays mounted
	unshare -m sh -c 'for f in proc sys dev; do mount --rbind /$f "$1/$f" || exit 1; done
		exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TESTS="$2" \
			/kinst/env/check --quick' sh "$work/fresh" "${TESTS:-}" >"$work/out" 2>&1
	status=$?
	awk '/^FAILED/ { failed = 1 } failed || /^skipped/' "$work/out" # the log of a test stands behind its name
	tail -n 1 "$work/out" | sed 's/^/fresh: /'
	return $status
}

list() {
	[ ! "${TESTS:-}" ] || printf '%s\n' $TESTS
}

status=0
for place in $places; do
	case $place in
	processor | busy | bare | zone | user | fresh | list) $place || status=1 ;;
	*) echo "elsewhere: $place: unknown place; one of processor, busy, bare, zone, user, fresh" >&2; exit 2 ;;
	esac
done
exit $status
