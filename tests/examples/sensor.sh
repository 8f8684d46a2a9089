# sensor: the example of a sensor of one's own is built as its header says, and ompp stat reads it.
. "$srcdir/tests/lib.sh"

for compiler in "$CC" ${GXX:+"$GXX -x c++"}; do
	printf '%s\n' '#include <ompp_sensor.h>' 'int main(void) { return OMPP_SENSOR_VERSION != 1; }' >header.c
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

# The template in the NOTES of sensors is a sensor, too.
sed -n '/^<!-- sensor -->$/,/^<!-- end of the sensor -->$/s/^    //p' "$srcdir/reports/sensors/NOTES" >template.c
[ "$(wc -l <template.c)" -gt 10 ] || fail 'NOTES has no template'
$CC -std=gnu11 -Wall -Wextra -Werror -shared -fPIC -I"$srcdir" -include stddef.h -Dompp_sensor_uptime=ompp_sensor template.c \
	"$srcdir/reports/sensors/feed.c" -o template.so || fail "the template"
ompp stat -s ./template.so -e uptime --samples=1 --interval=100ms >out || fail "the template: status $?"
awk -v now="$(cut -d. -f1 /proc/uptime)" 'END { exit !($2 >= now - 5 && $2 <= now + 5) }' out || { cat out; fail "the template"; }
