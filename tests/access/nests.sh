# nests: programs with loop nests made by chance (nests/) do the same with access hooks and with the loops counted as a whole
# as without kinst: output, status; and both ways count the same: per object, region and thread, to the digit.  The cache
# model finds the same misses when it sees each access as when it takes loops as a whole.
#
# Each time two or three of the five programs, at levels in turn.  Other programs: SEEDS="5-20" LANGUAGES="c c++ fortran clang clang++" LEVELS="-O0 -O1 -O2 -O3" NESTS=24 make check
# TESTS=tests/access/nests.sh ONLY=7 takes function 7 of a program alone.  CC, GXX, GFORTRAN and CLANG are the compilers;
# FLAGS are theirs, besides those that a seed takes.  HOOKS and LOOPS are kinst's options for the two ways; CHECKING=yes lets
# the compiler check what the plug-in makes, in the second.  KEEP=FOLDER keeps what fails.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/access/ways.sh"
: "${NESTS:=24}" "${ONLY=}" "${CHECKING=}" "${FLAGS=}" "${KEEP=}"
folder=$srcdir/tests/access/nests
generate=$builddir/tests/access/nests/nests

# The two ways, as this kinst has them.
if kinst --help | grep -q -e '--access=hooks'; then
	: "${HOOKS=--access=hooks}" "${LOOPS=--access}"
else
	: "${HOOKS=--access}" "${LOOPS=--access}"
fi
export OMP_DYNAMIC=false OMP_WAIT_POLICY=passive GOMP_SPINCOUNT=0 OMPP_QUIET=1 OMPP_PROFILE=0 OMPP_OUTFORMAT=CSV
unset OMP_NUM_THREADS KINST KINST_FLAGS

compiler_of() {
	case $1 in
	c) echo "${CC:-gcc}" ;;
	c++) echo "${GXX:-g++}" ;;
	fortran) echo "${GFORTRAN:-gfortran}" ;;
	clang) echo "${CLANG:-clang}" ;;
	clang++) echo "${CLANG:-clang}++" ;;
	esac
}

# flags_of SEED: options that change what the hooks' pass finds, and what the passes behind it do with its results.
flags_of() {
	n=$1
	case $("$compiler" --version) in
	*clang*) set -- '' -g -march=native -fwrapv -fno-strict-aliasing -Os -fPIC -fno-inline -fno-unroll-loops ;;
	*)
		set -- '' '' '' -g -march=native -fwrapv -fno-strict-aliasing -fno-tree-vectorize -funroll-loops \
			-fnon-call-exceptions -fno-ivopts -Os -fPIC -floop-interchange -fno-inline -fno-tree-ch -fno-tree-loop-im \
			-fprefetch-loop-arrays -fno-tree-pre -fsplit-loops -ftrapv -fno-tree-dominator-opts \
			-fversion-loops-for-strides -fno-tree-vrp
		;;
	esac
	shift $((n % $#))
	echo "-ffp-contract=off $1"
}

# build NAME KINST…: the program in a folder of its own, as reports have its name
build() {
	name=$1
	shift
	mkdir -p $name
	"$@" $compiler -w $level -fopenmp $flags -I"$folder" $source.$suffix run.o -lm -o $name/program >$name.said 2>&1 ||
		return 1
}

# suspect: the number of the function that most of the differences are in
suspect() {
	{
		diff plain.out hooks.out || :
		diff plain.out loops.out || :
	} 2>/dev/null | sed -n 's/^[<>] \([0-9]*\) .*/\1/p' | head -n 1 >function
	[ -s function ] || diff hooks.counts loops.counts 2>/dev/null | sed -n 's/^[<>] .*,nest\([0-9]*\)[, ].*/\1/p' | sort |
		uniq -c | sort -rn | awk 'NR == 1 { print $2 }' >function
	cat function
}

# wrong WORD…: names the program that failed, and goes on with the next.
wrong() {
	echo "$*"
	only=${ONLY:-$(suspect)}
	echo "    again: SEEDS=$seed LANGUAGES=$language LEVELS=$level${FLAGS:+ FLAGS='$FLAGS'}${CHECKING:+ CHECKING='$CHECKING'}" \
		"NESTS=$NESTS ONLY=$only make check TESTS=tests/access/nests.sh VERBOSE=1"
	echo "    the program: tests/access/nests/nests $kind $seed $NESTS $only; its flags: $level $flags"
	n_wrong=$((n_wrong + 1))
	[ -z "$KEEP" ] || { mkdir -p "$KEEP/$language.$seed$level" && cp source.* *.out *.counts *.csv "$KEEP/$language.$seed$level"; } 2>/dev/null || :
}

# compare: one program at one level
compare() {
	rm -rf plain hooks loops *.out *.csv *.counts
	build plain env || { wrong "does not compile: $(tail -n 3 plain.said)"; return; }
	run plain/program plain
	grep -q '^status [03]$' plain.out || { wrong "the plain program failed: $(tail -n 1 plain.out)"; return; }
	build hooks kinst $HOOKS || { wrong "kinst $HOOKS: $(tail -n 3 hooks.said)"; return; }
	given=$flags flags="$flags $checking" source=$second built=yes
	build loops kinst $LOOPS || built=
	flags=$given source=source
	[ "$built" ] || { wrong "kinst $LOOPS: $(tail -n 3 loops.said)"; return; }
	! grep 'counted one by one, not by loops' loops.said >gave_up || { wrong "$(cat gave_up)"; return; }
	for way in hooks loops; do
		run $way/program $way
		cmp -s plain.out $way.out || {
			wrong "$way: the output is not the plain program's: $(diff plain.out $way.out | head -n 4)"
			return
		}
		counts $way.csv $way.counts || { wrong "$way: no counts"; return; }
	done
	# An atomic update that another thread was in the midst of is done again, with its load: then runs of one program differ.
	for again in 1 2 3 4; do
		! cmp -s hooks.counts loops.counts || break
		for way in hooks loops; do
			run $way/program $way
			counts $way.csv $way.counts || { wrong "$way: no counts"; return; }
		done
	done
	cmp -s hooks.counts loops.counts || {
		wrong "the counts differ (< $HOOKS, > $LOOPS): $(diff hooks.counts loops.counts | grep '^[<>] \(flat\|object\)' | head -n 8)"
		return
	}
	n_lines=$((n_lines + $(wc -l <hooks.counts)))
	[ -z "$still" ] || compare_model
}

# model: the misses of the program in model0.counts, by loops, and in model1.counts, by each access
model() {
	for shared in 0 1; do
		status=0
		OMPP_CACHE=L1=1K/2/64,L2=8K/4/64 OMPP_SHARING=$shared OMP_THREAD_LIMIT=1 OMPP_REPORTFILE=model$shared.csv \
			timeout 60 $still loops/program >model.out 2>&1 || status=$?
		echo "status $status" >>model.out
		awk -f "$srcdir/tests/access/nests.awk" model$shared.csv | sort >model$shared.counts
	done
	cmp -s model0.counts model1.counts
}

# compare_model: the search for shared lines needs each store, so that the model gets each access.  Threads meet at no
# shared level, and one at a time.  In one run of some hundreds libomp takes 2 KiB more of the heap as it starts, so that
# what the program allocates lies elsewhere: what differs is looked at again.
compare_model() {
	model || model || model || model || {
		wrong "the model differs (< by loops, > by each access): $(diff model0.counts model1.counts | grep '^[<>]' | head -n 8)"
		return
	}
	n_misses=$((n_misses + $(awk -F, '/^object/ && $1 !~ /object$/ { n += $(NF - 2) } END { print n + 0 }' model1.counts)))
}

# the list of seeds: numbers and ranges
seeds() {
	for range in $SEEDS; do
		seq "${range%-*}" "${range#*-}"
	done
}

# balanced: regions in the program end in the order in which they began, or reports would depend on copies of loops
balanced() {
	awk 'match($0, /inst (begin|end)\([a-z0-9]*\)/) {
			name = substr($0, RSTART + 5, RLENGTH - 5)
			if (sub(/^begin/, "", name))
				open[++n] = name
			else if (sub(/^end/, "", name) && (n < 1 || open[n--] != name))
				exit wrong = 1
		}
		END { exit wrong || n != 0 }' "$1"
}

# Few programs have a region in another one.
for kind in c c++ fortran; do
	for seed in $(seq 1 40); do
		"$generate" $kind $seed 24 >other.source
		balanced other.source || fail "the generator: regions that do not end: $kind $seed"
	done
done

"${CC:-gcc}" -O1 -w -c "$folder/run.c" -o run.o || fail "run.c"
n_programs=0 n_wrong=0 n_lines=0 n_misses=0 source=source second=source
# memory where it was the time before
still=$(command -v setarch || :)
[ -z "$still" ] || still="setarch -R"
[ -z "$still" ] || $still true 2>/dev/null || still=
sampled=
[ "${SEEDS-}${LANGUAGES-}${LEVELS-}" ] || sampled=yes
: "${SEEDS=1}" "${LANGUAGES=c c++ fortran clang clang++}" "${LEVELS=turn}"
for language in $LANGUAGES; do
	found=$(compiler_of $language)
	command -v "$found" >/dev/null || continue
	[ ! "$sampled" ] || in_part 2 || continue
	compiler=$found
	case $language in
	c | clang) suffix=c kind=c ;;
	c++ | clang++) suffix=cpp kind=c++ ;;
	fortran) suffix=f90 kind=fortran ;;
	esac
	for seed in $(seeds); do
		"$generate" $kind $seed $NESTS $ONLY >source.$suffix || fail "the generator: $kind $seed"
		flags="$(flags_of $seed) $FLAGS"
		checking=
		case ${CHECKING:+$("$compiler" --version)} in
		'') ;;
		*clang*) checking='-mllvm -verify-loop-info' ;;
		*) checking=-fchecking=1 ;;
		esac
		[ $language != fortran ] || flags="-ffree-line-length-none $flags"
		levels=$LEVELS
		[ "$LEVELS" != turn ] || levels=-O$(((n_programs + $(date +%s) / 2) % 3 + 1))
		for level in $levels; do
			compare
			n_programs=$((n_programs + 1))
		done
	done
done
[ $n_programs -gt 0 ] || skip "no compiler"
[ $n_wrong -eq 0 ] || fail "$n_wrong of $n_programs programs with $NESTS functions each"

# A count that is wrong by one is found, in whichever section it stands.
for section in object byregion flat path; do
	row=$(grep -n "^$section.*[1-9]" hooks.counts | sed -n '5s/:.*//p')
	awk -v row="$row" 'NR == row { for (i = NF; $i !~ /[1-9]/; i--); $i = $i "1" } { print }' hooks.counts >other.counts
	! cmp -s hooks.counts other.counts || fail "a wrong count is not found: $section"
done
# So is another program.
"$generate" $kind $((seed + 1)) $NESTS >other.$suffix
second=other
compare >said
[ $n_wrong -eq 1 ] && grep -q "^loops: the output is not" said || fail "another program is not found: $(cat said)"
[ $n_lines -gt $((n_programs * 20)) ] || fail "only $n_lines counts in $n_programs programs"
[ -z "$still" ] || [ $n_misses -gt $((n_programs * 20)) ] || fail "only $n_misses misses in $n_programs programs"
echo "$n_programs programs of ${ONLY:+1 of }$NESTS functions, $n_lines counts equal, $n_misses misses modelled alike"
