/*
 * Feed: a text file of /proc or /sys that is read repeatedly, and parsing of such files.
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

/* Reads all of the file "root/path", opening it if needed.  Returns its text, valid until the next reading; NULL with
 * errno set when it cannot be read, for example because it has gone. */
const char *ompp_feed_read(struct ompp_feed *feed, const char *root, const char *path);
void ompp_feed_close(struct ompp_feed *feed);

/* Begin and end a sensor of one file of /proc.  The first allocates its state, of n bytes, all 0, whose first member is
 * the feed, and reads the file.  Returns 0, or the result of lacks(), which gets the reason and this advice. */
int ompp_feed_begin(struct ompp_sensor_host *host, void **state, size_t bytes, const char *path, const char *advice);
void ompp_feed_end(void *state);

/* Declares the events for the successive numbers of a line; an event without a name gets -1 and is left out. */
void ompp_feed_events(struct ompp_sensor_host *host, const struct ompp_sensor_event *events, int n, int *numbers);

/* Reads a file into the feed's memory and closes it: for files that are too many to be kept open. */
const char *ompp_feed_once(struct ompp_feed *feed, const char *root, const char *path);

/* Reads the number in a small file.  Returns 0 or -errno. */
int ompp_feed_number(const char *root, const char *path, int64_t *number);

/* Skip blanks and read a decimal number, or skip a word that is not a number, and advance *at, but never beyond the end
 * of the line.  They return 1 when there was a number, or a word. */
int ompp_feed_take(const char **at, uint64_t *number);
int ompp_feed_skip(const char **at);

/* Takes the next n numbers of a line, and sets the given events of the source to them. */
void ompp_feed_set(struct ompp_sensor_host *host, const char *at, const int *events, int n, int source);

/* Returns the begin of the next line; the end of the text behind the last. */
const char *ompp_feed_line(const char *at);

/* Calls found() for each folder or file "PREFIX<number>" in a folder, in the order of the numbers; with the prefix ""
 * for each name, in the order of the bytes.  Returns how many there were, or -errno. */
int ompp_feed_each(const char *root, const char *folder, const char *prefix,
                   void (*found)(void *context, const char *name, int number), void *context);

/* Lines "name value" of one file, or of several of the same form; the names become events. */
struct ompp_feed_row {
	char *name;
	size_t n_name;
	int event;
};
struct ompp_feed_rows {
	struct ompp_feed_row *rows;
	size_t n, room;
	int n_skipped; /* words in front of each name */
	/* Describes the event with this name.  Returns 0 to leave it out. */
	int (*describe)(const char *name, struct ompp_sensor_event *event);
	uint64_t kilo; /* factor for numbers followed by "kB" */
};
void ompp_feed_rows(struct ompp_feed_rows *rows, struct ompp_sensor_host *host, int source, const char *text);
/* Is any of the known rows wanted, or is none known yet?  Otherwise the file need not be read. */
int ompp_feed_rows_wanted(const struct ompp_feed_rows *rows, struct ompp_sensor_host *host);
void ompp_feed_rows_free(struct ompp_feed_rows *rows);

#endif
