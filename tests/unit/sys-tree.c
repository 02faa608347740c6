/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "tests/unit/sys-tree.h"

#include "base/scope.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

#include "folder.h"

struct tree_node {
	char path[128];
	struct place place;
};

static int tree_place(void *ctx, const char *path, struct place *ret)
{
	const struct tree *t = ctx;
	for (size_t i = 0; i < t->nodes_count; i++) {
		if (strcmp(t->nodes[i].path, path) == 0) {
			*ret = t->nodes[i].place;
			return 0;
		}
	}
	return -ENOENT;
}

static void folders_above(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

static void write_file(const char *path, const char *text)
{
	scope_file FILE *f = fopen(path, "w");
	assert_non_null(f);
	for (; *text; text++) {
		if (text[0] == '\\' && (text[1] == 'n' || text[1] == 't'))
			fputc(*++text == 'n' ? '\n' : '\t', f);
		else
			fputc(*text, f);
	}
}

static void add_node(struct tree *t, const char *path, const struct place *place)
{
	t->nodes = realloc(t->nodes, (t->nodes_count + 1) * sizeof(*t->nodes));
	assert_non_null(t->nodes);
	struct tree_node *n = &t->nodes[t->nodes_count++];
	snprintf(n->path, sizeof(n->path), "%s", path);
	n->place = *place;
}

/* "M:m" or "M:m ID" at the end of REST; a path may hold blanks. */
static void parse_node(struct tree *t, char *rest, bool block)
{
	unsigned major_no, minor_no;
	unsigned long id = 0;
	char *last = strrchr(rest, ' ');
	assert_non_null(last);
	if (!block) {
		id = strtoul(last + 1, NULL, 10);
		*last = '\0';
		last = strrchr(rest, ' ');
		assert_non_null(last);
	}
	assert_int_equal(sscanf(last + 1, "%u:%u", &major_no, &minor_no), 2);
	*last = '\0';
	struct place place = {.block = block, .mount_id = id};
	*(block ? &place.rdev : &place.dev) = makedev(major_no, minor_no);
	add_node(t, rest, &place);
}

static void make_line(struct tree *t, char *line)
{
	char path[600];
	char *rest = strchr(line, ' ');
	assert_non_null(rest);
	*rest++ = '\0';
	if (strcmp(line, "node") == 0 || strcmp(line, "at") == 0) {
		parse_node(t, rest, line[0] == 'n');
		return;
	}
	char *value = strchr(rest, ' ');
	if (value)
		*value++ = '\0';
	snprintf(path, sizeof(path), "%s%s", t->folder, rest);
	folders_above(path);
	if (strcmp(line, "dir") == 0) {
		assert_int_equal(mkdir(path, 0700), 0);
	} else if (strcmp(line, "link") == 0) {
		assert_int_equal(symlink(value, path), 0);
	} else {
		assert_string_equal(line, "file");
		write_file(path, value);
	}
}

void tree_make(struct tree *t, const char *name)
{
	char path[512], line[2048];
	const char *data = getenv("WEIR_DATA"), *tmp = getenv("TMPDIR");

	*t = (struct tree){0};
	snprintf(t->folder, sizeof(t->folder), "%s/weir-tree-XXXXXX", tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp(t->folder));
	t->root = (struct sysroot){.prefix = t->folder, .place = tree_place, .ctx = t};
	snprintf(path, sizeof(path), "%s/sys/%s", data ? data : "tests/data", name);
	scope_file FILE *f = fopen(path, "r");
	if (!f)
		fail_msg("%s: %s (is WEIR_DATA set?)", path, strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0])
			make_line(t, line);
	}
}

void tree_remove(struct tree *t)
{
	folder_remove(t->folder);
	free(t->nodes);
}
