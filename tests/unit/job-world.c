/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "job-world.h"

#include "engine/engine.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

/* ---- groups of its own ---- */

static const struct opt_word bases[] = {{"1024", 1024, NULL}, {"1000", 1000, NULL}, {0}};
static const struct opt_word patterns[] = {
	{"read", 0, NULL}, {"write", 1, NULL}, {"randread", 2, NULL}, {"randrw", 3, NULL}, {0}};

static const struct opt core_rows[] = {
	{.name = "name", OPT_TEXT(struct core, name), .flags = OPT_NO_INHERIT},
	{.name = "ioengine", OPT_TEXT(struct core, engine), .preset = "psync"},
	{.name = "kb_base",
		OPT_WORD(struct core, kb_base),
		.words = bases,
		.preset = "1024",
		.flags = OPT_EARLY},
	{.name = "bs",
		.alias = {"blocksize"},
		OPT_BYTES3(struct core, bs),
		.min = 1,
		.max = 1 << 30,
		.preset = "4k"},
	{.name = "rw",
		.alias = {"readwrite"},
		OPT_WORD_ARG(struct core, rw),
		.words = patterns,
		.preset = "read"},
	{.name = "filename", OPT_NAMES(struct core, filename), .flags = OPT_LATE | OPT_GATHER},
	{.name = "filename_format", OPT_TEXT(struct core, format), .flags = OPT_LATE},
	{.name = "directory", OPT_TEXT(struct core, directory)},
	{.name = "description", OPT_TEXT(struct core, description)},
	{.name = "exec_prerun", OPT_TEXT(struct core, prerun)},
	{.name = "size", OPT_SIZE(struct core, size)},
	{.name = "iodepth", OPT_U32(struct core, iodepth), .min = 1, .preset = "1"},
	{.name = "numjobs", OPT_U32(struct core, numjobs), .min = 1, .preset = "1"},
	{.name = "uid", OPT_U32(struct core, uid), .flags = OPT_NO_INHERIT},
	{.name = "thread", OPT_FLAG(struct core, thread)},
	{.name = "stonewall", .alias = {"wait_for_previous"}, OPT_FLAG(struct core, stonewall)},
	{.name = "direct", OPT_BOOL(struct core, direct)},
	{.name = "idle", OPT_U32(struct core, idle), .no_effect = "it does nothing here"},
	{.name = "verify", OPT_REFUSED("comes with a later version")},
	{.name = "output", OPT_TEXT(struct core, name), .flags = OPT_CLI_ONLY},
};
const struct opt_group core_group = {
	"core", NULL, core_rows, COUNT_OF(core_rows), sizeof(struct core)};

static const struct opt uring_rows[] = {
	{.name = "hipri", OPT_U32(struct uring, hipri)},
	{.name = "sqpoll", OPT_U32(struct uring, sqpoll)},
};
const struct opt_group uring_group = {
	"io_uring", "io_uring", uring_rows, COUNT_OF(uring_rows), sizeof(struct uring)};
const struct opt_group pvsync2_group = {
	"pvsync2", "pvsync2", uring_rows, 1, sizeof(struct uring)};

const struct opt_group *const opt_groups[] = {&core_group, &uring_group, &pvsync2_group};
const size_t opt_groups_count = COUNT_OF(opt_groups);

static const struct engine known[] = {{.name = "psync"}, {.name = "null"}, {.name = "delay"},
	{.name = "io_uring"}, {.name = "pvsync2"}};

/* "delay(null)": each known word between brackets. */
int engine_chain_parse(const char *text, struct engine_chain *ret, struct err *reterr)
{
	*ret = (struct engine_chain){.count = 0};
	for (size_t len; *text; text += len + strspn(text + len, "()")) {
		len = strcspn(text, "()");
		for (size_t i = 0; i < COUNT_OF(known); i++)
			if (strlen(known[i].name) == len && !strncmp(known[i].name, text, len))
				ret->link[ret->count++] = &known[i];
	}
	return ret->count ? 0 : err_set(reterr, -ENOENT, "no such engine");
}

/* ---- reading ---- */

static void hear_warning(void *ctx, const char *text)
{
	str_addf(&((struct world *)ctx)->warnings, "%s\n", text);
}

static void hear_note(void *ctx, const char *text)
{
	str_addf(&((struct world *)ctx)->notes, "%s\n", text);
}

struct world new_world(bool native)
{
	return (struct world){.env = {.native = native,
				      .cpus = 2,
				      .page_bytes = 4096,
				      .memory_mb = 24105,
				      .warn = hear_warning,
				      .note = hear_note}};
}

void end_world(struct world *w)
{
	job_set_free(w->set);
	w->set = NULL;
	str_done(&w->warnings);
	str_done(&w->notes);
	str_done(&w->shown);
}

int read_line(struct world *w, const char *line)
{
	struct job_word words[32];
	char text[32][128];
	size_t count = 0;

	w->env.warn_ctx = w;
	for (; *line; count++) {
		size_t len = strcspn(line, " ");
		assert_true(count < 32 && len < 128);
		memcpy(text[count], line, len);
		text[count][len] = '\0';
		line += len + (line[len] == ' ');
		char *equals = strchr(text[count], '=');
		bool option = str_starts(text[count], "--");
		if (option && equals)
			*equals = '\0';
		words[count] = (struct job_word){
			.name = option ? text[count] + 2 : NULL,
			.value = option ? (equals ? equals + 1 : NULL) : text[count],
			.index = (unsigned)count,
		};
	}
	int rc = job_read(words, count, &w->env, &w->set, &w->err);
	assert_int_equal(rc, w->err.code);
	assert_true((rc == 0) == (w->set != NULL));
	/* What the words said is not needed any more. */
	memset(text, 'x', sizeof(text));
	if (rc == 0) {
		job_show_command(w->set, "fio", &w->shown);
		assert_true(str_ends(str_text(&w->shown), "\n"));
		w->shown.text[--w->shown.len] = '\0';
	}
	return rc;
}

void put_bytes(const char *path, const char *text, size_t len)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

void put_file(const char *path, const char *text)
{
	put_bytes(path, text, strlen(text));
}

int enter_folder(void **state)
{
	static char folder[] = "/tmp/weir-unit-job.XXXXXX";
	*state = mkdtemp(folder);
	return !*state || chdir(folder);
}

int leave_folder(void **state)
{
	static const char *const files[] = {"sub/in1.inc", "sub/in2.inc", "sub/t", "head.inc",
		"bad.inc", "self.inc", "j", "one", "two", "glob"};
	for (size_t i = 0; i < COUNT_OF(files); i++)
		unlink(files[i]);
	rmdir("sub");
	return chdir("/") || rmdir(*state);
}
