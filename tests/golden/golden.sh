#!/bin/sh
# The reports of the example are what they were, from the process and from the saved file, in any locale.
# Usage to record: golden.sh FOLDER writes them there.
. "$srcdir/tests/lib.sh"

example=$builddir/tests/golden/example_main
golden=$srcdir/tests/golden
export OMPP_PROPERTY_MIN=0               # reports from the process have all properties
mkdir made

for kind in plain data counters model samples; do
	"$example" profile $kind >$kind.ompp
	for rank in 0 1; do
		"$example" profile $kind $rank >$kind.r$rank.ompp
	done
done
for format in text:txt csv:csv; do
	suffix=${format#*:}
	format=${format%:*}
	for name in example:plain data:data counters:counters; do
		"$example" $format "${name#*:}" >"made/${name%:*}.$suffix"
		ompp report --view=all --format=$format "${name#*:}.ompp" >read
		same "the $format report of the saved profile ${name#*:}" "made/${name%:*}.$suffix" read
	done
done
ompp report --format=csv --view=overhead plain.r0.ompp plain.r1.ompp >made/ranks.csv
ompp report --format=csv --view=data data.r0.ompp data.r1.ompp >made/data_ranks.csv
ompp report --view=flat,callpath --region=a.c:13 --object=a,mod::count --columns=all data.ompp >made/all.txt
ompp report --view=general,flat --region=a.c:13 counters.r1.ompp counters.r0.ompp >made/counters_ranks.txt
ompp report --view=general,flat,data model.ompp >made/model.txt
for format in text:txt csv:csv; do
	ompp report --view=summary,flat,memory,lines,touch --format=${format%:*} samples.ompp >made/samples.${format#*:}
	ompp report --view=numa,properties --format=${format%:*} samples.ompp >made/numa.${format#*:}
done
for format in text:txt csv:csv; do
	ompp report --view=pages --format=${format%:*} samples.ompp >made/pages.${format#*:}
done
ompp report --view=pages samples.r0.ompp samples.r1.ompp >made/pages_ranks.txt
ompp report --view=pages --object=x --region=a.c:13 samples.ompp >made/pages_chosen.txt
ompp report --view=memory,lines,touch --region=a.c:20 --object=buf,a --top=1 samples.ompp >made/samples_chosen.txt
ompp report --view=memory,lines,touch samples.r0.ompp samples.r1.ompp >made/samples_ranks.txt
ompp report --view=numa,properties --numa=emulate:3 --object=a,x --far-min=60 samples.ompp >made/numa_emulated.txt
ompp report --view=numa samples.r0.ompp samples.r1.ompp >made/numa_ranks.txt
for name in counters samples; do
	ompp report --format=json $name.ompp | sed 's/"generator":"ompp [^"]*"/"generator":"ompp"/' >made/$name.json
done
"$builddir/tests/compare/runs_make" . a 3 1
"$builddir/tests/compare/runs_make" . b 3 2 planted moved
for threads in 1 2 4; do
	"$builddir/tests/compare/runs_make" . s$threads- 2 $threads threads=$threads serial=5
done
ompp scaling --top=3 s?-?.ompp >made/scaling.txt
ompp scaling --format=csv s?-?.ompp >made/scaling.csv
ompp diff a?.ompp -- b?.ompp >made/diff.txt
ompp diff --format=csv a?.ompp -- b?.ompp >made/diff.csv
ompp diff --format=json a1.ompp b1.ompp | sed 's/"generator":"ompp [^"]*"/"generator":"ompp"/' >made/diff.json
for format in folded speedscope callgrind; do
	ompp report --format=$format counters.ompp | sed 's/^\(creator: ompp\) .*/\1/; s/^\("exporter":"ompp\) [^"]*"/\1"/' >made/counters.$format
done
# The data of pages, a value a line; their styles and scripts are tests/browser's.
"$example" profile visits >visits.ompp
ompp report --view=durations,hot visits.ompp >made/visits.txt
ompp report --view=durations,hot --format=csv visits.ompp >made/visits.csv
printf '%s\n' 'void step(double *x)' '{' '	read(x);' '	for (int i = 0; i < 100; i++)' '		x[i] = inner(x[i]) +' \
	'		       sin(x[i]) *' '		       cos(x[i]);' '}' >tick.c
touch -d '2000-01-01 UTC' tick.c
for kind in counters samples visits; do
	[ $kind = visits ] && source=--source || source=
	ompp report --format=html $source $kind.ompp | sed -n 's|.*<script type="application/json" id="profile">\(.*\)</script>$|\1|p' |
		sed 's/\([],}]\)\([[{"]\)/\1\n\2/g' >made/page_$kind.json
done
if [ $# -gt 0 ]; then
	cp made/* "$1"
	exit 0
fi
for file in made/*; do
	same "${file#made/}, which make update-golden records" "$golden/${file#made/}" "$file"
done

# a profile that was written before there were data objects, bounds of the own cost, and times from samples
ompp report --view=all "$srcdir/tests/fuzz/corpus_profile/example" >old.txt
"$example" profile timed >timed.ompp
ompp report --view=all timed.ompp >timed.txt
sed '/^Own cost at /d; s/   0\.0100  0\.0520$/        -       -/' timed.txt >without.txt
same 'the report of an older profile' without.txt old.txt

# only what a program wrote into its own profile may be wider than 100 columns; and two versions of it, side by side
awk 'length > (FILENAME ~ /diff|scaling/ ? 120 : 100) && !/read "in", then sort/ { print; bad = 1 } END { exit bad }' made/*.txt || fail 'a line is too wide'
