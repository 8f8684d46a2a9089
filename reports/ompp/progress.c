/*
 * Progress: see progress.h.
 *
 * What the threads do is read from the program's memory (reports/sensors/sensor_region.c); the program does nothing for
 * it.
 */
#define _GNU_SOURCE
#include "reports/ompp/progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "reports/command/arguments.h"
#include "reports/sensors/watch.h"
#include "runtime/base/text.h"

enum { EVERY_NS = 100000000, LOOKS = 5, USUAL_COLUMNS = 80, LINE_BYTES = 512, NAME_BYTES = 200, MOST_REGIONS = 256 };

static int has_ended(pid_t pid)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid;
}

/* A region, and how many threads were seen in it, summed over all samples. */
struct found {
	char name[NAME_BYTES];
	double threads;
};

struct sums {
	struct found list[MOST_REGIONS];
	size_t n;
	double all; /* sum over all regions, also those beyond the list */
};

/* Adds the threads that are in each region now. */
static void add_look(struct sums *sums, const struct ompp_watch *watch)
{
	for (size_t i = 0; i < watch->n_columns; i++) {
		struct ompp_meter_value value = ompp_watch_value(watch, &watch->columns[i]);
		const char *name = ompp_shown(ompp_watch_source(watch, &watch->columns[i]));
		size_t at = 0;

		if (!value.is_known || value.number <= 0)
			continue;
		sums->all += value.number;
		while (at < sums->n && strncmp(sums->list[at].name, name, NAME_BYTES - 1))
			at++;
		if (at == MOST_REGIONS)
			continue;
		if (at == sums->n)
			snprintf(sums->list[sums->n++].name, NAME_BYTES, "%s", name);
		sums->list[at].threads += value.number;
	}
}

/* Writes the line over the one before, cut to the width of the terminal. */
static void put_line(const struct sums *sums, double seconds)
{
	const struct found *best = sums->list;
	size_t most = USUAL_COLUMNS, n_bytes;
	char line[LINE_BYTES];
	struct winsize size;

	if (!ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		most = size.ws_col;
	for (size_t i = 1; i < sums->n; i++)
		if (sums->list[i].threads > best->threads)
			best = &sums->list[i];
	if (sums->n)
		snprintf(line, sizeof(line), "%.1f s, most time in %s (%.0f %% of the threads that were seen)", seconds,
		         best->name, 100 * best->threads / sums->all);
	else
		snprintf(line, sizeof(line), "%.1f s", seconds);
	n_bytes = strlen(line);
	while (n_bytes && ompp_text_columns(line) >= most)
		line[--n_bytes] = '\0';
	fprintf(stderr, "\r%s\033[K", line);
	fflush(stderr);
}

void ompp_progress(pid_t pid)
{
	struct timespec start, now, pause = { 0, EVERY_NS };
	static struct sums sums;
	struct ompp_watch watch;
	char why[OMPP_METER_WHY];
	int is_watched = 0;

	if (!isatty(STDERR_FILENO) || ompp_watch_open(&watch, "/proc", "/sys", pid, NULL))
		return;
	clock_gettime(CLOCK_MONOTONIC, &start);
	for (unsigned int i = 1; !has_ended(pid); i++) {
		nanosleep(&pause, NULL);
		is_watched = is_watched || !ompp_watch_enable(&watch, "region:threads@*", why, sizeof(why));
		if (is_watched) {
			ompp_watch_sample(&watch);
			ompp_watch_columns(&watch);
			add_look(&sums, &watch);
		}
		if (i % LOOKS || has_ended(pid))
			continue;
		clock_gettime(CLOCK_MONOTONIC, &now);
		put_line(&sums, (double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) / 1e9);
	}
	fputs("\r\033[K", stderr);
	fflush(stderr);
	ompp_watch_close(&watch);
}
