/*
 * Report options: what the user wants to see of a profile, and in which form.
 */
#ifndef OMPP_REPORT_OPTIONS_H
#define OMPP_REPORT_OPTIONS_H

#include <stdint.h>

struct ompp_profile;
struct ompp_roofs;
struct ompp_times;

enum {
	OMPP_MOST_RANKS = 8,             /* whose threads text shows one by one without --ranks */
	OMPP_MOST_WHOLE_BYTES = 64 << 20 /* of profiles of many ranks that are held in memory at once */
};

/* All zero means everything, as text. */
struct ompp_report_options {
	const char *views;    /* comma list of names of views; NULL or "" for all */
	const char *format;   /* name of a format; NULL or "" for text */
	const char *region;   /* comma list of R00004, file, file:line, or names; NULL or "" for all */
	const char *by;       /* "place": all instantiations of a template are one region; else each is one */
	const char *sort;     /* of the regions: "id", "time", "count", "name"; "" or NULL: id, or time with top */
	uint32_t top;         /* show the first n regions and findings; 0 for all */
	uint32_t rows;        /* how many rows of threads a section of text has at most; 0 for all */
	const char *ranks;    /* of several processes: list of those whose threads are shown, as 0,5-7; "" for all */
	uint32_t most_ranks;  /* text of more has least, mean and most of them where ranks is NULL; 0: rows of all
	                         threads */
	int64_t property_min; /* the least severity of a finding, in 10^-9 of the run; 0 for all */
	const char *object;   /* comma list of data objects; NULL or "" for all */
	int64_t far_min;      /* the least share of accesses to another NUMA node of an object in a finding, in 10^-9 */
	const char *numa;     /* overrides the run's OMPP_NUMA, in the same form; NULL for the run's own */
	uint32_t emulated;    /* what numa says: emulated NUMA nodes, or 0 */
	const char *columns;  /* of data objects in text: "main" or "all"; NULL or "" for main */
	int instances;        /* 1: in text, those blocks of data objects that stand out */
	const char *color;    /* in text: "auto", "always" or "never"; NULL for auto, which is on a terminal */
	const char *path;     /* of the profile, as the user gave it; NULL when not known */
	const struct ompp_roofs *roofs; /* of the machine; NULL when not known */
	const struct ompp_times *times; /* of a run without hooks; NULL without one */
	int64_t memory_rate; /* what the machine's memory gives as many threads, in bytes a microsecond; 0: not known */
	/* of a terminal, for text; all 0 elsewhere */
	int has_color;         /* 1 to write colours */
	uint32_t text_columns; /* its width without a bar; 0: lines have 80 columns in the summary, and 100 elsewhere */
	uint32_t bar_columns;  /* how many columns a bar beside shares may have; 0 for none */
	int has_blocks;        /* 1 when the terminal shows UTF-8, so that bars can be finer */
};

#endif
