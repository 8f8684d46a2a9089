/*
 * Writer: how tables look in one format.  A new format is a file with one of these and a line in writer.c.
 */
#ifndef OMPP_WRITER_H
#define OMPP_WRITER_H

#include "reports/views/table.h"
#include "reports/writers/out.h"

struct ompp_writer {
	const char *name, *alias;       /* as in OMPP_OUTFORMAT, without regard to case */
	const char *suffix;             /* of the file name */
	enum ompp_where prints;         /* which columns: for people, or for programs */
	/* a section; remark: what holds for all of it, for people; "": nothing */
	void (*begin)(struct ompp_out *out, const char *title, const char *tag, const char *remark);
	void (*table)(struct ompp_out *out, const struct ompp_table *table);
	void (*end)(struct ompp_out *out, const char *title, const char *tag);
};

extern const struct ompp_writer ompp_writer_text, ompp_writer_csv, ompp_writer_csv_raw;

/* All writers, NULL at the end; the first is the default. */
extern const struct ompp_writer *const ompp_writers[];

#endif
