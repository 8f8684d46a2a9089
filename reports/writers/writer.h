/*
 * Writer: how tables look in one format.  A new format is a file with one of these and a line in writer.def.
 */
#ifndef OMPP_WRITER_H
#define OMPP_WRITER_H

#include "reports/tables/table.h"
#include "reports/writers/out.h"

struct ompp_writer {
	enum ompp_where prints; /* which columns it prints: for people, or for programs */
	/* around a section; the remark holds for all of it and is for people, or "" */
	void (*begin)(struct ompp_out *out, const char *title, const char *tag, const char *remark);
	void (*table)(struct ompp_out *out, const struct ompp_table *table);
	void (*end)(struct ompp_out *out, const char *title, const char *tag);
};

#define WRITER(name, suffix, writer) extern const struct ompp_writer writer;
#define ALIAS(name, writer)
#include "runtime/terms/writer.def"
#undef WRITER
#undef ALIAS

struct ompp_format {
	const char *name, *suffix;
	const struct ompp_writer *writer;
};

/* Returns format number i, NULL past the last; the first is the default. */
const struct ompp_format *ompp_format(size_t i);

/* Returns the number of the format that has this name or alias, in small or capital letters; -1 when there is none. */
int ompp_format_number(const char *name, size_t n_bytes);

#endif
