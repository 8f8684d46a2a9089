# terminal: reports have colours, bars and a pager on a terminal alone, and as NO_COLOR, --color, OMPP_PAGER and PAGER say;
# ompp run --progress tells the time and the region with most threads, and leaves nothing behind
. "$srcdir/tests/lib.sh"
need script

kinst $CC -O1 -g -fopenmp "$srcdir/examples/imbalance.c" -o imbalance
OMP_NUM_THREADS=2 OMPP_QUIET=1 OMPP_OVERWRITE=1 ./imbalance >printed
profile=imbalance.2.ompp
escape=$(printf '\033')
unset NO_COLOR OMPP_PAGER PAGER LESS
export TERM=xterm LC_ALL=C.UTF-8

# terminal COLUMNS COMMAND: runs it on a terminal so wide; what it shows is in `text`, as `plain` without orders.
terminal() {
	width=$1
	shift
	status=0
	script -qec "stty cols $width rows 50; $*" /dev/null </dev/null >raw || status=$?
	tr -d '\r' <raw >text
	sed "s/$escape\\[[0-9;]*[mK]//g" text >plain
}
has_color() { grep -q "$escape\\[3[0-9]m" text; }
has_bars() { grep -q '█.*work in parallel regions' text; }

# ---- colours and bars ----

export OMPP_PAGER=
ompp report $profile >file
! grep -q "$escape" file && ! grep -q '█' file || fail 'a file gets colours or bars'
ompp report --view=summary --color=never $profile >file
ompp report --view=summary --color=always $profile >text
has_color || fail '--color=always to a file'
sed "s/$escape\\[[0-9;]*m//g" text >plain
same 'the text with its colours taken out' file plain
terminal 120 ompp report $profile
has_color && has_bars || fail "a terminal: $(cat -v text)"
# each bar is as long as its share says, of 24 columns, to an eighth
grep '█' plain | tr -d ' ' | sed 's/^[0-9.]*(\([0-9.]*\)%)\([█▉▊▋▌▍▎▏]*\).*/\1 \2/' >bars
[ "$(wc -l <bars)" -ge 2 ] || fail "bars: $(cat plain)"
while read -r share bar; do
	full=$(printf %s "$bar" | grep -o '█' | wc -l)
	awk -v share="$share" -v full="$full" 'BEGIN { exact = share * 24 / 100; exit !(full <= exact + 0.01 && full + 1 >= exact) }' ||
		fail "a bar of $full columns for $share %"
done <bars
terminal 80 ompp report $profile
has_color && ! has_bars || fail "a terminal of 80 columns: $(cat -v text)"
awk 'length > 80 { exit 1 }' plain || fail "wider than the terminal: $(cat plain)"
# what is wider than the terminal goes on below, at a blank; and a wide one is used
mkdir a_long_name
cp "$srcdir/examples/imbalance.c" a_long_name/the_imbalance_of_a_source_whose_name_is_long.c
cp "$srcdir/examples/spin.h" a_long_name
kinst --access $CC -O1 -g -fopenmp a_long_name/the_imbalance_of_a_source_whose_name_is_long.c -o long
OMP_NUM_THREADS=2 OMPP_QUIET=1 OMPP_OVERWRITE=1 OMPP_OBJECTS=all OMPP_APPNAME=long ./long >printed
ompp report --view=summary long.2.ompp >file
grep -qE '^ .* [a-z_]+…[a-z_]+\.c \(29-33\): imbalance in parallel loop$' file || fail "a finding in a file: $(cat file)"
for width in 45 60 72 80; do
	terminal $width ompp report --view=summary,properties long.2.ompp
	sed -n '/^---/d; /^Sections: /,$d; s/…/_/g; p' plain | awk -v width=$width 'length > width && / [^ ]+ [^ ]/ { print; bad = 1 } END { exit bad }' ||
		fail "$width: wider than the terminal: $(cat plain)"
	tr -s ' \n' '  ' <plain | grep -q '_long\.c (29-33): imbalance in parallel loop' || fail "$width: the finding: $(cat plain)"
	tr -s ' \n' '  ' <plain | grep -q 'waiting: single, or too few sections (limited parallelism)' || fail "$width: words: $(cat plain)"
done
# the names of sections, too; only a command is never divided
for width in 45 60; do
	terminal $width ompp report long.2.ompp
	sed -n '/^Sections: /,$p' plain | awk -v width=$width '!/^  ompp report/ && length > width { print; bad = 1 } END { exit bad }' ||
		fail "$width: sections wider than the terminal: $(cat plain)"
	[ "$(grep -c '^  ompp report --view=.* long\.2\.ompp$' plain)" = 2 ] || fail "$width: the commands: $(cat plain)"
done
terminal 200 ompp report long.2.ompp
grep -q ' LOOP the_imbalance_of_a_source_whose_name_is_long.c (29-33): imbalance in parallel loop' plain || fail "a wide terminal: $(cat plain)"
sed -n 's/^to try first, on a quiet machine: /to try first: /; /^to try first: /,$p' plain | tr -s ' \n' '  ' | grep -q '^to try first: [^.]*\. ' || fail "the advice on a wide terminal: $(cat plain)"
terminal 120 NO_COLOR=1 ompp report $profile
! has_color && has_bars || fail "NO_COLOR: $(cat -v text)"
terminal 120 NO_COLOR=1 ompp report --color=always $profile
has_color || fail '--color=always and NO_COLOR'
terminal 120 TERM=dumb ompp report $profile
! has_color || fail 'a dumb terminal'
terminal 120 ompp report --color=never $profile
! has_color || fail '--color=never'
terminal 120 LC_ALL=C ompp report $profile
grep -q '####.* work in parallel regions' plain && ! grep -q '█' plain || fail "a terminal without UTF-8: $(cat plain)"
terminal 120 ompp report --format=csv $profile
! grep -q "$escape" text || fail 'CSV on a terminal'
! ompp report --color=sometimes $profile >out 2>said || fail 'an unknown word'
grep -q "^ompp: --color: .*'sometimes'" said || fail "said: $(cat said)"

# ---- the pager ----

unset OMPP_PAGER
terminal 120 PAGER="'sed s/^/paged:/'" ompp report --view=all $profile
grep -q '^paged:.*ompP Flat Region Profile' plain || fail "PAGER: $(cat plain)"
has_color || fail 'colours for a pager'
terminal 120 PAGER=false OMPP_PAGER="'sed s/^/own:/'" ompp report $profile
grep -q '^own:Sections: ' plain || fail "OMPP_PAGER before PAGER, and for all that is printed: $(cat plain)"
for none in cat ''; do
	terminal 120 PAGER=false OMPP_PAGER="'$none'" ompp report $profile
	grep -q '^Sections: ' plain || fail "OMPP_PAGER='$none': $(cat plain)"
done
PAGER='sed s/^/paged:/' ompp report $profile | grep -q '^paged:' && fail 'a pager where the output is no terminal'
terminal 120 OMPP_PAGER=no-such-pager ompp report $profile
[ $status -eq 1 ] && grep -q "^ompp: OMPP_PAGER: 'no-such-pager' cannot be run; " plain || fail "no pager: $status, $(cat plain)"
terminal 120 OMPP_PAGER="'head -n 1'" ompp report --view=all $profile
[ $status -eq 0 ] && [ "$(grep -c . plain)" -eq 1 ] || fail "a pager that is left early: $status, $(cat plain)"
if command -v less >/dev/null; then # which ends by itself when all fits the screen, and keeps colours
	terminal 120 ompp report $profile
	has_color && grep -q 'Sections: ' plain || fail "less: $(cat -v text)"
	terminal 120 TERM=dumb ompp report --view=all $profile
	grep -q 'ompP Performance Properties' plain && ! grep -q RETURN plain || fail "a dumb terminal: $(head plain)"
fi
# the program's exit status, signals and files are not the pager's
terminal 120 OMPP_PAGER="'sed s/^/paged:/'" ompp run --quiet --overwrite -- sh -c "'OMP_NUM_THREADS=2 ./imbalance; exit 7'"
[ $status -eq 7 ] && grep -q '^paged:' plain && ! grep -q '^paged:measured' plain || fail "ompp run: $status, $(cat plain)"
# libompp knows that variable
OMPP_PAGER=less OMPP_OVERWRITE=1 OMP_NUM_THREADS=2 ./imbalance 2>&1 >printed | grep PAGER && fail 'OMPP_PAGER is unknown'

# ---- progress ----

cat >slow.c <<'END'
#include <omp.h>
int main(void)
{
	volatile double x = 0;
	#pragma omp parallel
	for (int r = 0; r < 20; r++) {
		#pragma omp for schedule(static, 1)
		for (int i = 0; i < 2; i++)
			for (double end = omp_get_wtime() + 0.1; omp_get_wtime() < end;)
				x++;
	}
	return 0;
}
END
kinst $CC -O1 -g -fopenmp slow.c -o slow
export OMPP_PAGER= OMP_NUM_THREADS=2 OMPP_OVERWRITE=1 OMPP_QUIET=1
terminal 100 ompp run --progress ./slow
tr '\r' '\n' <raw | sed "s/$escape\\[K//" >lines
grep -q '^[0-9.]* s, most time in slow\.c:7:LOOP ([0-9]* % of the threads that were seen)$' lines || fail "progress: $(cat -v raw)"
tr -d '\n' <raw | grep -q "seen)$escape\\[K.*$(printf '\r')$escape\\[K" || fail "the line stays: $(cat -v raw)"
terminal 100 ompp run --progress true
grep -q '^true: wall time' plain || fail "a program that was not built by kinst: $(cat plain)"
ompp run --progress ./slow >out 2>said
! grep -q 'most time' out said || fail 'progress without a terminal'
