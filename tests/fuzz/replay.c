/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Without libFuzzer a target replays files: what the tests do with the corpus. */
#include "fuzz.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void replay(const char *path)
{
	static uint8_t data[1 << 20];
	FILE *f = fopen(path, "rb");
	if (!f) {
		perror(path);
		exit(1);
	}
	size_t size = fread(data, 1, sizeof(data), f);
	fclose(f);
	printf("%s\n", path);
	fflush(stdout);
	LLVMFuzzerTestOneInput(data, size);
}

static unsigned replay_folder(const char *path)
{
	struct dirent **entries;
	int count = scandir(path, &entries, NULL, alphasort);
	unsigned files = 0;
	for (int i = 0; i < count; i++) {
		char file[PATH_MAX];
		snprintf(file, sizeof(file), "%s/%s", path, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.') {
			replay(file);
			files++;
		}
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return files;
}

int main(int argc, char **argv)
{
	unsigned files = 0;
	for (int i = 1; i < argc; i++) {
		unsigned inside = replay_folder(argv[i]);
		if (!inside)
			replay(argv[i]);
		files += inside ? inside : 1;
	}
	if (!files)
		fprintf(stderr, "usage: fuzz-NAME FILE|FOLDER...\n");
	return files ? 0 : 1;
}
