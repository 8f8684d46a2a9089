/*
 * Sensor files: a sensor of your own for ompp stat and ompp record: how many files a folder has, and how large they are
 * together, as a program writes them.  The folder is the variable SENSOR_FOLDER, or the current one.
 *   cc -shared -fPIC sensor_files.c $(pkg-config --cflags ompp) -o sensor_files.so
 *   ompp stat -s ./sensor_files.so -e files -- ./prog
 * shows lines with the columns files (files), bytes (bytes) and growth (bytes/s).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ompp_sensor.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *folder(void)
{
	return getenv("SENSOR_FOLDER") ? getenv("SENSOR_FOLDER") : ".";
}

static void sample(struct ompp_sensor_host *host, void *state)
{
	const int *events = state;
	DIR *dir = opendir(folder());
	uint64_t n = 0, n_bytes = 0;
	struct dirent *entry;
	struct stat st;
	int source = host->source(host, "folder");

	if (!dir)
		return; /* what is not set is missing: "-" */
	while ((entry = readdir(dir)))
		if (!fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode)) {
			n++;
			n_bytes += (uint64_t)st.st_size;
		}
	closedir(dir);
	host->set(host, events[0], source, n);
	host->set(host, events[1], source, n_bytes);
	host->set(host, events[2], source, n_bytes);
}

static int begin(struct ompp_sensor_host *host, void **state)
{
	static const struct ompp_sensor_event told[] = {
		{ .name = "files", .unit = "files", .what = "in the folder", .kind = OMPP_SENSOR_GAUGE },
		{ .name = "bytes", .unit = "bytes", .what = "of all files", .kind = OMPP_SENSOR_GAUGE },
		{ .name = "growth", .unit = "bytes", .what = "that were added", .kind = OMPP_SENSOR_COUNTER },
	};
	static int events[3];
	DIR *dir = opendir(folder());

	if (!dir)
		return host->lacks(host, "%s cannot be read: %s; set SENSOR_FOLDER", folder(), strerror(errno));
	closedir(dir);
	for (int i = 0; i < 3; i++)
		events[i] = host->event(host, &told[i]);
	*state = events;
	return 0;
}

const struct ompp_sensor ompp_sensor = {
	.version = OMPP_SENSOR_VERSION,
	.name = "files",
	.what = "the files of a folder",
	.of = "folder",
	.open = begin,
	.sample = sample,
};
