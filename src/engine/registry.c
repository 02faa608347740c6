/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "base/bits.h"
#include "base/err.h"
#include "base/str.h"
#include "engine/engine.h"
#include "engine/later.h"

#include <errno.h>
#include <string.h>

/* An alias that ends in '*' stands for every name that begins so. */
static bool alias_matches(const char *alias, const char *name)
{
	size_t len = strlen(alias);

	if (len && alias[len - 1] == '*')
		return !strncmp(alias, name, len - 1);
	return !strcmp(alias, name);
}

static bool engine_has_name(const struct engine *e, const char *name)
{
	if (!strcmp(e->name, name))
		return true;
	for (size_t i = 0; i < COUNT_OF(e->alias); i++)
		if (e->alias[i] && alias_matches(e->alias[i], name))
			return true;
	return false;
}

const struct engine *engine_find(const char *name)
{
	for (size_t i = 0; i < engines_count; i++)
		if (engine_has_name(engines[i], name))
			return engines[i];
	return NULL;
}

const char *engine_nearest(const char *name)
{
	const char *best = NULL;
	unsigned best_distance = (unsigned)strlen(name) / 2 + 1;

	for (size_t i = 0; i < engines_count; i++) {
		unsigned distance = str_distance(name, engines[i]->name);
		if (distance < best_distance) {
			best_distance = distance;
			best = engines[i]->name;
		}
	}
	return best;
}

static int registry_unknown(const char *name, struct err *reterr)
{
	/* Engines of this tree whose library was not there when it was built. */
	if (!strcmp(name, "io_uring"))
		return err_set(reterr, -ENOENT,
			"this weir was built without io_uring; install liburing-dev (2.3 or later) "
			"and build again, or use libaio or psync");
	if (!strcmp(name, "libaio"))
		return err_set(reterr, -ENOENT,
			"this weir was built without libaio; install libaio-dev and build again, "
			"or use io_uring or psync");

	const struct engine_later *later = engine_later_find(name);
	if (later)
		return err_set(reterr, -ENOENT,
			"weir doesn't have fio's engine \"%s\" (%s) yet; weir --enghelp lists "
			"the engines it has",
			name, later->help);

	const char *near = engine_nearest(name);
	return err_set(reterr, -ENOENT,
		"there is no engine \"%s\"%s%s%s; weir --enghelp lists them", name,
		near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

/* One NAME of the chain; *text moves behind it. */
static int chain_link(const char **text, const struct engine **ret, struct err *reterr)
{
	char name[32];
	size_t len = strcspn(*text, "()");

	if (str_starts(*text, "external:") || **text == '/')
		return err_set(reterr, -ENOENT,
			"weir can't load fio's engines from files: \"%.100s\"", *text);
	if (!len)
		return err_set(reterr, -EINVAL, "an engine's name is missing at \"%s\"", *text);
	if (len >= sizeof(name))
		return err_set(reterr, -ENOENT,
			"there is no engine with so long a name: \"%.40s\"", *text);
	memcpy(name, *text, len);
	name[len] = '\0';

	*ret = engine_find(name);
	if (!*ret)
		return registry_unknown(name, reterr);
	*text += len;
	return 0;
}

/* What stands after the link: "(", which only a shim may have. */
static int chain_border(const struct engine *link, char next, struct err *reterr)
{
	if (link->shim && next != '(')
		return err_set(reterr, -EINVAL,
			"%s wraps another engine and does no I/O itself; write %s(psync), say",
			link->name, link->name);
	if (!link->shim && next == '(')
		return err_set(reterr, -EINVAL, "%s wraps nothing; it can only stand innermost",
			link->name);
	return 0;
}

int engine_chain_parse(const char *text, struct engine_chain *ret, struct err *reterr)
{
	struct engine_chain chain = {0};
	const char *at = text;

	for (;;) {
		if (chain.count == ENGINE_CHAIN)
			return err_set(reterr, -E2BIG,
				"more than %d engines in one another: \"%s\"", ENGINE_CHAIN,
				text);
		const struct engine *link;
		int rc = chain_link(&at, &link, reterr);
		if (rc < 0)
			return rc;
		rc = chain_border(link, *at, reterr);
		if (rc < 0)
			return rc;
		chain.link[chain.count++] = link;
		if (!link->shim)
			break;
		at++;
	}

	size_t closed = strspn(at, ")");
	if (closed != chain.count - 1 || at[closed])
		return err_set(reterr, -EINVAL, "\"%s\": %s", text,
			closed < chain.count - 1 && !at[closed]
				? "a \")\" is missing at the end"
				: "what follows the engine makes no sense");
	*ret = chain;
	return 0;
}
