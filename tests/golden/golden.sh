#!/bin/sh
# The reports of the example are what they were, from the process and from the saved file, in any locale.
. "$srcdir/tests/lib.sh"

example=$builddir/tests/golden/example_main
golden=$srcdir/tests/golden

"$example" profile >example.ompp
"$example" profile data >data.ompp
"$example" profile counters >counters.ompp
for format in text:txt csv:csv; do
	suffix=${format#*:}
	format=${format%:*}
	"$example" "$format" >"made.$suffix"
	same "the $format report" "$golden/example.$suffix" "made.$suffix"
	"$example" "$format" data >"data.$suffix"
	same "the $format report with data objects" "$golden/data.$suffix" "data.$suffix"
	"$example" "$format" counters >"counters.$suffix"
	same "the $format report with more counters" "$golden/counters.$suffix" "counters.$suffix"
	for profile in example:made data:data counters:counters; do
		ompp report --format="$format" "${profile%:*}.ompp" >"read.$suffix"
		same "the $format report of the saved profile" "${profile#*:}.$suffix" "read.$suffix"
	done
done
ompp report --format=csv --view=overhead example.ompp example.ompp >ranks.csv
same 'the merged report' "$golden/ranks.csv" ranks.csv
ompp report --format=csv --view=data data.ompp data.ompp >data_ranks.csv
same 'the merged report of data objects' "$golden/data_ranks.csv" data_ranks.csv
ompp report --view=flat,callpath --region=a.c:13 --object=a,mod::count --columns=all data.ompp >all.txt
same 'the report with all columns of two objects' "$golden/all.txt" all.txt
ompp report --view=general,flat --region=a.c:13 counters.ompp counters.ompp >counters_ranks.txt
same 'the merged report with more counters' "$golden/counters_ranks.txt" counters_ranks.txt
"$example" profile model >model.ompp
ompp report --view=general,flat,data model.ompp >model.txt
same 'the report with modelled misses' "$golden/model.txt" model.txt

# a profile that was written before there were data objects
ompp report "$srcdir/tests/fuzz/corpus_profile/example" >old.txt
same 'the report of an older profile' "$golden/example.txt" old.txt

# only what a program wrote into its own profile may be wider than 100 columns
awk 'length > 100 && !/read "in", then sort/ { print; bad = 1 } END { exit bad }' made.txt data.txt counters.txt all.txt model.txt || fail 'a line is too wide'
