/*
 * Feed: a text file of /proc or /sys that is read again and again, and what stands in such files.
 */
#ifndef OMPP_SENSORS_FEED_H
#define OMPP_SENSORS_FEED_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/ompp_sensor.h"

/* A file that stays open between readings.  All 0 but fd = -1 (OMPP_FEED) before it is first read. */
struct ompp_feed {
	int fd;
	char *text;
	size_t room;
};
#define OMPP_FEED ((struct ompp_feed){ -1, NULL, 0 })

/* Reads all of the file "root/path", which is opened when it is not open yet.  Returns its text, which stays until the
 * next reading; NULL and errno when it cannot be read, as when it has gone. */
const char *ompp_feed_read(struct ompp_feed *feed, const char *root, const char *path);
void ompp_feed_close(struct ompp_feed *feed);

/* Begin and end a sensor of one file of /proc, which is read for the first time: its state, of so many bytes, all 0,
 * with the feed as its first member.  Returns 0, or what lacks() returns, which is told why, with this advice. */
int ompp_feed_begin(struct ompp_sensor_host *host, void **state, size_t bytes, const char *path, const char *advice);
void ompp_feed_end(void *state);

/* Declares the events that the next numbers of a line are; -1 stands for one without a name, which is left out. */
void ompp_feed_events(struct ompp_sensor_host *host, const struct ompp_sensor_event *events, int n, int *numbers);

/* Reads a file once, into the feed's memory, and closes it: for files that are too many to stay open. */
const char *ompp_feed_once(struct ompp_feed *feed, const char *root, const char *path);

/* Reads the number in a small file.  Returns 0 or -errno. */
int ompp_feed_number(const char *root, const char *path, int64_t *number);

/* Skip blanks and read a decimal number, or skip a word that is none; *at then is behind it.  At the end of the line it
 * stays.  They return 1 when there was a number, or a word. */
int ompp_feed_take(const char **at, uint64_t *number);
int ompp_feed_skip(const char **at);

/* Takes the next n numbers of a line, and sets these events of the source by them. */
void ompp_feed_set(struct ompp_sensor_host *host, const char *at, const int *events, int n, int source);

/* Returns the begin of the next line; the end of the text behind the last. */
const char *ompp_feed_line(const char *at);

/* Calls found() for each folder or file "PREFIX<number>" in a folder, in the order of the numbers; with the prefix ""
 * for each name, in the order of the bytes.  Returns how many there were, or -errno. */
int ompp_feed_each(const char *root, const char *folder, const char *prefix,
                   void (*found)(void *context, const char *name, int number), void *context);

/* Lines "name value" of one file, or of several like it, whose names become events. */
struct ompp_feed_row {
	char *name;
	size_t n_name;
	int event;
};
struct ompp_feed_rows {
	struct ompp_feed_row *rows;
	size_t n, room;
	int n_skipped; /* words in front of each name */
	/* Says what an event of this name is.  Returns 0 when it is to be left out. */
	int (*describe)(const char *name, struct ompp_sensor_event *event);
	uint64_t kilo; /* what numbers with "kB" behind them are multiplied by */
};
void ompp_feed_rows(struct ompp_feed_rows *rows, struct ompp_sensor_host *host, int source, const char *text);
/* Is any of the rows that were met so far wanted, or was none met yet?  Else the file need not be read. */
int ompp_feed_rows_wanted(const struct ompp_feed_rows *rows, struct ompp_sensor_host *host);
void ompp_feed_rows_free(struct ompp_feed_rows *rows);

#endif
