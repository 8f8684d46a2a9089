# application.sh: what the tests of whole applications share.  To source: . "$srcdir/tests/applications/application.sh"
#
# An application is a source package of Debian that is built twice by its own build system, side by side: in the folder
# `plain` by the compiler, and in `kinst` by kinst-gcc, kinst-g++ and kinst-gfortran.  Status, warnings and the results of
# its own tests must be the same, kinst must print nothing, and the regions of the binaries must be the constructs that
# the plain compiler found.  The tests are the same again while the kernel tells which pages are written.  In the end, what
# has constructs is built once more in `kinst`, with access hooks, and the application's tests are the same while these
# sample, and while they count by page.  KINST_WHOLE=1 in the environment builds and tests all of the application, not a part.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/applications/fetch.sh"
unset KINST KINST_FLAGS KINST_LIBDIR KINST_INCLUDEDIR MAKEFLAGS MFLAGS MAKELEVEL TESTS
unset CC CXX FC F77 CFLAGS CXXFLAGS FFLAGS FCFLAGS CPPFLAGS LDFLAGS
OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive OMPP_QUIET=1
export OMP_NUM_THREADS OMP_WAIT_POLICY OMPP_QUIET
whole=${KINST_WHOLE:-}
name=$(basename "$0" .sh)

# The plain compilers, which keep the places of constructs in the step `build`.
places=$work/places
mkdir "$places" "$work/bin" "$work/plain" "$work/kinst" "$work/reports" "$work/sampled"
for compiler in gcc g++ gfortran; do
	cp "$srcdir/tests/applications/plain.sh" "$work/bin/plain-$compiler"
	chmod +x "$work/bin/plain-$compiler"
done
PATH=$work/bin:$PATH KINST_CONSTRUCTS=$srcdir/tests/corpus/constructs.awk
export PATH KINST_CONSTRUCTS

# in_both STEP: run the function STEP in the folders plain and kinst at the same time, with the prefix of the compilers in
# $by ("plain-", "kinst-").  Output and status go to STEP.out and STEP.status there, CPU seconds are added to `seconds`.
in_both() {
	step=$1
	for side in plain kinst; do
		(
			by=$side- OMPP_OUTDIR=$work/reports KINST_PLACES=
			[ "$step" != build ] || KINST_PLACES=$places
			export OMPP_OUTDIR KINST_PLACES
			cd "$work/$side" || exit 1
			("$step") >"$step.out" 2>&1 </dev/null
			echo $? >"$step.status"
			times >times
			tr 'ms' '  ' <times | awk -v step="$step" '
				NR == 2 { printf "%s %.1f\n", step, $1 * 60 + $2 + $3 * 60 + $4 }' >>seconds
		) &
	done
	wait
	same "the status of $step" "plain/$step.status" "kinst/$step.status"
	[ "$(cat "plain/$step.status")" = 0 ] || {
		tail -n 20 "plain/$step.out"
		fail "$step: the plain build fails"
	}
}

# quiet STEP: kinst has said nothing, and what the compilers have said of the sources is the same on both sides.
quiet() {
	! grep -a '^kinst: ' "kinst/$1.out" | grep -v ': passed over: -fopenmp is not given' | head -n 20 | grep . || fail "$1: kinst speaks"
	for side in plain kinst; do
		grep -aiE 'warning: |error: |^[^ ]+:[0-9]+:[0-9]+:' "$side/$1.out" |
			sed "s|$work/$side||g" | sort >"$side/$1.said"
	done
	same "what the compilers say in the step $1" "plain/$1.said" "kinst/$1.said"
}

# constructs_are_regions BINARY…: the regions of the binaries in the folder kinst are the constructs of the plain build.
constructs_are_regions() {
	find "$places" -type f -exec cat {} + | sort -u >constructs
	for binary; do
		ompp regions "kinst/$binary" || fail "ompp regions $binary"
	done | sed -n 's|^\(.*/\)\{0,1\}\([^/]*:[0-9]*\)-[0-9]* .*|\2|p' | sort -u >regions
	[ -s constructs ] || fail "no construct was compiled"
	comm -23 constructs regions >unmeasured
	comm -13 constructs regions >unknown
	[ ! -s unmeasured ] || fail "not measured: $(tr '\n' ' ' <unmeasured)"
	[ ! -s unknown ] || fail "regions that are no constructs: $(tr '\n' ' ' <unknown)"
	echo "$name: $(wc -l <constructs) constructs, all of them regions"
}

# reported NUMBER [FILE…]: the reports of the tests have at least so many different regions, all of them constructs, and
# some of these files.
reported() {
	cat "$work"/reports/*.ompp.txt | sed -n 's/^ \* R[0-9]* \([^ ]*\) (\([0-9]*\)-.*/\1:\2/p' | sort -u >reported
	n=$(wc -l <reported)
	[ "$n" -ge "$1" ] || fail "$n regions are in the reports, not $1"
	comm -23 reported constructs >unknown
	[ ! -s unknown ] || fail "regions in reports that are no constructs: $(tr '\n' ' ' <unknown)"
	shift
	for file; do
		grep -q "^$file:" reported || fail "no region of $file is in a report"
	done
	echo "$name: $n regions in $(find "$work/reports" -name '*.ompp.txt' | wc -l) reports"
}

# in_kinst STEP FUNCTION SETTING…: runs the function in the folder kinst alone, with these settings.
in_kinst() {
	step=$1 function=$2
	shift 2
	(
		by=kinst- OMPP_OUTDIR=$work/sampled MAKEFLAGS=-j2
		export OMPP_OUTDIR MAKEFLAGS "$@"
		cd "$work/kinst" || exit 1
		("$function") >"$step.out" 2>&1 </dev/null
	) || {
		tail -n 20 "kinst/$step.out"
		fail "$step: it ends with an error"
	}
}

# has_regions OBJECT
has_regions() {
	nm "$1" 2>/dev/null | grep -q ' U \(POMP2\|ompp_f\)_'
}

# is_part N: is this to be done in the part of the test that PART asks for?  Without parts all is.
is_part() {
	case ${PART:-1/1} in
	1/1 | "$1"/*) ;;
	*) return 1 ;;
	esac
}

# find_hooked: lists the objects that have regions in the file `hooked`.
find_hooked() {
	find kinst -name '*.o' | while read -r object; do
		! has_regions "$object" || echo "$object"
	done >hooked
	[ -s hooked ] || fail "no object has regions"
}

# remove_hooked: removes them, so that they are built once more.
remove_hooked() {
	while read -r object; do
		folder=${object%/*} file=${object##*/}
		rm -f "$object" "$folder/${file%.o}.lo" "${folder%.libs}${file%.o}.lo" # libtool's name of it, too
	done <hooked
}

# hooked: builds the objects that have regions once more, with access hooks.
hooked() {
	find_hooked
	remove_hooked
	in_kinst hooked build KINST_FLAGS=--access
	! grep -a '^kinst: ' kinst/hooked.out | grep -v ': some accesses are not counted: ' | head -n 20 | grep . ||
		fail "hooked: kinst speaks"
	echo "$name: $(wc -l <hooked) objects have hooks"
}

# sampled: runs the application's tests with samples by its hooks; what they say is in kinst/sampled.out.
sampled() {
	in_kinst sampled check OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=1009
	n=$(cat "$work"/sampled/*.ompp.txt | grep -c '^Sampled accesses of data objects in the whole program (hook, ' || :)
	[ "$n" -gt 0 ] || grep -q 'OMPP_SAMPLE=hook: ' "$work"/sampled/*.ompp.txt || fail "nothing was sampled"
	echo "$name: $n of $(find "$work/sampled" -name '*.ompp.txt' | wc -l) reports have samples"
}

# paged METHOD: runs the application's tests while their pages are traced by this method in short intervals; what they say
# is in kinst/pages-METHOD.out.  Each report has pages or says why not, each trace can be read, and with hooks no object has
# fewer loads or stores in its pages than are counted.
paged() {
	folder=$work/pages-$1
	mkdir "$folder"
	in_kinst "pages-$1" check OMPP_OUTDIR="$folder" OMPP_OUTFORMAT=CSV OMPP_PAGES="$1" OMPP_PAGES_INTERVAL=10ms
	n_reports=0 n_pages=0
	for report in "$folder"/*.csv; do
		grep -q '^##BEG pages by object' "$report" || {
			grep -q "OMPP_PAGES=$1: " "$report" || fail "$report has neither pages nor a reason"
			continue
		}
		"$builddir/ompp" pages --csv "${report%.csv}.pages" >uses 2>said && [ ! -s said ] || fail "ompp pages: $(cat said)"
		n_pages=$((n_pages + $(grep -c '^0x' uses)))
		n_reports=$((n_reports + 1))
		[ "$1" != hooks ] || awk -F, '
			/^##END/ { inside = "" }
			inside && is_head { for (i = 1; i <= NF; i++) column[$i] = i; is_head = 0; next }
			inside == "pages" { loads[$1] = $column["loads"]; stores[$1] = $column["stores"] }
			inside == "objects" && NR != FNR && $1 !~ /^["(]/ {
				if (loads[$1] < $column["loads"] + $column["atomics"] || stores[$1] < $column["stores"] + $column["atomics"]) {
					print $1 ": " loads[$1] + 0 " loads and " stores[$1] + 0 " stores by page, of: " $0
					exit 1
				}
			}
			/^##BEG pages by object/ { inside = "pages"; is_head = 1 }
			/^##BEG data objects$/ { inside = "objects"; is_head = 1 }' "$report" "$report" >wrong ||
			fail "$report: $(cat wrong)"
	done
	[ $n_pages -gt 0 ] || grep -q "OMPP_PAGES=$1: " "$folder"/*.csv || fail "OMPP_PAGES=$1: no page"
	echo "$name: $n_pages uses of pages by OMPP_PAGES=$1 in $n_reports of $(find "$folder" -name '*.csv' | wc -l) reports"
}

# counts FOLDER: the loads, stores, atomics and bytes of each object in each region of the folder's reports, added up.
counts() {
	cat "$1"/*.csv | awk -F, '
		/^##BEG data objects by region/ { inside = 1; getline; for (i = 1; i <= NF; i++) column[$i] = i; next }
		/^##END/ { inside = 0 }
		inside {
			key = $1
			for (i = 2; i <= 7; i++)
				key = key " " $i
			loads[key] += $column["loads"]
			stores[key] += $column["stores"]
			atomics[key] += $column["atomics"]
			bytes[key] += $column["bytes"]
		}
		END { for (key in loads) printf "%s: %.0f %.0f %.0f %.0f\n", key, loads[key], stores[key], atomics[key], bytes[key] }
	' | sort
}

# counted MAKEFILE: builds the objects that have regions twice more, at -O2: by a hook for each access, and by whole loops.
# The application's tests by one thread count the same both ways, for each object in each region; what two runs by hooks do
# not count the same (names of temporary files, times) is left out.
counted() {
	find_hooked
	sed -i 's/-O[01]\>/-O2 -g/' "kinst/$1"
	for way in hooks again loops; do
		if [ $way != again ]; then
			remove_hooked
			flag=--access
			[ $way = loops ] || flag=--access=hooks
			in_kinst build-$way build KINST_FLAGS=$flag
		fi
		mkdir "$work/$way"
		in_kinst check-$way check OMPP_OUTDIR="$work/$way" OMPP_OUTFORMAT=CSV OMPP_OBJECTS=all OMP_NUM_THREADS=1
		counts "$work/$way" >counts.$way
	done
	comm -12 counts.hooks counts.again >steady
	sed 's/: [^:]*$//' steady >keys
	awk 'NR == FNR { is_key[$0] = 1; next } { key = $0; sub(/: [^:]*$/, "", key) } key in is_key' keys counts.loops >found
	n=$(wc -l <counts.hooks)
	[ $(($(wc -l <steady) * 2)) -gt "$n" ] || fail "of $n counts by hooks only $(wc -l <steady) are the same in two runs"
	same "what is counted by hooks and by whole loops" steady found
	echo "$name: $(wc -l <steady) of $n counts by hooks and by whole loops are equal, of $(awk '{ n += $(NF - 3) + $(NF - 2) }
		END { printf "%.3g", n }' steady) accesses (the others differ between two runs)"
}

# same_results [STEP]: the lines PASS, FAIL and so on of automake's harness are the same, none fails, and some pass.
# STEP: of the folder kinst; default: check
same_results() {
	for side in plain kinst; do
		step=check
		[ $side = plain ] || step=${1:-check}
		grep -E '^(PASS|FAIL|SKIP|ERROR|XFAIL|XPASS): ' $side/$step.out | sort >$side/results
	done
	same "the results of the package's tests" plain/results kinst/results
	! grep -E '^(FAIL|ERROR)' plain/results || fail "the package's tests"
	grep -q '^PASS' plain/results || fail "the package has run no test"
	echo "$name${1:+, $1}: $(wc -l <plain/results) of the package's tests, $(grep -c '^PASS' plain/results) of them pass, as plainly"
}

# The CPU seconds of both sides, step by step, and the ratio.  The plain side's compiles include what `places` costs.
seconds() {
	paste -d ' ' plain/seconds kinst/seconds | awk -v name="$name" '{
		printf "%s: %s: plain %.1f s, kinst %.1f s CPU, ratio %.2f\n", name, $1, $2, $4, $4 / ($2 ? $2 : 1)
	}'
}
