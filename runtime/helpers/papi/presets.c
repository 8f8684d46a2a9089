/*
 * Presets: see presets.h.
 */
#include "runtime/helpers/papi/presets.h"

#include <errno.h>
#include <papi.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/text.h"

/* Starts PAPI at the first call; it is never ended, as PAPI 7.0.0 crashes when it is started again.  Returns whether it
 * works. */
static int papi_is_up(void)
{
	static int is_up = -1;

	if (is_up < 0)
		is_up = PAPI_library_init(PAPI_VER_CURRENT) == PAPI_VER_CURRENT;
	return is_up;
}

static struct {
	struct ompp_preset *items;
	size_t n;
	int is_asked;
	char why[256]; /* "" when PAPI works here */
} known;

/* Keeps a preset.  Returns 0; or -ENOMEM, and the caller must drop what was kept of it. */
static int presets_keep(struct ompp_preset *p, const char *name, const PAPI_event_info_t *info)
{
	memset(p, 0, sizeof(*p));
	p->natives = calloc(info->count, sizeof(p->natives[0]));
	p->name = strdup(name);
	p->derived = strdup(info->derived);
	p->postfix = strdup(info->postfix);
	if (!p->natives || !p->name || !p->derived || !p->postfix)
		return -ENOMEM;
	for (p->n_natives = 0; p->n_natives < info->count; p->n_natives++) {
		p->natives[p->n_natives] = strdup(info->name[p->n_natives]);
		if (!p->natives[p->n_natives])
			return -ENOMEM;
	}
	return 0;
}

static void presets_drop(struct ompp_preset *p)
{
	for (size_t i = 0; i < p->n_natives; i++)
		free(p->natives[i]);
	free(p->natives);
	free(p->name);
	free(p->derived);
	free(p->postfix);
}

/* Returns PAPI's own reason for having switched off the component that counts on cores; "" when it is on. */
static const char *off_reason(void)
{
	int i = PAPI_get_component_index("perf_event");
	const PAPI_component_info_t *component = i < 0 ? NULL : PAPI_get_component_info(i);

	if (!component)
		return "it has no component perf_event";
	return component->disabled && component->disabled != PAPI_EDELAY_INIT ? component->disabled_reason : "";
}

static void ask_all(void)
{
	PAPI_event_info_t *info = malloc(sizeof(*info));
	int code = PAPI_PRESET_MASK;
	struct ompp_text t;

	ompp_text_init(&t, known.why, sizeof(known.why));
	known.items = calloc(PAPI_MAX_PRESET_EVENTS, sizeof(known.items[0]));
	if (!info || !known.items || PAPI_enum_event(&code, PAPI_ENUM_FIRST) != PAPI_OK)
		ompp_text_str(&t, !info || !known.items ? "there is no memory for it" : "it has no presets");
	else
		do {
			struct ompp_preset *p = &known.items[known.n];

			if (PAPI_get_event_info(code, info) != PAPI_OK || !info->count)
				continue;
			if (presets_keep(p, info->symbol, info))
				presets_drop(p);
			else
				known.n++;
		} while (known.n < PAPI_MAX_PRESET_EVENTS && PAPI_enum_event(&code, PAPI_ENUM_EVENTS) == PAPI_OK);
	if (!known.n)
		ompp_text_str(&t, off_reason());
	free(info);
}

static void presets_ask(void)
{
	known.is_asked = 1;
	if (papi_is_up())
		ask_all();
	else
		strcpy(known.why, "PAPI_library_init failed");
}

const struct ompp_preset *ompp_preset_find(const char *name, struct ompp_text *why)
{
	if (!known.is_asked)
		presets_ask();
	for (size_t i = 0; i < known.n; i++)
		if (!strcmp(known.items[i].name, name))
			return &known.items[i];
	if (known.why[0]) {
		ompp_text_str(why, "PAPI does not work here (");
		ompp_text_str(why, known.why);
		ompp_text_str(why, strstr(known.why, "paranoid") ? ", as PAPI itself refuses from 3 on); set "
		                                                   "kernel.perf_event_paranoid to 2 or less, or "
		                                                 : "); ");
		ompp_text_str(why, "use names of perf, see `ompp counters`");
	} else {
		ompp_text_str(why, "PAPI does not have it on this processor; `ompp counters` lists what it has");
	}
	return NULL;
}

/* Adds the event to the set and restricts it to a range.  Returns PAPI's status. */
static int try_range(int set, const char *name)
{
	static char range[64];
	PAPI_option_t option;
	int rc = PAPI_add_named_event(set, (char *)name);

	if (rc != PAPI_OK)
		rc = PAPI_assign_eventset_component(set, 0);
	if (rc != PAPI_OK)
		return rc;
	memset(&option, 0, sizeof(option));
	option.addr.eventset = set;
	option.addr.start = range;
	option.addr.end = range + sizeof(range);
	return PAPI_set_opt(PAPI_DATA_ADDRESS, &option);
}

int ompp_preset_restrict(const char *name, struct ompp_text *why)
{
	int set = PAPI_NULL, rc;

	if (!papi_is_up())
		return -ENOTSUP;
	rc = PAPI_create_eventset(&set);
	if (rc == PAPI_OK)
		rc = try_range(set, name);
	if (rc != PAPI_OK) {
		ompp_text_str(why, "PAPI_DATA_ADDRESS: ");
		ompp_text_str(why, PAPI_strerror(rc));
	}
	if (set != PAPI_NULL) {
		PAPI_cleanup_eventset(set);
		PAPI_destroy_eventset(&set);
	}
	return rc == PAPI_OK ? 0 : -ENOTSUP;
}
