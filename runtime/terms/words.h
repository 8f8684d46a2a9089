/*
 * Words: the names of the formats and sections of reports, and of what can be switched off, for the table of options.
 * They come from the lists of the writers and the views.
 */
#ifndef OMPP_TERMS_WORDS_H
#define OMPP_TERMS_WORDS_H

static const char ompp_formats_with_comma[] =
#define WRITER(name, suffix, writer) "," name
#define ALIAS(name, writer)          "," name
#include "runtime/terms/writer.def"
#undef WRITER
#undef ALIAS
	;

static const char ompp_views_with_comma[] =
#define VIEW(name, view) "," name
#include "runtime/terms/view.def"
#undef VIEW
	",all";

static const char ompp_disabled_with_comma[] =
#define DISABLED(name, word) "," word
#include "env/disabled.def"
#undef DISABLED
	;

/* "text,plain,csv", and "summary,general", without the first comma. */
#define OMPP_FORMATS (ompp_formats_with_comma + 1)
#define OMPP_VIEWS   (ompp_views_with_comma + 1)

/* "atomic,barrier" */
#define OMPP_DISABLED (ompp_disabled_with_comma + 1)

#endif
