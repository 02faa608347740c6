/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 the weir authors */
/* Libcrypto is loaded when first asked for: linked in, it would make every start 1.6 ms longer.
 * An algorithm is looked up once a process, since that takes locks; a context is made once a
 * thread, since one that is used again for the same algorithm allocates nothing. */
#include "verify/digest.h"

#include <string.h>

#include "config.h"

#if HAVE_LIBCRYPTO

#include <dlfcn.h>
#include <openssl/evp.h>
#include <openssl/opensslv.h>
#include <pthread.h>

#include "base/bits.h"

static const struct {
	const char *name, *missing;
} algorithms[CHECKSUM_KINDS] = {
	[CHECKSUM_MD5] = {"MD5", "MD5 of libcrypto"},
	[CHECKSUM_SHA1] = {"SHA1", "SHA1 of libcrypto"},
	[CHECKSUM_SHA256] = {"SHA2-256", "SHA2 of libcrypto"},
	[CHECKSUM_SHA512] = {"SHA2-512", "SHA2 of libcrypto"},
	[CHECKSUM_SHA3_224] = {"SHA3-224", "SHA3 of libcrypto"},
	[CHECKSUM_SHA3_256] = {"SHA3-256", "SHA3 of libcrypto"},
	[CHECKSUM_SHA3_384] = {"SHA3-384", "SHA3 of libcrypto"},
	[CHECKSUM_SHA3_512] = {"SHA3-512", "SHA3 of libcrypto"},
};

#define SONAME_OF(version) "libcrypto.so." #version
#define SONAME(version)    SONAME_OF(version)
#define LIBCRYPTO          SONAME(OPENSSL_SHLIB_VERSION)

/* What is used of libcrypto: a member has the name of the function. */
#define FUNCTIONS(f)                                                                           \
	f(EVP_MD_fetch) f(EVP_MD_CTX_new) f(EVP_MD_CTX_free) f(EVP_DigestInit_ex2)             \
		f(EVP_DigestUpdate) f(EVP_DigestFinal_ex)

/* Written once, by digest_look_up(). */
static struct {
	pthread_once_t once;
	bool loaded;
	pthread_key_t context;
	EVP_MD *algorithm[CHECKSUM_KINDS];
#define MEMBER(name) __typeof__(name) *name;
	FUNCTIONS(MEMBER)
} digest = {.once = PTHREAD_ONCE_INIT};

static void digest_drop(void *context)
{
	digest.EVP_MD_CTX_free(context);
}

static bool digest_load(void)
{
	void *library = dlopen(LIBCRYPTO, RTLD_NOW | RTLD_LOCAL);
	bool all = library != NULL;

#define LOAD(name) all = all && (*(void **)&digest.name = dlsym(library, #name)) != NULL;
	FUNCTIONS(LOAD)
	return all;
}

static void digest_look_up(void)
{
	if (!digest_load() || pthread_key_create(&digest.context, digest_drop) != 0)
		return;
	digest.loaded = true;
	for (unsigned i = 0; i < CHECKSUM_KINDS; i++)
		if (algorithms[i].name)
			digest.algorithm[i] = digest.EVP_MD_fetch(NULL, algorithms[i].name,
				NULL);
}

static EVP_MD_CTX *digest_context(void)
{
	EVP_MD_CTX *context = pthread_getspecific(digest.context);

	if (unlikely(!context)) {
		context = digest.EVP_MD_CTX_new();
		pthread_setspecific(digest.context, context);
	}
	return context;
}

const char *digest_missing(enum checksum_kind kind)
{
	pthread_once(&digest.once, digest_look_up);
	if (!algorithms[kind].name || digest.algorithm[kind])
		return NULL;
	return digest.loaded ? algorithms[kind].missing : LIBCRYPTO;
}

void digest_make(enum checksum_kind kind, const struct checksum_piece *piece, unsigned count,
	uint8_t *out)
{
	pthread_once(&digest.once, digest_look_up);
	EVP_MD_CTX *context = digest.algorithm[kind] ? digest_context() : NULL;
	bool done = context &&
		    digest.EVP_DigestInit_ex2(context, digest.algorithm[kind], NULL) == 1;

	for (unsigned i = 0; i < count && done; i++)
		done = digest.EVP_DigestUpdate(context, piece[i].data, piece[i].bytes) == 1;
	if (!done || digest.EVP_DigestFinal_ex(context, out, NULL) != 1)
		memset(out, 0, checksum_bytes(kind));
}

#else

const char *digest_missing(enum checksum_kind kind)
{
	return kind >= CHECKSUM_MD5 ? "libcrypto" : NULL;
}

void digest_make(enum checksum_kind kind, const struct checksum_piece *piece, unsigned count,
	uint8_t *out)
{
	(void)piece;
	(void)count;
	memset(out, 0, checksum_bytes(kind));
}

#endif
