/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Options as data.  This folder knows types, rows and groups; it knows no job.
 *
 * A row (struct opt) states everything about one option: name, aliases, type,
 * where its value lies in the owner's struct, range, default as a user would
 * type it, one line of help.  Parser, --help, --cmdhelp, --showcmd, "did you
 * mean" and the tests are walks over rows.
 *
 * A group is the rows of one module plus the size of its struct.  The build
 * makes the list of all groups; a job holds one zeroed block of bytes a group,
 * filled with the presets and then with what the user said. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/filler.h"
#include "base/limits.h"

struct arena;
struct err;
struct str;
struct opt;

/* Where a value was said. file NULL: on the command line, line 0. */
struct opt_where {
	const char *file;
	unsigned line;
};

/* What the meaning of a text may depend on besides its row.  ARENA may be NULL only for types
 * that keep nothing (numbers, words). */
struct opt_ctx {
	struct arena *arena; /* for texts and lists that the value keeps     */
	unsigned kb_base;    /* 1024 (0 means the same) or 1000              */
	bool native;         /* weir's own face: refuses what has two readings */
	struct str *warning; /* gets what was accepted but looks like a mistake,
			      * a sentence without place; NULL: not wanted     */
};

/* How one kind of value is read and written.  parse() writes DST only when it
 * succeeds.  print() gives text that parse() reads back to an equal value, also
 * under another kb_base, and nothing for a value that was not given (no names,
 * no CPUs, NULL); a test walks every type to prove it. */
struct opt_type {
	const char *name; /* for help: "bytes", "time (s)", ...               */
	size_t size;      /* sizeof of the C type                             */
	bool bare;        /* may stand without a value (then TEXT is NULL)    */
	int (*parse)(const struct opt *o, const char *text, void *dst,
		const struct opt_ctx *ctx, struct err *reterr);
	void (*print)(const struct opt *o, const void *src, struct str *out);
};

/* One word of an enumeration; several words may have one value. */
struct opt_word {
	const char *word;
	int value;
	const char *help;
};

/* Of a row. */
enum opt_flags {
	OPT_EARLY = 1u << 0,      /* applied before the others of its section (kb_base) */
	OPT_LATE = 1u << 1,       /* applied after them (filename)                      */
	OPT_GATHER = 1u << 2,     /* repeated values add up (filename)                  */
	OPT_NO_INHERIT = 1u << 3, /* of its own section only: as a default it is checked,
				   * warned about, and counts for nobody (name)   */
	OPT_CLI_ONLY = 1u << 4,   /* a flag of the program, not of a job               */
	OPT_NATIVE = 1u << 5,     /* weir's own, unknown to fio                        */
	OPT_LIST = 1u << 7,       /* repeats are usual and add up: nobody is told         */
	OPT_CLI_VALUE = 1u << 6,  /* may stand alone in a file only: on the command line
				   * it takes the next word, as fio's strings do      */
};

/* A row: all that is known of one option; const.  The help is one line without a full stop,
 * the prose stands in docs/options. */
struct opt {
	const char *name;
	const char *alias[3];
	const struct opt_type *type;
	size_t offset;     /* into the struct of the group            */
	uint64_t min, max; /* of each number, in its stored unit; max 0: no
			    * upper bound.  opt_i32: cast from int64_t, both
			    * 0: no bounds */
	const struct opt_word *words;
	const char *preset; /* default as typed; NULL: zeroed           */
	const char *help;
	unsigned flags;
	const char *refused;   /* a sentence: parsed as a known name, then an error */
	const char *no_effect; /* a sentence: accepted, and said to do nothing      */
	/* Of a refused row, or one without effect: values that ask for nothing (fio's
	 * default, as typed).  They are accepted without a word. */
	const char *harmless[2];
};

/* const; the owner has a struct of SIZE bytes, in which rows[].offset lie.  Named in the
 * build (opt_group_names in the folder's meson.build), which makes opt_groups[] of all. */
struct opt_group {
	const char *name;   /* "time", "files", ...; for an engine its name */
	const char *engine; /* only jobs with this engine; NULL: all        */
	const struct opt *rows;
	size_t count;
	size_t size;
};

/* Made by the build from the modules' groups. */
extern const struct opt_group *const opt_groups[];
extern const size_t opt_groups_count;

/* ---- values that are more than a number ---- */

/* One value per direction, indexed by enum dir. A single value spreads (see triple.h for
 * which comma leaves what as it was).  GIVEN tells a direction that was said from one that
 * has its preset: both have a value. */
struct opt_u64x3 {
	uint64_t v[3];
	bool given[3];
};

/* Both ends belong to it, lo <= hi; in the stored unit of the row (bytes, ns). */
struct opt_range {
	uint64_t lo, hi;
};

/* For reads, writes, trims; `given`: that one was typed, not spread from another. */
struct opt_range3 {
	struct opt_range v[3];
	bool given[3];
};

/* SIZE/PERCENT:SIZE/PERCENT:... as typed.  That the percents make 100 is the plan's to check
 * and to complete. */
struct opt_split {
	uint64_t bytes;
	int32_t percent; /* -1: left blank, shares the remainder */
};

/* For reads, writes, trims; `count` of each. */
struct opt_split3 {
	const struct opt_split *v[3];
	uint32_t count[3];
};

/* size=10g, size=20%, size=3z: exactly one of the three is set, or none.  A percentage is of
 * a file or device that only the plan knows. */
struct opt_size {
	uint64_t bytes;
	uint32_t percent;
	uint32_t zones;
};

/* A word with what follows its colon: rw=randread:8 -> {.., "8"} or NULL. */
struct opt_word_arg {
	int word;
	const char *arg;
};

/* In the order said; pieces of filename=a:b, one after another. */
struct opt_names {
	const char *const *v;
	size_t count;
};

/* As typed and in that order, at most LIMIT_PERCENTILES: percentile_list and the like. */
struct opt_floats {
	double v[LIMIT_PERCENTILES];
	uint32_t count;
	uint32_t decimals; /* most decimals that were typed */
};

/* A set of CPU numbers below LIMIT_CPUS, whether the machine has them or not. */
struct opt_cpus {
	uint64_t bits[LIMIT_CPUS / 64];
	uint32_t count; /* bits set; 0: not given */
};

/* ---- types: what DST of parse() and SRC of print() point to ---- */

extern const struct opt_type opt_flag; /* bool, value optional          */
extern const struct opt_type opt_bool; /* bool, 0 or 1                  */
extern const struct opt_type opt_u32;
extern const struct opt_type opt_i32;
extern const struct opt_type opt_u64;
extern const struct opt_type opt_double;
extern const struct opt_type opt_bytes;        /* uint64_t                      */
extern const struct opt_type opt_time_s;       /* uint64_t ns, bare number = s  */
extern const struct opt_type opt_time_us;      /* uint64_t ns, bare number = us */
extern const struct opt_type opt_time_ms;      /* uint64_t ns, bare number = ms */
extern const struct opt_type opt_time_range_s; /* struct opt_range, ns          */
extern const struct opt_type opt_size_type;    /* struct opt_size               */
extern const struct opt_type opt_u64x3_type;   /* struct opt_u64x3, plain numbers */
extern const struct opt_type opt_time_us3;     /* struct opt_u64x3, ns, bare number = us */
extern const struct opt_type opt_bytes3;       /* struct opt_u64x3, bytes       */
extern const struct opt_type opt_range_type;   /* struct opt_range, one value ok */
extern const struct opt_type opt_range3_type;
extern const struct opt_type opt_split3_type;
extern const struct opt_type opt_word; /* int                           */
extern const struct opt_type opt_word_arg_type;
extern const struct opt_type opt_text;       /* const char *                  */
extern const struct opt_type opt_names_type; /* colon separated               */
extern const struct opt_type opt_floats_type;
extern const struct opt_type opt_cpus_type;
extern const struct opt_type opt_filler_type; /* struct filler; row.words: formats it may
					       * have, by name: "%o"             */

/* ---- rows: each macro fails to compile when the field has another type ---- */

/* OPT_AS(struct times, delay_ns, uint64_t, opt_time_s) is .type and .offset of a row, if the
 * field has the type that is named; else a compile error at the row. */
#define OPT_OFFSET(strct, field, ctype)                                                        \
	_Generic(((strct *)0)->field, ctype : offsetof(strct, field))

#define OPT_AS(strct, field, ctype, opt_type_name)                                             \
	.type = &opt_type_name, .offset = OPT_OFFSET(strct, field, ctype)

#define OPT_FLAG(s, f)         OPT_AS(s, f, bool, opt_flag)
#define OPT_BOOL(s, f)         OPT_AS(s, f, bool, opt_bool)
#define OPT_U32(s, f)          OPT_AS(s, f, uint32_t, opt_u32)
#define OPT_I32(s, f)          OPT_AS(s, f, int32_t, opt_i32)
#define OPT_U64(s, f)          OPT_AS(s, f, uint64_t, opt_u64)
#define OPT_DOUBLE(s, f)       OPT_AS(s, f, double, opt_double)
#define OPT_BYTES(s, f)        OPT_AS(s, f, uint64_t, opt_bytes)
#define OPT_TIME_S(s, f)       OPT_AS(s, f, uint64_t, opt_time_s)
#define OPT_TIME_US(s, f)      OPT_AS(s, f, uint64_t, opt_time_us)
#define OPT_TIME_MS(s, f)      OPT_AS(s, f, uint64_t, opt_time_ms)
#define OPT_TIME_RANGE_S(s, f) OPT_AS(s, f, struct opt_range, opt_time_range_s)
#define OPT_SIZE(s, f)         OPT_AS(s, f, struct opt_size, opt_size_type)
#define OPT_U64X3(s, f)        OPT_AS(s, f, struct opt_u64x3, opt_u64x3_type)
#define OPT_TIME_US3(s, f)     OPT_AS(s, f, struct opt_u64x3, opt_time_us3)
#define OPT_BYTES3(s, f)       OPT_AS(s, f, struct opt_u64x3, opt_bytes3)
#define OPT_RANGE(s, f)        OPT_AS(s, f, struct opt_range, opt_range_type)
#define OPT_RANGE3(s, f)       OPT_AS(s, f, struct opt_range3, opt_range3_type)
#define OPT_SPLIT3(s, f)       OPT_AS(s, f, struct opt_split3, opt_split3_type)
#define OPT_WORD(s, f)         OPT_AS(s, f, int, opt_word)
#define OPT_WORD_ARG(s, f)     OPT_AS(s, f, struct opt_word_arg, opt_word_arg_type)
#define OPT_TEXT(s, f)         OPT_AS(s, f, const char *, opt_text)
#define OPT_NAMES(s, f)        OPT_AS(s, f, struct opt_names, opt_names_type)
#define OPT_FLOATS(s, f)       OPT_AS(s, f, struct opt_floats, opt_floats_type)
#define OPT_CPUS(s, f)         OPT_AS(s, f, struct opt_cpus, opt_cpus_type)
#define OPT_FILLER(s, f)       OPT_AS(s, f, struct filler, opt_filler_type)

/* A name that is known and not served: SENTENCE says why, unless the value is harmless. */
#define OPT_REFUSED(sentence) .type = &opt_text, .refused = (sentence)

/* ---- walks ---- */

/* A row and where its value lies: in the job's block of that group. */
struct opt_found {
	const struct opt *row;
	size_t group; /* index into opt_groups */
};

/* By name or alias, exactly, among the groups whose engine is NULL or ENGINE
 * (ENGINE NULL: all engines).  False when there is none. */
bool opt_find(const char *name, const char *engine, struct opt_found *ret);

/* The known name nearest to NAME if it is near enough (at most half its letters
 * wrong), else NULL. */
const char *opt_nearest(const char *name, const char *engine);

/* Fill BLOCK (zeroed, of g->size bytes) with the presets. */
int opt_presets(const struct opt_group *g, void *block, const struct opt_ctx *ctx,
	struct err *reterr);

/* Parse TEXT (NULL: the option stood alone) for ROW into BLOCK. The error text
 * has the reason and what is allowed, without option name or place: the caller
 * puts those in front.  A refused row fails with its sentence, unless the value is
 * one of its harmless ones; the value of a row without effect is checked and
 * dropped. */
int opt_parse(const struct opt *row, const char *text, void *block, const struct opt_ctx *ctx,
	struct err *reterr);

/* Is TEXT one of the row's harmless values, each element of it if it is a list? */
bool opt_harmless(const struct opt *row, const char *text);

/* ---- numbers with units; also used by readers of arguments elsewhere ---- */

/* All of TEXT must be used up, blanks at its ends not counted.  0, or -EINVAL or -ERANGE; the
 * text says what is wrong and what was meant.  CTX may be NULL (kb_base 1024, fio's face);
 * UNIT_NS is what a bare number counts. */
int opt_read_bytes(const char *text, const struct opt_ctx *ctx, uint64_t *ret,
	struct err *reterr);
int opt_read_time(const char *text, uint64_t unit_ns, uint64_t *ret_ns, struct err *reterr);
int opt_read_u64(const char *text, uint64_t *ret, struct err *reterr);
int opt_read_double(const char *text, double *ret, struct err *reterr);

/* Integer arithmetic as bc(1) does it, for what stands around $ncpus and the
 * like in a job file: + - * / % ^ and parentheses, no units.  No error text: a
 * text that is no arithmetic is left as it is. */
int opt_read_arithmetic(const char *text, int64_t *ret);
