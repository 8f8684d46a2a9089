/*
 * Short name: see short_name.h.
 */
#include "runtime/program/short_name.h"

#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/text.h"

/* Returns what follows the bracket that closes the one at p; NULL when none closes it. */
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

/* Returns the end of template arguments that are the library's defaults, and the last ones; NULL when p is no such
 * argument.  Defaults begin with the words below. */
static const char *behind_default(const char *p)
{
	static const char *const defaults[] = { ", std::allocator<",      ", std::char_traits<", ", std::less<",
		                                ", std::default_delete<", ", std::hash<",        ", std::equal_to<" };

	for (size_t i = 0; i < OMPP_COUNT_OF(defaults); i++)
		if (ompp_text_begins(p, defaults[i])) {
			const char *end = behind_brackets(p + strlen(defaults[i]) - 1);

			if (end && (end[0] == '>' || (end[0] == ' ' && end[1] == '>') || behind_default(end)))
				return end;
		}
	return NULL;
}

/* Returns the end of a function's parameters when a name that is local to the function follows; else NULL. */
static const char *behind_parameters(const char *p)
{
	const char *end = behind_brackets(p);

	if (end && ompp_text_begins(end, " const"))
		end += strlen(" const");
	return end && ompp_text_begins(end, "::") ? end : NULL;
}

/* Returns 1 when the name of an operator, such as operator<, ends at p. */
static int is_operator(const char *name, const char *p)
{
	static const char word[] = "operator";
	const size_t n = sizeof(word) - 1;

	while (p > name && strchr("<>=", p[-1]))
		p--;
	return (size_t)(p - name) >= n && !memcmp(p - n, word, n);
}

/* Returns the end of a piece that a reader does not miss; NULL when no such piece begins at p. */
static const char *behind_needless(const char *name, const char *p)
{
	static const char *const needless[] = { "__cxx11::", "__1::", "[abi:cxx11]" };

	for (size_t i = 0; i < OMPP_COUNT_OF(needless); i++)
		if (ompp_text_begins(p, needless[i]))
			return p + strlen(needless[i]);
	if (*p == ' ' && p[1] == '>' && p > name && p[-1] == '>')
		return p + 1;
	if (*p == ',')
		return behind_default(p);
	/* "(anonymous namespace)::" begins a name, "operator()" is one */
	if (*p == '(' && p > name && (!strchr(":<( ,{", p[-1]) || is_operator(name, p)) && !ompp_text_begins(p, "()("))
		return behind_parameters(p);
	return NULL;
}

/* Writes "std::string" for "std::basic_string<char>". */
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
	int in_braces = 0; /* inside "{lambda(int)#1}", whose parameters tell it from others and stay */

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
