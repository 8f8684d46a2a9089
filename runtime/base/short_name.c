/*
 * Short name: see short_name.h.
 */
#include "runtime/base/short_name.h"

#include <string.h>

static int begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* What follows the bracket that closes the one here; NULL where none does. */
static const char *behind_brackets(const char *p)
{
	int depth = 0;

	for (; *p; p++) {
		depth += (*p == '<' || *p == '(') - (*p == '>' || *p == ')');
		if (!depth)
			return p + 1;
	}
	return NULL;
}

/* The end of a last argument that is the library's default, as its templates' defaults begin with these words; else NULL. */
static const char *behind_default(const char *p)
{
	static const char *const defaults[] = {
		", std::allocator<", ", std::char_traits<", ", std::less<", ", std::default_delete<", ", std::hash<",
		", std::equal_to<"
	};

	for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++)
		if (begins(p, defaults[i])) {
			const char *end = behind_brackets(p + strlen(defaults[i]) - 1);

			if (end && (end[0] == '>' || (end[0] == ' ' && end[1] == '>') || behind_default(end)))
				return end;
		}
	return NULL;
}

/* The end of a function's parameters, when a name that is local to it follows; else NULL. */
static const char *behind_parameters(const char *p)
{
	const char *end = behind_brackets(p);

	if (end && begins(end, " const"))
		end += strlen(" const");
	return end && begins(end, "::") ? end : NULL;
}

/* What a reader does not miss here ends there; else NULL. */
static const char *behind_needless(const char *name, const char *p)
{
	static const char *const needless[] = { "__cxx11::", "__1::", "[abi:cxx11]" };

	for (size_t i = 0; i < sizeof(needless) / sizeof(needless[0]); i++)
		if (begins(p, needless[i]))
			return p + strlen(needless[i]);
	if (*p == ' ' && p[1] == '>' && p > name && p[-1] == '>')
		return p + 1;
	if (*p == ',')
		return behind_default(p);
	/* "(anonymous namespace)::" begins a name, "operator()" is one */
	if (*p == '(' && p > name && !strchr(":<( ,{", p[-1]) && !begins(p, "()("))
		return behind_parameters(p);
	return NULL;
}

/* Write "std::string" for "std::basic_string<char>". */
static void name_strings(char *name)
{
	static const char whole[] = "basic_string<char>", brief[] = "string";
	char *p = name;

	while ((p = strstr(p, whole))) {
		memcpy(p, brief, sizeof(brief) - 1);
		p += sizeof(brief) - 1;
		memmove(p, p + sizeof(whole) - sizeof(brief), strlen(p + sizeof(whole) - sizeof(brief)) + 1);
	}
}

void ompp_short_name(char *name)
{
	char *to = name;
	int in_braces = 0;              /* "{lambda(int)#1}": what it takes tells it from others */

	for (const char *p = name, *end; *p;) {
		end = in_braces ? NULL : behind_needless(name, p);
		if (end) {
			p = end;
			continue;
		}
		in_braces += (*p == '{') - (*p == '}');
		*to++ = *p++;
	}
	*to = '\0';
	name_strings(name);
}
