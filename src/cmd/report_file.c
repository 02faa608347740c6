/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
#include "cmd/report_file.h"

#include "base/err.h"
#include "base/limits.h"
#include "base/scope.h"
#include "base/str.h"
#include "result/import.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int report_file_text(const char *path, size_t max, struct str *text, struct err *reterr)
{
	static char buffer[64 << 10];
	bool is_stdin = !strcmp(path, "-");
	scope_fd int own = is_stdin ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	int fd = is_stdin ? STDIN_FILENO : own;
	ssize_t n;

	if (fd < 0)
		return err_sys(reterr, -errno, "%s", path);
	while ((n = read(fd, buffer, sizeof(buffer))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(reterr, -errno, "%s", path);
		str_add_bytes(text, buffer, (size_t)n);
		if (text->len > max)
			return err_set(reterr, -EFBIG,
				"%s: is larger than %zu MiB, which such a file never is", path,
				max >> 20);
		if (text->failed)
			return err_set(reterr, -ENOMEM, "%s: out of memory", path);
	}
	return 0;
}

int report_file_read(const char *path, struct import_list *ret, struct err *reterr)
{
	scope_with(str_done) struct str text = {0};

	*ret = (struct import_list){0};
	int rc = report_file_text(path, LIMIT_REPORT_FILE, &text, reterr);
	return rc < 0 ? rc
		      : import_text(!strcmp(path, "-") ? "stdin" : path, str_text(&text),
				text.len, ret, reterr);
}
