# lib.sh: what test scripts share.  To source: . "$srcdir/tests/lib.sh"
# A test runs in an empty folder of its own, which goes when it ends; the reports that it leaves there must not contradict
# themselves (report_check.awk).
set -eu

# grep, sed and sort take [a-z] as ASCII does, whatever the user's locale; tests of locales set their own.
unset LANGUAGE
export LC_ALL=C
export PYTHONDONTWRITEBYTECODE=1 # nothing is written into the sources

work=$(mktemp -d)
trap finish EXIT
trap 'exit 1' INT TERM
cd "$work"

# check_reports FOLDER: checks each report and profile below the folder; text reports only for shares above 100 %.
check_reports() {
	find "$1" -type f -name '*.ompp' >"$1/.profiles"
	while read -r profile; do
		"$builddir/ompp" report --format=csv --property-min=0 "$profile" >"$1/.csv" 2>/dev/null || continue
		awk -f "$srcdir/tests/report_check.awk" "$1/.csv" >"$1/.what" ||
			{ sed "s|^$1/.csv|${profile#"$1/"}|; 20q" "$1/.what" >&2; return 1; }
	done <"$1/.profiles"
	grep -rlaE '^##BEG (header|overhead|R[0-9]+ flat)' "$1" >"$1/.reports" || :
	while read -r report; do
		awk -f "$srcdir/tests/report_check.awk" "$report" >"$1/.what" || { head -20 "$1/.what" >&2; return 1; }
	done <"$1/.reports"
	! grep -rnaE '\( *([1-9][0-9]{3,}|[2-9][0-9][0-9]|1[1-9][0-9]|10[1-9])(\.[0-9]+)? *%\)' "$1" --include='*.txt' >&2
}

# finish [STATUS]: ends a test, and removes its folder.
finish() {
	status=${1:-$?}
	trap - EXIT
	cd /
	case $status in
	0 | 77)
		check_reports "$work" || {
			echo 'FAILED: a report contradicts itself' >&2
			status=1
		}
		;;
	esac
	rm -rf "$work"
	exit "$status"
}

# fail WORD…: ends the test with 1.  The words go to stderr, so that they show also from within $(…).
fail() {
	echo "FAILED: $*" >&2
	exit 1
}

skip() {
	echo "skip: $*"
	exit 77
}

# Returns 0 when the processor has the clock that samples of hooks need.
has_sample_clock() {
	grep -q rdtscp /proc/cpuinfo
}

need() {
	command -v "$1" >/dev/null || skip "$1 is not installed"
}

# in_part N: succeeds at one of N calls, in each run at others, by the time of day or by CASES in the environment; so a
# test takes a part of its cases, and all of them where CASES=all (tests/build/all_cases.sh).  N has no factor in common
# with the lengths of the inner loops around it: then a part has each of their values.  Not for subshells.
in_part() {
	n_cases=$((${n_cases:-0} + 1))
	[ $n_cases -gt 1 ] || echo "a part of the cases: CASES=${CASES:=$(date +%s)}" >&2
	[ "$CASES" = all ] || [ $(((n_cases + CASES) % $1)) -eq 0 ]
}

# own_git: the test's git reads no settings but its own, and knows of no repository outside of the test's folder.
own_git() {
	unset $(git rev-parse --local-env-vars) XDG_CONFIG_HOME GIT_TEMPLATE_DIR GIT_DEFAULT_HASH
	export GIT_CONFIG_GLOBAL="$work/gitconfig" GIT_CONFIG_SYSTEM=/dev/null GIT_CEILING_DIRECTORIES="$work"
	printf '[%s]\n\t%s\n' safe 'directory = *' commit 'gpgSign = false' tag 'gpgSign = false' init 'defaultBranch = main' \
		user 'name = a' user 'email = a@b' >"$GIT_CONFIG_GLOBAL"
}

# own_ccache: the test's ccache has an empty cache of its own, and no settings of the user's.
own_ccache() {
	for variable in $(env | sed -n 's/^\(CCACHE_[A-Z_]*\)=.*/\1/p'); do
		unset "$variable"
	done
	export CCACHE_DIR="$work/cache" CCACHE_CONFIGPATH="$work/ccache.conf"
	: >"$CCACHE_CONFIGPATH"
}

# mpis: prints the MPIs that are there, of those whose commands end in their names.
mpis() {
	for mpi in mpich openmpi; do
		! command -v "mpicc.$mpi" >/dev/null || ! command -v "mpirun.$mpi" >/dev/null || echo $mpi
	done
}

# mpi_options MPI: prints what its mpirun needs to start more ranks than there are processors, also for root.
mpi_options() {
	[ "$1" != openmpi ] || echo --allow-run-as-root --oversubscribe
}

# same WHAT FILE FILE: fails when the files are not equal, byte by byte.
same() {
	cmp -s "$2" "$3" || { diff "$2" "$3" | head -20; fail "$1 differs"; }
}

# csv_field REPORT.csv REGION ROW COLUMN: prints one value of a region's flat profile.  REGION is TYPE, TYPE:LINE or
# TYPE:NAME; the first block that fits is taken.
csv_field() {
	awk -F, -v region="$2" -v row="$3" -v column="$4" '
		BEGIN { split(region, want, ":") }
		/^##BEG flat region profiles/ { flat = 1 }
		/^##END flat region profiles/ { flat = 0 }
		!flat { next }
		/^##BEG R[0-9]+/ { getline; inside = $2 == want[1] && (want[2] == "" || $4 == want[2] || $6 == want[2]); n = 0; next }
		/^##END/ { if (inside && found) exit; inside = 0; next }
		inside && n == 0 { for (i = 1; i <= NF; i++) col[$i] = i; n = 1; next }
		inside && $1 == row { if (!(column in col)) exit 1; print $col[column]; found = 1; exit }
		END { if (!found) exit 1 }' "$1" || fail "$1: no $4 of $2, row $3"
}

# near WHAT VALUE EXPECTED PERCENT [LEAST]: succeeds when the value is within the percentage of what is expected, or within
# LEAST of it.
near() {
	awk -v v="$2" -v e="$3" -v p="$4" -v least="${5:-0}" \
		'BEGIN { d = v - e; if (d < 0) d = -d; exit !(d <= e * p / 100 || d <= least) }' ||
		{ echo "$1: $2, expected $3 within $4 %"; return 1; }
}

# retry N COMMAND…: runs the command until it succeeds, N times at most.  On a shared machine a time may be wrong once; a
# count never is.
retry() {
	n_tries=$1
	shift
	until ("$@"); do
		[ $? != 77 ] || exit 77 # it has said why it skips
		n_tries=$((n_tries - 1))
		[ $n_tries -gt 0 ] || return 1
	done
}
