#!/bin/sh
# program: what becomes of one program, for compare.sh, which says by the environment: $work with the list and the
# results, $kinst, $variants of it (plain, access, ways, loaded, emulated), $here, and $reports, a folder or "".
# Usage: program.sh NUMBER        a line of the list
set -u
tab=$(printf '\t')
line=$(sed -n "$1p" "$work/list" | tr "$tab" '\037')
IFS=$(printf '\037') read -r name compiler flags environment sources <<LINE
$line
LINE
case $compiler in
*fortran*) language=Fortran ;;
*++*) language=C++ ;;
*) language=C ;;
esac
folder=$work/$1
mkdir "$folder" && cd "$folder" || exit 1

# build FOLDER COMMAND…: make FOLDER/program in a folder of its own; the seconds it took go to FOLDER.seconds.
build() {
	into=$1
	shift
	mkdir "$into"
	times >"$into.before"
	# names of sources and flags are words
	(cd "$into" && "$@" $flags $sources -o program -lm) >"$into.out" 2>&1
	made=$?
	times >"$into.after"
	cat "$into.before" "$into.after" | tr 'ms' '  ' | awk 'NR % 2 == 0 { t = $1 * 60 + $2 + $3 * 60 + $4; d = t - d }
		END { printf "%.2f", d }' >"$into.seconds"
	return $made
}

# start FOLDER OUT COMMAND…: runs FOLDER/program there, by COMMAND; its output, status and messages become OUT.
start() {
	into=$1 out=$PWD/$2
	shift 2
	# what this shell says of signals is not the program's
	{
		(cd "$into" && exec env $environment timeout -k 5 60 "$@" ./program) >"$out" 2>"$out.err" </dev/null
		status=$?
	} 2>/dev/null
	echo "status $status" >>"$out"
	[ $status = 0 ] && [ ! -e "$folder/loud" ] && cat "$out.err" >>"$out"
	sort "$out" >"$out.sorted"
}

# shape OUT: prints the lines of OUT without their numbers.
shape() {
	sed -E 's/[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?/N/g; s/[ \t]+/ /g' "$1" | sort -u
}

# Does the program do what the plain one does?  If not, the plain one is run some times more, also on one processor.  If
# its output varies, too, the lines may be in another order (by threads) or differ in their numbers (by times), and must
# be the same otherwise.
judge() {
	cmp -s p1 k && { behaviour=same; return; }
	tries=0
	while [ $tries -lt 12 ]; do
		cmp -s p1 "p$((tries + 1))" || varies=yes
		cmp -s "p$((tries + 1))" k && { behaviour=same; return; }
		[ $varies = yes ] && cmp -s "p$((tries + 1)).sorted" k.sorted && { behaviour=same; return; }
		tries=$((tries + 1))
		[ -e "p$((tries + 1))" ] && continue
		if [ $((tries % 2)) = 0 ]; then
			start plain "p$((tries + 1))"
		else
			start plain "p$((tries + 1))" taskset -c 0
		fi
	done
	behaviour=differs
	what="plain $(tail -n 1 p1), by kinst $(tail -n 1 k)"
	[ "$(grep '^status' p1)" != "$(grep '^status' k)" ] || [ $varies = no ] || behaviour=varies
	[ $behaviour != varies ] || [ "$(shape p1)" != "$(shape k)" ] || behaviour=same
}

# counted WAY OUT: runs the program that counts so; OUT.counts gets what its report says of each object and region.
# Where a region's place is a call's offset in its function, the two ways have other offsets.
counted() {
	OMPP_REPORTFILE=$folder/$1/report OMPP_OUTFORMAT=CSV OMPP_PROFILE=0 OMPP_DATA_NAME='*' OMPP_DATA_MIN_BYTES=1 start $1 $2
	awk -F, '/^##BEG data objects/ { on = 1; n = 0; next } /^##END/ { on = 0 }
		on && !n { for (n = 1; $n != "(%)" && n < NF; n++); next } # the columns behind it depend on the threads
		on { for (i = 1; i < n; i++) printf "%s,", $i; print "" }' $1/report 2>/dev/null | sed 's/,R[0-9]*,/,/; s/+0x[0-9a-f]*,/,/' | sort >$2.counts
	rm -f $1/report
}

# Is the same counted by loops as by hooks?  If not, both are run some times more: counts may depend on time and on the
# threads, whose number and turns are not the program's own.
count_both_ways() {
	build hooks $kinst --access=hooks $compiler || { behaviour='unbuilt by kinst' what=$(head -n 2 hooks.out); return; }
	build ours $kinst --access $compiler || { behaviour='unbuilt by kinst' what=$(head -n 2 ours.out); return; }
	behaviour=same
	for try in 1 2 3 4 5; do
		counted hooks h$try
		counted ours l$try
		[ ! -s h$try.counts ] || measured=whole
		for other in $(seq $try); do
			cmp -s h$try.counts l$other.counts && return
			cmp -s h$other.counts l$try.counts && return
			[ $other = $try ] || cmp -s h$try.counts h$other.counts || varies=yes
		done
	done
	behaviour=differs what="counts: $(diff h1.counts l1.counts | grep '^[<>]' | head -n 4 | tr ',' ';')"
	# where hooks alone do not count the same twice either, names and regions must be the same, of all runs together;
	# unless hooks do not meet the same regions twice either
	[ $varies = yes ] || return
	for way in h l; do
		for try in 1 2 3 4 5; do
			awk -F, '{ print $1, $2, $3, $4, $5 }' $way$try.counts | sort -u >$way$try.rows
		done
		sort -u $way[1-5].rows >$way.rows
	done
	! cmp -s h.rows l.rows || behaviour=same
	for try in 2 3 4 5; do
		cmp -s h1.rows h$try.rows || behaviour=same
	done
}

# The constructs that the compiler finds, once for all variants.
find_constructs() {
	[ -e constructs ] && return
	case $language in
	Fortran) gcc=$compiler text= ;;
	C++) gcc=g++ text=text.ii ;;
	C) gcc=gcc text=text.i ;;
	esac
	mkdir dump
	(cd dump && for source in $sources; do
		case $source in
		*.o | *.a | -*) continue ;;
		esac
		# preprocessed, what a macro holds is where the macro is used
		[ ! "$text" ] || $gcc $flags -w -E "$source" -o $text
		rm -f dump.gimple       # there is none of a source without functions
		$gcc $flags -w -O0 -S "${text:-$source}" -o dump.s -fdump-tree-gimple-lineno=dump.gimple &&
			[ -e dump.gimple ] && awk -v text="$text" -v folder="${source%/*}" -f "$here/constructs.awk" dump.gimple
	done) 2>/dev/null | sort -u >constructs
}

# regions PROGRAM: prints where its regions begin, in the form of `constructs`.
regions() {
	ompp regions "$1" 2>/dev/null | sed -n 's/^\(.*\/\)*\([^/]*:[0-9]*\)-[0-9]* .*/\2/p' | sort -u
}

# written SOURCE…: the regions that kinst puts into the sources; the compiler deletes calls that are never reached.
written() {
	mkdir kept
	(cd kept && TMPDIR=$PWD $by_kinst --keep $compiler $flags -c $sources >/dev/null 2>&1)
	find kept -type f ! -name '*.o' -exec cat {} + | tr -d '\0' |
		awk '/^# [0-9]/ { next } /^ *&/ { sub(/&$/, "", text); sub(/^ *&/, ""); text = text $0; next }
			{ print text; text = $0 } END { print text }' |
		grep -aoE 'sscl=[^*"]*:[0-9]+:' | sed 's/^.*[/=]//; s/:$//' | sort -u
	rm -rf kept
}

# Is each construct a region, or named?
measure() {
	find_constructs
	sed -n 's/^kinst: \(.*\/\)*\([^/ ]*:[0-9]*\): .*: not measured: .*/\2/p' ours.out | sort -u >named
	regions ours/program >regions
	comm -23 constructs regions | comm -23 - named >missing
	if [ -s missing ]; then
		written | sort -u - regions >all
		mv all regions
		comm -23 constructs regions | comm -23 - named >missing
	fi
	n_constructs=$(wc -l <constructs)
	n_regions=$(comm -12 constructs regions | wc -l)
	measured=whole
	if grep -q 'without a begin\|never assigned' ours/report 2>/dev/null; then
		measured=unbalanced what=$(grep -h 'without a begin\|never assigned' ours/report | head -n 1)
	elif grep -q 'not instrumented' ours.out; then
		measured=left what=$(grep 'not instrumented' ours.out | head -n 1)
	elif [ -s missing ]; then
		measured=missing what=$(tr '\n' ' ' <missing)
	elif grep -q ': not measured:' ours.out; then
		# each construct and reason once, with | between
		measured=partly what=$(sed -n 's/^kinst: [^ ]*:[0-9]*: \([^:]*\): not measured: /\1: /p' ours.out | sort -u | paste -sd'|')
	fi
}

# Writes the columns of compare.sh's CSV, in one write, as others write to the same file.
say() {
	said=$(printf %s "$what" | tr '\n,' ' ;' | cut -c1-2000)
	printf '%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s\n' "$language" "$variant" "$name" "$behaviour" \
		"$(sed -n 's/^status //p' p1 2>/dev/null | tail -n 1)" "$measured" "$n_constructs" "$n_regions" \
		"$(cat plain.seconds)" "$(cat ours.seconds 2>/dev/null || echo 0)" "$said" >>"$work/results"
}

built=no
build plain $compiler && built=yes
if [ $built = yes ]; then
	start plain p1
	start plain p2
	cmp -s p1.err p2.err || { : >loud; start plain p1; start plain p2; }
fi
for variant in $variants; do
	behaviour=unbuilt measured=no n_constructs=0 n_regions=0 what= varies=no
	by_kinst=$kinst
	access_of=
	[ $variant = plain ] || by_kinst="$kinst --access" access_of=.access
	rm -rf ours
	if [ $built = no ]; then
		:
	elif [ $variant = ways ]; then
		count_both_ways
	elif [ $variant = loaded ]; then
		kinst_folder=$(dirname "$(command -v kinst)")
		start plain k env OMPP_REPORTFILE="$folder/report" OMPP_OUTFORMAT=CSV OMPP_PROFILE=0 LD_PRELOAD="$kinst_folder/.libs/libompp.so"
		judge
		! grep -q '^R[0-9]*,' report 2>/dev/null || measured=whole
		! grep -q 'without a begin' report 2>/dev/null || measured=unbalanced what=$(grep -h 'without a begin' report | head -n 1)
	elif [ $variant = emulated ]; then
		start plain k env OMPP_QUIET=1 OMPP_REPORTFILE=none ompp run --emulate
		judge
	elif ! build ours $by_kinst $compiler; then
		behaviour='unbuilt by kinst' what=$(head -n 2 ours.out)
	else
		OMPP_REPORTFILE=$folder/ours/report OMPP_OUTFORMAT=CSV OMPP_PROFILE=0 start ours k
		judge
		measure
		[ ! "$reports" ] || [ ! -e ours/report ] || cp ours/report "$reports/${name##*/}${access_of}.csv"
	fi
	say
done
cd / && rm -rf "$folder"
