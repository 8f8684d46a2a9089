#!/bin/sh
# The reports of the example are what they were, from the process and from the saved file, in any locale.
. "$srcdir/tests/lib.sh"

example=$builddir/tests/golden/example_main
golden=$srcdir/tests/golden

"$example" profile >example.ompp
for format in text:txt csv:csv; do
	"$example" "${format%:*}" >"made.${format#*:}"
	same "the ${format%:*} report" "$golden/example.${format#*:}" "made.${format#*:}"
	ompp report --format="${format%:*}" example.ompp >"read.${format#*:}"
	same "the ${format%:*} report of the saved profile" "made.${format#*:}" "read.${format#*:}"
done
ompp report --format=csv --view=overhead example.ompp example.ompp >ranks.csv
same 'the merged report' "$golden/ranks.csv" ranks.csv

# only what a program wrote into its own profile may be wider than 100 columns
awk 'length > 100 && !/read "in", then sort/ { print; bad = 1 } END { exit bad }' read.txt || fail 'a line is too wide'
