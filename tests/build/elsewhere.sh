#!/bin/sh
# elsewhere: run the tests as other machines and other people would.  Each place takes as long as all tests do, so
# env/check runs a part of one now and then (tests/slices); `make check-elsewhere` runs all.
# Usage: tests/build/elsewhere.sh BUILD-FOLDER [PLACE…]
# TESTS='tests/…' in the environment runs some of them, PART=3/20 the third of 20 parts.  Places:
#   processor   on one processor alone
#   busy        with a low priority, beside two loops that never end, so ten times as long; without the virtual machines of
#               tests/vm, whose kernels have processors of their own and see nothing of it, and without the planted
#               problems, of which nothing is told to a program that hardly gets a processor (tests/findings/busy.sh)
#   bare        with PATH, HOME and nothing else in the environment
#   zone        in a time zone of half hours, in the Turkish locale, whose dotless i breaks careless comparisons
#   user        as an ordinary user, in a copy of the source that belongs to it; needs root
#   intel, zen, neoverse, unknown
#               as /proc/cpuinfo and PAPI (LIBPFM_FORCE_PMU) tell of processors of Intel, AMD and Arm, and of one of
#               which nothing is known: the unit tests, and scripts that read what these tell; needs root
#   fresh       env/check --quick of the committed tree in a Debian that debootstrap makes; needs root and Debian's
#               packages
#   aarch64     on a machine of another architecture: libompp, kinst, ompp and the programs of the tests are built for it
#               and run by QEMU's user mode (machine.sh); scripts of folders in which programs are measured, without those
#               of tests/build/foreign, which has what that lacks
# and `list` runs nothing: it prints the tests.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${1:?the folder of a build}" && pwd)
shift
places=${*:-processor busy bare zone user intel zen neoverse unknown fresh aarch64}
work=$(mktemp -d)
loads=

# Prints all tests, by their names, as make also prints how it makes its Makefile when that is old.
all_tests() {
	make -s --no-print-directory -C "$build" list-tests | grep '^tests/'
}

# Prints all but the virtual machines and the planted problems.
tests_beside_others() {
	all_tests | grep -v -e '^tests/vm/' -e '^tests/findings/planted'
}

# Prints the tests of a part, K/N.  Each goes to the part that has the least to do, those that take longest first: what
# they take beside each other decides whether a slice of env/check has time for the part.
part_of() {
	awk '
		NR == FNR { if (!/^#/ && NF == 2) seconds[$2] = $1; next }
		{ printf "%d %d %s\n", $1 in seconds ? seconds[$1] : 3, FNR, $1 }' "$here/tests/build/seconds" - |
		sort -k 1,1nr -k 2,2n | awk -v part="${1%/*}" -v parts="${1#*/}" '{
			least = 1
			for (i = 2; i <= parts; i++)
				if (full[i] < full[least])
					least = i
			full[least] += $1
			if (least == part)
				print $3
		}'
}

# Prints the tests that depend on what is told of the processor.
tests_of_processors() {
	all_tests | while read -r test; do
		case $test in
		tests/unit/*) echo "$test" ;;
		*) grep -qE 'cpuinfo|LIBPFM_|PAPI_|ompp counters|has_sample_clock' "$here/$test" && echo "$test" ;;
		esac
	done
}

# Prints the scripts that run on a machine of another architecture.
tests_of_foreign() {
	all_tests | grep -E '^tests/(access|compare|examples|golden|interpose|runtime|work)/' |
		awk 'NR == FNR { if (!/^#/ && NF) lacks[$1]; next } !($1 in lacks)' "$here/tests/build/foreign" -
}

case $places in
aarch64) tests=tests_of_foreign ;;
intel | zen | neoverse | unknown) tests=tests_of_processors ;;
busy) tests=tests_beside_others ;;
*) tests=all_tests ;;
esac
if [ "${PART:-}" ]; then
	TESTS=$($tests | part_of "$PART" | tr '\n' ' ')
fi
unset PART
finish() {
	[ -z "$loads" ] || kill $loads 2>/dev/null
	rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM

# say PLACE FOLDER STATUS [COMMAND…]: what failed there, from the logs of automake, and one line of counts.  By the command
# a test of times that failed is repeated once (tests/again).  Returns 124 where the time of env/check was over before all
# tests had run (tests/start), and none failed.
say() {
	place=$1 folder=$2 made=$3
	shift 3
	passed=0 failed=0 skipped=0 repeated=0 left_out=0
	for trs in $(find "$folder" -name '*.trs'); do
		test=${trs#"$folder"/}
		test=${test%.trs}
		case $(sed -n 's/^:global-test-result: //p' "$trs") in
		PASS) passed=$((passed + 1)) ;;
		SKIP)
			if grep -q '^left out: ' "${trs%.trs}.log"; then
				left_out=$((left_out + 1))
			else
				skipped=$((skipped + 1))
				echo "$place: skipped: $test: $(grep -m1 '^skip' "${trs%.trs}.log")"
			fi
			;;
		*)
			tail -n 15 "${trs%.trs}.log"
			if "$here/tests/again" "$folder" "$test" "$@"; then
				passed=$((passed + 1)) repeated=$((repeated + 1))
				echo "$place: repeated: $test: it failed, then passed"
			else
				failed=$((failed + 1))
				echo "$place: FAILED: $test"
			fi
			;;
		esac
	done
	[ $left_out -eq 0 ] || echo "$place: $left_out left out: no time is left for them"
	echo "$place: $passed passed, $failed failed, $skipped skipped"
	# where make fails for a test alone that passed when it was repeated, it has run all others
	[ "$repeated" -eq 0 ] || [ "$(sed -n 's/^# TOTAL: *//p' "$work/out")" != $((passed + skipped + left_out)) ] || made=0
	[ "$failed" -eq 0 ] && [ "$made" -eq 0 ] && [ $((passed + left_out)) -gt 0 ] || return 1
	[ "$left_out" -eq 0 ] || return 124
}

# check PLACE COMMAND…: make check of the build, by that command.
check() {
	place=$1
	shift
	find "$build" -name '*.trs' -exec rm -f {} +
	"$@" make -s -C "$build" check ${TESTS:+"TESTS=$TESTS"} >"$work/out" 2>&1
	say "$place" "$build" $? "$@"
}

processor() {
	check processor taskset -c "$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')"
}

busy() {
	[ "${TESTS:-}" ] || TESTS=$(tests_beside_others | tr '\n' ' ')
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
	say user "$work/user/build" $? $as
}

# x86 VENDOR FAMILY MODEL NAME: /proc/cpuinfo of as many processors of another kind; their flags are these ones', as the
# instructions are.
x86() {
	for cpu in $(seq 0 $(($(getconf _NPROCESSORS_CONF) - 1))); do
		printf 'processor\t: %d\nvendor_id\t: %s\ncpu family\t: %d\nmodel\t\t: %d\nmodel name\t: %s\nstepping\t: 1\n' \
			"$cpu" "$1" "$2" "$3" "$4"
		printf 'cpu MHz\t\t: 2000.000\ncpu cores\t: %d\n' "$(getconf _NPROCESSORS_CONF)"
		grep -m 1 '^flags' /proc/cpuinfo
		echo
	done
}

# view PLACE PMU: where /proc/cpuinfo is the file cpuinfo, in a mount namespace of its own, and PAPI has the events of
# that processor.
view() {
	{ [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; } ||
		{ echo "$1: skipped: only root can have another /proc/cpuinfo"; return 0; }
	(
		TESTS=${TESTS:-$(tests_of_processors | tr '\n' ' ')}
		check "$1" unshare -m sh -c 'mount --bind "$1" /proc/cpuinfo && shift && exec "$@"' sh "$work/cpuinfo" \
			env LIBPFM_FORCE_PMU="$2"
	)
}

intel() {
	x86 GenuineIntel 6 94 'Intel(R) Core(TM) i7-6700 CPU @ 3.40GHz' >"$work/cpuinfo"
	view intel skl
}

zen() {
	x86 AuthenticAMD 23 49 'AMD EPYC 7742 64-Core Processor' >"$work/cpuinfo"
	view zen amd64_fam17h_zen2
}

neoverse() {
	for cpu in $(seq 0 $(($(getconf _NPROCESSORS_CONF) - 1))); do
		printf 'processor\t: %d\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd evtstrm aes crc32 atomics cpuid\n' "$cpu"
		printf 'CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n'
		grep -m 1 '^flags' /proc/cpuinfo # tests ask it whether this machine is virtual
		echo
	done >"$work/cpuinfo"
	view neoverse arm_n1
}

unknown() {
	x86 '' 99 1 '' >"$work/cpuinfo"
	view unknown none
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

# The build is kept.  It is made there, too, as the manual and the schema are made by programs of it.
aarch64() {
	"$here/tests/build/machine.sh" aarch64 >"$work/out" || { sed 's/^skip/aarch64: skipped/' "$work/out"; return 0; }
	TESTS=${TESTS:-$(tests_of_foreign | tr '\n' ' ')}
	mkdir -p "$build/tests/build/aarch64"
	(
		cd "$build/tests/build/aarch64" || exit 1
		[ -f Makefile ] || CONFIG_SHELL=/bin/sh "$here/tests/build/machine.sh" aarch64 /bin/sh "$here/configure" -q \
			--enable-werror CC=gcc PKG_CONFIG=false PLUGIN_GCC= PLUGIN_CLANG= || exit 1
		env -u MAKEFLAGS -u MFLAGS "$here/tests/build/machine.sh" aarch64 make -s -j2 LIBTOOLFLAGS=--silent
	) >"$work/out" 2>&1 || { tail -n 20 "$work/out"; echo 'aarch64: FAILED: build'; return 1; }
	KINST_FLAGS='' KINST_LIBDIR=$build/tests/build/aarch64/.libs KINST_PLUGINDIR=$here/opari/hooks/plugin \
		"$build/kinst" --build-plugin=aarch64-linux-gnu-gcc >"$work/out" 2>&1 || tail -n 1 "$work/out"
	# The helper that reads debug information is this machine's, as its libraries are not there.  Hot spots need what QEMU
	# lacks, and each report would say so.  NO_MEASURE: what the first event of a kind takes there (example.sh).
	[ ! -x "$build/ompp-symbols" ] || cp "$build/ompp-symbols" "$build/tests/build/aarch64/"
	find "$build/tests/build/aarch64" -name '*.trs' -exec rm -f {} +
	set -- "$here/tests/build/machine.sh" aarch64 env OMPP_HOT=0 NO_MEASURE=0.03
	"$@" make -s -C "$build/tests/build/aarch64" check TESTS="$TESTS" >"$work/out" 2>&1
	say aarch64 "$build/tests/build/aarch64" $? "$@"
}

list() {
	[ ! "${TESTS:-}" ] || printf '%s\n' $TESTS
}

status=0
for place in $places; do
	case $place in
	processor | busy | bare | zone | user | intel | zen | neoverse | unknown | fresh | aarch64 | list)
		$place
		case $? in
		0) ;;
		124) [ $status -ne 0 ] || status=124 ;;
		*) status=1 ;;
		esac
		;;
	*)
		echo "elsewhere: $place: unknown place; one of processor, busy, bare, zone, user, intel, zen, neoverse, unknown," \
			fresh, aarch64 >&2
		exit 2
		;;
	esac
done
exit $status
