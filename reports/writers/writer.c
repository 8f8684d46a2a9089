/*
 * Writer: see writer.h.
 */
#include "reports/writers/writer.h"

#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/text.h"

static const struct ompp_format formats[] = {
#define WRITER(name, suffix, writer) { name, suffix, &writer },
#define ALIAS(name, writer)
#include "runtime/terms/writer.def"
#undef WRITER
#undef ALIAS
};

static const struct {
	const char *name;
	const struct ompp_writer *writer;
} aliases[] = {
#define WRITER(name, suffix, writer)
#define ALIAS(name, writer) { name, &writer },
#include "runtime/terms/writer.def"
#undef WRITER
#undef ALIAS
};

const struct ompp_format *ompp_format(size_t i)
{
	return i < OMPP_COUNT_OF(formats) ? &formats[i] : NULL;
}

int ompp_format_number(const char *name, size_t n_bytes)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(formats); i++) {
		if (ompp_text_same(name, n_bytes, formats[i].name, strlen(formats[i].name)))
			return (int)i;
		for (size_t k = 0; k < OMPP_COUNT_OF(aliases); k++)
			if (aliases[k].writer == formats[i].writer &&
			    ompp_text_same(name, n_bytes, aliases[k].name, strlen(aliases[k].name)))
				return (int)i;
	}
	return -1;
}
