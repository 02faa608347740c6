/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Facts: structs of texts and numbers that were found somewhere, with a row for each
 * member, so that writing, reading back, hiding and comparing them are walks.
 *
 *	struct disk_facts { const char *model; uint64_t rotational; };
 *	static const struct fact rows[] = {
 *		TEXT_FACT(struct disk_facts, model), FLAG_FACT(struct disk_facts, rotational)};
 *
 * The member's name is its key in JSON: renaming one changes what readers of documents see.
 *
 * What isn't known is NULL, FACT_UNKNOWN or NaN, by facts_forget(), and is left out of
 * JSON.  Texts belong to whoever filled the struct (an arena, mostly). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct json;
struct json_value;

/* No real count reaches it; a flag that isn't known has it, too. */
#define FACT_UNKNOWN UINT64_MAX
#define FACT_MASKED  "(masked)"

/* What may be unknown, of a count: */
static inline bool count_known(uint64_t count)
{
	return count != FACT_UNKNOWN;
}

static inline uint64_t count_or_0(uint64_t count)
{
	return count_known(count) ? count : 0;
}

/* Of counts that are both known, else unknown. */
static inline uint64_t count_sum(uint64_t a, uint64_t b)
{
	return count_known(a) && count_known(b) ? a + b : FACT_UNKNOWN;
}

/* How much a counter that never falls grew; unknown if it fell. */
static inline uint64_t count_grown(uint64_t now, uint64_t before)
{
	return count_known(now) && count_known(before) && now >= before ? now - before
									: FACT_UNKNOWN;
}

enum fact_kind {
	FACT_TEXT,  /* const char *                                  */
	FACT_COUNT, /* uint64_t; the unit is in the key              */
	FACT_FLAG,  /* uint64_t, 0 or 1; a boolean in JSON           */
	FACT_REAL,  /* double                                        */
};

/* One member of a struct of facts. */
struct fact {
	const char *key; /* in JSON and for --json readers: stable       */
	enum fact_kind kind;
	bool secret; /* a serial number, a host name                 */
	size_t offset;
};

/* All members of one struct of facts; const, made by FACT_TABLE(). */
struct fact_table {
	const struct fact *rows;
	size_t count;
};

/* The offset, if the member has the type C. */
#define FACT_AT(type, member, C)                                                               \
	(offsetof(type, member) + 0 * sizeof(char[_Generic(((type *)0)->member, C : 1, default \
							   : -1)]))

/* Rows.  Each fails to compile when the member has another C type than its kind. */
#define TEXT_FACT(type, member)                                                                \
	{                                                                                      \
#member, FACT_TEXT, false, FACT_AT(type, member, const char *)                 \
	}
#define SECRET_FACT(type, member)                                                              \
	{                                                                                      \
#member, FACT_TEXT, true, FACT_AT(type, member, const char *)                  \
	}
#define COUNT_FACT(type, member)                                                               \
	{                                                                                      \
#member, FACT_COUNT, false, FACT_AT(type, member, uint64_t)                    \
	}
#define FLAG_FACT(type, member)                                                                \
	{                                                                                      \
#member, FACT_FLAG, false, FACT_AT(type, member, uint64_t)                     \
	}
#define REAL_FACT(type, member)                                                                \
	{                                                                                      \
#member, FACT_REAL, false, FACT_AT(type, member, double)                       \
	}
#define FACT_TABLE(name, array)                                                                \
	const struct fact_table name = {.rows = (array), .count = COUNT_OF(array)}

/* Nothing is known. */
void facts_forget(const struct fact_table *t, void *of);

/* One fact, and any of a struct's: is it known? */
bool fact_known(const struct fact *f, const void *of);
bool facts_any(const struct fact_table *t, const void *of);

/* "none", "128", "yes", "0.25"; "" when it isn't known.  Returns BUF. */
const char *fact_show(const struct fact *f, const void *of, char *buf, size_t size);

/* The same, or both unknown. */
bool fact_same(const struct fact *f, const void *a, const void *b);

/* Members of the open object: those that are known. */
void facts_write(struct json *j, const struct fact_table *t, const void *of);

/* From such an object; members of another kind and unknown keys count for nothing.  Texts
 * go to the arena.  0 or -ENOMEM. */
int facts_read(const struct fact_table *t, void *to, const struct json_value *of,
	struct arena *a);

/* Secret texts become "(masked)", and HOST (NULL or shorter than 3 letters: none) goes from
 * all others.  0 or -ENOMEM. */
int facts_mask(const struct fact_table *t, void *of, const char *host, struct arena *a);

/* TEXT without the word HOST, which becomes "(host)"; TEXT itself when it isn't in it. */
const char *fact_mask_text(const char *text, const char *host, struct arena *a);

/* SECRET (not "") becomes "(masked)" wherever it stands, also within a word.  0 or -ENOMEM;
 * NULL: out of memory. */
int facts_hide(const struct fact_table *t, void *of, const char *secret, struct arena *a);
const char *fact_hide_text(const char *text, const char *secret, struct arena *a);
