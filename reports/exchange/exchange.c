/*
 * Exchange: see exchange.h.
 */
#include "reports/exchange/exchange.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/init.h"
#include "runtime/base/array.h"

static const struct {
	const char *name;
	const struct ompp_exchange *exchange;
} formats[] = {
#define EXCHANGE(name, exchange) { name, &exchange },
#include "reports/exchange/exchange.def"
#undef EXCHANGE
};

const char *ompp_exchange_name(size_t i)
{
	return i < OMPP_COUNT_OF(formats) ? formats[i].name : NULL;
}

static const struct ompp_exchange *exchange_find(const char *name)
{
	for (size_t i = 0; name && i < OMPP_COUNT_OF(formats); i++)
		if (!strcmp(name, formats[i].name))
			return formats[i].exchange;
	return NULL;
}

int ompp_exchange_has(const char *name)
{
	return exchange_find(name) != NULL;
}

int ompp_exchange_is_binary(const char *name)
{
	const struct ompp_exchange *exchange = exchange_find(name);

	return exchange && exchange->is_binary;
}

const char *ompp_exchange_lacks(const char *name, const struct ompp_profile *profile)
{
	const struct ompp_exchange *exchange = exchange_find(name);

	return exchange && exchange->lacks ? exchange->lacks(profile) : NULL;
}

int ompp_exchange_write(const struct ompp_profile *profile, const struct ompp_report_options *options, int fd,
                        struct ompp_arena *scratch)
{
	const struct ompp_exchange *exchange = exchange_find(options->format);
	struct ompp_analysis analysis;
	struct ompp_out out;
	int rc = exchange && !ompp_exchange_lacks(options->format, profile)
	               ? ompp_analysis_init(&analysis, profile, options, scratch)
	               : -EINVAL;

	if (!rc)
		rc = ompp_out_init(&out, fd, scratch);
	if (!rc)
		rc = exchange->write(&analysis, &out);
	return rc ? rc : ompp_out_flush(&out);
}
