# sensor: the examples of sensors of one's own are built as their headers say, and ompp stat reads them.
. "$srcdir/tests/lib.sh"

for compiler in "$CC" ${GXX:+"$GXX -x c++"}; do
	printf '%s\n' '#include <ompp_sensor.h>' 'int main(void) { return OMPP_SENSOR_VERSION != 2; }' >header.c
	$compiler -Wall -Wextra -Wpedantic -Werror -I"$builddir/include" header.c -o header || fail "$compiler: the header"
done
$CC -std=gnu11 -O1 -Wall -Wextra -Werror -shared -fPIC -I"$builddir/include" "$srcdir/examples/sensor_files.c" -o sensor_files.so ||
	fail 'sensor_files.c'
mkdir folder
printf 12345 >folder/a
export SENSOR_FOLDER=folder
ompp sensors -s ./sensor_files.so files >list || fail 'ompp sensors'
grep -q '^  growth  *bytes/s  *that were added' list || { cat list; fail 'no event'; }
# The program is ready when it has written its second file, and the last sample is taken when it has ended.
ompp stat -s ./sensor_files.so -e files --interval=1h -- sh -c 'printf 1234567 >folder/b' 2>out || fail "status $?"
tail -1 out | awk '{ exit !($2 == 2 && $3 == 12 && $4 > 0) }' || { cat out; fail 'not 2 files of 12 bytes'; }
SENSOR_FOLDER=nowhere ompp sensors -s ./sensor_files.so files | grep -q 'not here: nowhere cannot be read.*SENSOR_FOLDER' ||
	fail 'no reason'
if ompp stat -s ./none.so --samples=1 2>err; then fail 'no library, and no complaint'; fi
grep -q '^ompp: ./none.so: cannot be loaded: .*; give the path' err || { cat err; fail 'no library'; }
echo 'int other;' >other.c
$CC -shared -fPIC other.c -o other.so
if ompp stat -s ./other.so --samples=1 2>err; then fail 'no sensor, and no complaint'; fi
grep -q '^ompp: ./other.so: has no ompp_sensor; ' err || { cat err; fail 'no sensor'; }

# A sensor that was built for version 1, which had no limits, is read as before; one of a later version is not.
for version in 1 3; do
	sed "s/OMPP_SENSOR_VERSION,/$version,/" "$srcdir/examples/sensor_files.c" >version.c
	$CC -std=gnu11 -shared -fPIC -I"$builddir/include" version.c -o version$version.so || fail "version $version"
done
ompp stat -s ./version1.so -e files:bytes --samples=1 --interval=10ms >out || fail 'version 1'
tail -1 out | awk '{ exit $2 != 12 }' || { cat out; fail 'version 1: not 12 bytes'; }
if ompp stat -s ./version3.so --samples=1 2>err; then fail 'version 3, and no complaint'; fi
grep -q '^ompp: ./version3.so: .* of version 3; compile it with the ompp_sensor.h of version 2$' err || { cat err; fail 'version 3'; }

# The template in the NOTES of sensors is a sensor, too.
sed -n '/^<!-- sensor -->$/,/^<!-- end of the sensor -->$/s/^    //p' "$srcdir/reports/sensors/NOTES" >template.c
[ "$(wc -l <template.c)" -gt 10 ] || fail 'NOTES has no template'
$CC -std=gnu11 -Wall -Wextra -Werror -shared -fPIC -I"$srcdir" -include stddef.h -Dompp_sensor_uptime=ompp_sensor template.c \
	"$srcdir/reports/sensors/feed.c" -o template.so || fail "the template"
ompp stat -s ./template.so -e uptime --samples=1 --interval=100ms >out || fail "the template: status $?"
awk -v now="$(cut -d. -f1 /proc/uptime)" 'END { exit !($2 >= now - 5 && $2 <= now + 5) }' out || { cat out; fail "the template"; }

# ---- memory and links of a machine with two nodes ----

$CC -std=gnu11 -O1 -Wall -Wextra -Werror -shared -fPIC -I"$builddir/include" "$srcdir/examples/sensor_uncore.c" -o uncore.so ||
	fail 'sensor_uncore.c'
put() { mkdir -p "tree/${1%/*}" && printf '%s\n' "$2" >"tree/$1"; }
SENSOR_SYS=$PWD/tree ompp sensors -s ./uncore.so uncore | grep -q 'not here: .*/tree/bus/event_source/devices cannot be read: ' ||
	fail 'no sysfs, and no reason'
# Its PMUs are of the type that is the kernel's own, so these count here, too: event 0 is the time of a CPU, in ns, and
# a "byte" is one of these; two controllers at one CPU count 1e9 bytes a second each.
for pmu in uncore_imc_0 uncore_imc_1; do
	at=bus/event_source/devices/$pmu
	put $at/type 1
	put $at/cpumask 0
	put $at/format/event config:0-7
	put $at/events/cas_count_read event=0x00
	put $at/events/cas_count_read.scale 9.5367431640625e-07
	put $at/events/cas_count_read.unit MiB
	put $at/events/other event=0x100
done
put devices/system/cpu/cpu0/topology/physical_package_id 3
export SENSOR_SYS=$PWD/tree SENSOR_LIMITS='imc/cas*=4e9'
ompp sensors -s ./uncore.so uncore >list || fail 'ompp sensors uncore'
if grep -q 'not here: the kernel does not let' list; then
	skip 'the kernel does not let this user count for the machine'
fi
grep -q '^uncore .*2 sources (socket3.uncore_imc_0, socket3.uncore_imc_1)' list || { cat list; fail 'sources'; }
grep -q '^  imc/cas_count_read/ .* at most 4000000000 bytes/s each$' list || { cat list; fail 'the limit'; }
grep -q "^  imc/other/ .*cannot be read: its PMU has no 'event' of that size" list || { cat list; fail 'what cannot be read'; }
ompp sensors -s ./uncore.so --format=csv uncore | awk -F, 'NR == 1 { if ($9 != "limit") exit 1 } NR == 2 { exit $9 != 4e9 }' ||
	fail 'the limit for programs'
# Each share is its rate of the limit, to the last digit that is shown; both controllers together can do twice as much.
shares() { # shares FILE: columns 2, 3 both; 4, 5 and 6, 7 each
	awk '$1 ~ /^[0-9.]+$/ {
			n++
			for (i = 2; i <= 6; i += 2) {
				share = $i / (i == 2 ? 8e9 : 4e9) * 100
				if (share - $(i + 1) > 0.006 || $(i + 1) - share > 0.006 || $i < (i == 2 ? 1e9 : 5e8)) exit 1
			}
		}
		END { if (!n) exit 1 }' "$1"
}
ompp stat -s ./uncore.so -e 'uncore:imc/cas_count_read/,uncore:imc/cas_count_read/@*' --samples=3 --interval=100ms >out || fail 'uncore'
[ "$(sed -n 4p out | tr -s ' ')" = ' s bytes/s % bytes/s % bytes/s %' ] || { cat out; fail 'units'; }
shares out || { cat out; fail 'shares'; }
ompp record -s ./uncore.so -o r.jsonl -e 'uncore:imc/cas_count_read/,uncore:imc/cas_count_read/@*,uncore:imc/event=1/' --samples=2 \
	--interval=100ms || fail 'record'
grep -q '"limits":\[8000000000,4000000000,4000000000,null\]}$' r.jsonl || { cat r.jsonl; fail 'limits of a recording'; }
ompp stat -e '*' r.jsonl >out || fail 'stat of a recording'
shares out || { cat out; fail 'shares of a recording'; }
ompp export r.jsonl >r.csv || fail 'export'
[ "$(head -1 r.csv | cut -d, -f3-5)" = \
	'uncore:imc/cas_count_read/ bytes/s,uncore:imc/cas_count_read/ %,uncore:imc/cas_count_read/@socket3.uncore_imc_0 bytes/s' ] ||
	{ cat r.csv; fail 'the heading of CSV'; }
cut -d, -f1,3-8 r.csv | tr ',' ' ' >out
shares out || { cat out; fail 'shares of CSV'; }
[ "$(head -1 r.csv | tr ',' '\n' | grep -c %)" = 3 ] || fail 'a share of what has no limit'
ompp export --form=jsonl -o r2.jsonl r.jsonl && grep -q '"limits":\[8000000000,' r2.jsonl || fail 'limits of lines'
unset SENSOR_SYS SENSOR_LIMITS
