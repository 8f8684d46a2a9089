#!/bin/sh
# magick.sh: GraphicsMagick's own tests of its commands, by the gm of the system, which Debian builds by GCC with
# OpenMP: under ompp run each has the same status, output and files as without.  What differs between two plain runs,
# too (noise, times of the day), is left out and counted.  By hand: it needs the source.
# Usage: magick.sh SOURCE [TEST…]     SOURCE: the folder of `apt-get source graphicsmagick`; gm and ompp in PATH
set -eu
source=$(cd "$1" && pwd)
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-2}" OMPP_QUIET=1

# suite WAY TEST GM: runs a test in a folder of its own.
suite() (
	mkdir -p "$work/$1/$2"
	cd "$work/$1/$2"
	{
		echo "top_srcdir='$source' TOP_SRCDIR_NATIVE='$source' GM='$3'"
		for feature in BZLIB ZLIB JPEG PNG TIFF TTF LCMS XML; do
			echo "MAGICK_FEATURE_$feature=yes"
		done
	} >common.shi
	status=0
	sh "$source/utilities/tests/$2.tap" >tap 2>errors </dev/null || status=$?
	echo "$status" >status
	sed -i "s|$3|gm|g" tap common.shi
)

image=$source/utilities/tests/sunrise.miff
OMPP_REPORTFILE=$work/report ompp run gm convert "$image" -blur 0x1 "$work/it.miff" >"$work/said"
regions=$(grep -c '^R[0-9]* *PARALLEL' "$work/report" || :)
[ "$regions" -gt 0 ] || { echo "magick.sh: no parallel region is seen in gm" >&2; exit 1; }
export OMPP_REPORTFILE=none
failed=0
[ $# -gt 0 ] || set -- effects identify resize montage icc-transform list pipe preview hald-clut msl_composite convert
for test in "$@"; do
	suite plain "$test" gm
	suite again "$test" gm
	suite ours "$test" 'ompp run gm'
	cd "$work"
	for pair in again ours; do
		diff -rq "plain/$test" "$pair/$test" | sed "s|$pair/|ours/|g" | sort >"$pair.differ" || :
	done
	comm -13 again.differ ours.differ >new
	echo "$test: status $(cat "ours/$test/status"), $(grep -c '^ok' "ours/$test/tap" || :) ok," \
		"$(find "plain/$test" -type f | wc -l) files, of which $(wc -l <again.differ) differ plainly," \
		"$(wc -l <new) only by ompp run"
	[ -s new ] || continue
	cat new
	diff "plain/$test/tap" "ours/$test/tap" | head -20
	failed=1
done
exit $failed
