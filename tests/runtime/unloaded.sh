# unloaded: libraries that were unloaded before the end, one where another one was before, have their own names, as have
# those of a program that was ended by SIGKILL; a file that is another one by now gives no names.  The program says itself
# what it allocates and stores, and where the libraries were.  It unloads by a call and by a pointer from dlsym().
. "$srcdir/tests/lib.sh"

# plug NAME LINES: makes NAME.so, whose function NAME allocates so many lines further down
plug() {
	{
		echo '#include <stdlib.h>'
		for _ in $(seq "$2"); do echo; done
		cat <<-C
			double *$1(int n)
			{
				double *$1_data = malloc(n * sizeof(double));
				for (int i = 0; i < n; i++)
					$1_data[i] = i;
				return $1_data;
			}
		C
	} >"$1.c"
	"$builddir/kinst" --access $CC -g -O1 -fPIC -shared ${3-} "$1.c" -o "$1.so"
}
cat >host.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Loads a library, lets it make its data, and unloads it. */
static void *use(const char *name, int n)
{
	int (*end)(void *) = getenv("END_BY") ? (int (*)(void *))dlsym(strcmp(getenv("END_BY"), "next") ? RTLD_DEFAULT : RTLD_NEXT,
		"dlclose") : dlclose;
	char path[100];
	void *handle = (snprintf(path, sizeof(path), "./%s.so", name), dlopen(path, RTLD_NOW)), *at;
	double *(*make)(int) = (double *(*)(int))dlsym(handle, name), *made = make(n), sum = 0;

	at = (void *)make;
	for (int i = 0; i < n; i++)
		sum += made[i];
	free(made);
	end(handle);
	if (sum != (double)n * (n - 1) / 2)
		abort();
	return at;
}

int main(int argc, char **argv)
{
	double *own = malloc(10000 * sizeof(*own));
	void *a, *b;

	for (int i = 0; i < 10000; i++)
		own[i] = i;
	for (int k = 0; k < 2; k++) {
		a = use("first", 20000);
		b = use("secnd", 40000);
	}
	printf("%d\n", a == b);
	fflush(stdout);
	usleep(200000); /* more than the age at which a block of the trace is written */
	free(own);
	if (argc > 2 && rename(argv[2], "first.so"))
		return 1;
	if (!strcmp(argv[1], "kill"))
		raise(SIGKILL);
	return 0;
}
C
plug first 0
plug secnd 7
plug other 3
"$builddir/kinst" --access $CC -g -O1 -fopenmp host.c -o host -ldl || fail 'compile'

sample=hook
has_sample_clock || sample=off
# run NAME ARG…: runs the program with all that it can write
run() {
	name=$1
	shift
	OMPP_OBJECTS=all OMPP_TRACE=1 OMPP_PAGES=auto OMPP_SAMPLE=$sample OMPP_SAMPLE_PERIOD=50 OMPP_QUIET=1 OMPP_APPNAME="$name" \
		./host "$@" >said 2>/dev/null || [ $? = 137 ]
}

first='first.c:4 first_data = malloc(…)'
secnd='secnd.c:11 secnd_data = malloc(…)'
own='host.c:30 own = malloc(…)'

# has FILE NAME…: the table has a row for each name
has() {
	table=$1
	shift
	for object; do
		grep -qF "$object" "$table" || { tail -3 "$table"; fail "$table: no '$object'"; }
	done
}
# lacks FILE PATTERN: no row has it
lacks() {
	! grep -q "$2" "$1" || { grep "$2" "$1" | head -5; fail "$1: it has $2"; }
}
# show NAME: the tables of a run
show() {
	ompp flow --view=objects --format=csv "$1".*.flow >"$1.objects" 2>"$1.said"
	ompp flow --view=functions --format=csv "$1".*.flow >"$1.functions" 2>>"$1.said"
	ompp flow --view=events --format=csv "$1".*.flow >"$1.events" 2>>"$1.said"
	ompp pages --format=csv "$1".*.pages >"$1.pages" 2>>"$1.said"
}

# the program ends
run end end
[ "$(cat said)" = 1 ] || echo "note: the libraries were not at the same address"
show end
ompp report --view=data --format=csv end.*.ompp >end.data
has end.events "$first" "$secnd" "$own"
has end.pages "$first" "$secnd" "$own"
# the blocks and bytes of two calls each, and a store and a load for each number
for row in "$first,40000,40000," "$first,2,0,320000," "$secnd,80000,80000," "$secnd,2,0,640000," "$own,0,10000,"; do
	has end.data "$row"
done

# the same by a pointer, which is the program's only way to dlclose(); and in regions of functions, without OMPP_OBJECTS
sed 's/: dlclose;/: NULL;/' host.c >pointer.c
for library in first secnd; do
	"$builddir/kinst" --functions $CC -g -O1 -fPIC -shared $library.c -o $library.so
done
"$builddir/kinst" --functions $CC -g -O1 -fopenmp pointer.c -o pointer -ldl || fail 'compile'
for by in default next; do
	for objects in none all; do
		END_BY=$by OMPP_OBJECTS=$objects OMPP_QUIET=1 OMPP_APPNAME=functions OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=functions.csv \
			./pointer end >said || fail "pointer ends with $?"
		awk -F, '
			FNR == NR { at[$1] = $2; next }
			/first/ { first += /first\.c/ }
			/secnd/ { secnd += /secnd\.c/ }
			{ both += /first\.c.*secnd/ }
			END { exit !first || !secnd || both }' said functions.csv || { grep FUNCTION functions.csv; fail "functions, $by, $objects"; }
		[ $objects = none ] || for object in "$first" "$secnd"; do
			has functions.csv "$object"
		done
	done
done
# a program that has a dlclose() of its own, which asks for the next one
cat >own.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
int dlclose(void *handle)
{
	static int depth;
	int (*next)(void *) = (int (*)(void *))dlsym(RTLD_NEXT, "dlclose"), rc;

	printf("depth %d\n", ++depth);
	rc = depth > 1 ? 1 : next(handle);
	depth--;
	return rc;
}
C
"$builddir/kinst" --functions $CC -g -O1 -fopenmp -rdynamic host.c own.c -o own -ldl || fail 'compile'
for objects in none all; do
	OMPP_OBJECTS=$objects OMPP_QUIET=1 OMPP_APPNAME=own OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=own.csv ./own end >said || fail "own ends with $?"
	[ "$(grep -c '^depth 1' said)" = 4 ] && ! grep -q '^depth 2' said || { cat said; fail "a dlclose() of the program's own, $objects"; }
done
plug first 0
plug secnd 7

# it is killed: nothing but the files that it had tells the names
run killed kill
[ -z "$(ls killed.*.ompp 2>/dev/null)" ] || fail 'a killed program has a report'
show killed
for table in events pages; do
	has killed.$table "$first" "$secnd" "$own"
done
has killed.said 'was cut off'
lacks killed.said 'another file'
if [ $sample != off ]; then
	for run in end killed; do
		has $run.objects "$first" "$secnd" "$own"
		# each function stores into its own data alone, the second into twice as much
		awk -F, '
			$1 == "first" { a = $3 }
			$1 == "secnd" { b = $3 }
			END { exit !(a > 400 && b > 1.5 * a && b < 2.7 * a) }' $run.functions ||
			{ cat $run.functions; fail "$run: samples of the functions"; }
	done
fi

# path RUN TEXT: a call path of the run's objects has the text
path() {
	[ $sample = off ] || has "$1.objects" "$2"
}

# it is replaced before the end, by one whose function is elsewhere: its data is called by the call of the program
cp first.so first.kept
for end in end kill; do
	cp other.so new.so
	run "replaced$end" $end new.so
	show "replaced$end"
	cp first.kept new.so && mv new.so first.so
	for table in events pages objects; do
		lacks "replaced$end.$table" 'other\.c\|other_data\|first\.c\|first_data'
	done
	has "replaced$end.events" 'host.c:16 made = make(…)' "$secnd" "$own"
	path "replaced$end" 'first.so (replaced)+0x'
done
has replacedkill.said 'is another file than the one that the program had'
show replacedkill # now it is the right one again
has replacedkill.pages "$first" "$secnd"

# files that are not there, moved, and another one
rm first.so secnd.so
show killed
has killed.events 'host.c:16 made = make(…)' "$own"
has killed.said 'secnd.so: cannot be read'
path killed 'first.so+0x'
lacks killed.events 'first\.c\|secnd\.c'
mv host moved
cp moved host # another inode, and the same build id
show killed
has killed.events "$own"
$CC -g other.c -shared -fPIC -o host
show killed
lacks killed.events 'host\.c'
has killed.events 'host (replaced)+0x'
mv moved host

# without a build id a file is told by where it is and when it was written
plug first 0 -Wl,--build-id=none
plug secnd 7 -Wl,--build-id=none
run plain kill
show plain
has plain.events "$first" "$secnd" "$own"
touch first.so
show plain
has plain.events "$secnd"
lacks plain.events 'first\.c'
path plain 'first.so (replaced)+0x'
