# advice: of 100 runs of a program in which nothing is wrong but the noise no property is told; of 100 in which one loop has work for
# one thread alone that is the first one, with its place and what the run would gain; and the threshold is the user's
. "$srcdir/tests/lib.sh"
make=$builddir/tests/compare/runs_make

# properties [OPTION…] FILE: its properties in CSV, a line each.
properties() {
	ompp report --view=properties --format=csv "$@" | grep '^P0' || :
}

"$make" . even 100 1 even threads=4 && "$make" . bad 100 2 even limited threads=4 || fail 'no profiles are made'
alarms=0 found=0
for i in $(seq 1 100); do
	[ -z "$(properties even$i.ompp)" ] || alarms=$((alarms + 1))
	properties bad$i.ompp >list
	case $(head -1 list) in
	P00001,ImbalanceInParallelLoop,*) ! head -1 list | grep -q 'solve.c,70,' || found=$((found + 1)) ;;
	esac
	[ "$(wc -l <list)" = 1 ] || alarms=$((alarms + 1))
done
echo "false alarms: $alarms of 200, right causes: $found of 100"
[ $alarms = 0 ] && [ $found = 100 ] || { properties even1.ompp; cat list; fail "false alarms: $alarms of 200, right causes: $found of 100"; }

# of those that the threshold lets through no more than it says, and the more the lower it is
n() {
	properties --property-min="$1" bad1.ompp | wc -l
}
[ "$(n 0)" -gt "$(n 0.05)" ] && [ "$(n 0.05)" -ge "$(n 1)" ] && [ "$(n 1)" -gt "$(n 60)" ] && [ "$(n 60)" = 0 ] ||
	fail "thresholds: $(n 0), $(n 0.05), $(n 1), $(n 60)"
