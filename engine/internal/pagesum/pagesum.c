// A layer between SQLite and the file system, of the kind that SQLite calls a VFS: it
// puts a checksum into the last eight bytes of every page that goes to the file of a
// database, and compares it for every page that comes from there. SQLite leaves those
// bytes alone where the file's header reserves them.
//
// All but reading and writing is done by the usual VFS, on the same memory: what this
// one has to know of a file lies behind what that one does.

#include "pagesum.h"
#include "sqlite.h"

#include <string.h>

enum { reservedAt = 20, headerSize = 100, leastPage = 512 };

static sqlite3_vfs *usual;
static sqlite3_vfs summing;

// sums is what there is to know of an open file.
typedef struct {
	const sqlite3_io_methods *usual;
	sqlite3_io_methods methods;
	int always; // the opener knows that the file has sums, whatever its header says
	int on;     // its header says so
} sums;

static sums *of(sqlite3_file *f) { return (sums *)((char *)f + summing.szOsFile - sizeof(sums)); }

uint64_t pagesum(const uint8_t *page, int size, uint64_t number) {
	uint64_t h = (number + 1) * 0x9e3779b97f4a7c15u;
	for (int i = 0; i + 8 < size; i += 8) {
		uint64_t w;
		memcpy(&w, page + i, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		w = __builtin_bswap64(w);
#endif
		// Each step can be undone, so that two pages that differ in one word never
		// have the same sum.
		h = (h ^ w) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
	}
	return h;
}

int pagesumFlip(uint8_t *page, int size, uint64_t number) {
	uint64_t kept = 0;
	for (int i = 0; i < 8; i++) kept |= (uint64_t)page[size - 8 + i] << 8 * i;
	uint64_t differ = kept ^ pagesum(page, size, number);
	for (int bit = 0; bit < 64; bit++) {
		if (differ == (uint64_t)1 << bit) return (size - 8) * 8 + bit;
	}
	for (int bit = 0; bit < (size - 8) * 8; bit++) {
		page[bit / 8] ^= 1 << bit % 8;
		int found = pagesum(page, size, number) == kept;
		page[bit / 8] ^= 1 << bit % 8;
		if (found) return bit;
	}
	return -1;
}

static void sumOf(const uint8_t *page, int size, sqlite3_int64 at, uint8_t out[8]) {
	uint64_t h = pagesum(page, size, (uint64_t)(at / size) + 1);
	for (int i = 0; i < 8; i++) out[i] = (uint8_t)(h >> 8 * i);
}

static int isPage(int size, sqlite3_int64 at) { return size >= leastPage && (size & (size - 1)) == 0 && at % size == 0; }

static void look(sums *s, const uint8_t *b, int size, sqlite3_int64 at) {
	if (at == 0 && size >= headerSize && memcmp(b, "SQLite format 3", 16) == 0) s->on = b[reservedAt] == 8;
}

static int readPage(sqlite3_file *f, void *into, int size, sqlite3_int64 at) {
	sums *s = of(f);
	int rc = s->usual->xRead(f, into, size, at);
	if (rc != SQLITE_OK) return rc;
	look(s, into, size, at);
	if ((s->always || s->on) && isPage(size, at)) {
		uint8_t sum[8];
		sumOf(into, size, at, sum);
		if (memcmp((uint8_t *)into + size - 8, sum, 8) != 0) return SQLITE_IOERR_DATA;
	}
	return SQLITE_OK;
}

static int writePage(sqlite3_file *f, const void *from, int size, sqlite3_int64 at) {
	sums *s = of(f);
	look(s, from, size, at);
	if (s->always && at == 0 && !s->on) return SQLITE_IOERR_WRITE; // there is no room for sums
	// SQLite's buffer is its own, and the bytes behind what a page holds are ours.
	if ((s->always || s->on) && isPage(size, at)) sumOf(from, size, at, (uint8_t *)from + size - 8);
	return s->usual->xWrite(f, from, size, at);
}

// Parts of pages have no sum, so that they are not to be read.
static int characteristics(sqlite3_file *f) { return of(f)->usual->xDeviceCharacteristics(f) & ~SQLITE_IOCAP_SUBPAGE_READ; }

static int fetch(sqlite3_file *f, sqlite3_int64 at, int size, void **into) {
	(void)f, (void)at, (void)size;
	*into = 0; // not mapped
	return SQLITE_OK;
}

static int openFile(sqlite3_vfs *v, const char *name, sqlite3_file *f, int flags, int *out) {
	(void)v;
	int rc = usual->xOpen(usual, name, f, flags, out);
	if (rc != SQLITE_OK || f->pMethods == 0 || (flags & SQLITE_OPEN_MAIN_DB) == 0) return rc;
	sums *s = of(f);
	memset(s, 0, sizeof *s);
	s->always = sqlite3_uri_boolean(name, "sums", 0);
	s->usual = f->pMethods;
	s->methods = *f->pMethods;
	s->methods.xRead = readPage;
	s->methods.xWrite = writePage;
	s->methods.xDeviceCharacteristics = characteristics;
	if (s->methods.iVersion >= 3) s->methods.xFetch = fetch;
	f->pMethods = &s->methods;
	return SQLITE_OK;
}

int pagesumRegister(const char *name) {
	usual = sqlite3_vfs_find(0);
	if (usual == 0) return SQLITE_IOERR;
	summing = *usual;
	summing.zName = name;
	summing.pNext = 0;
	summing.szOsFile = (usual->szOsFile + 15) / 16 * 16 + (int)sizeof(sums);
	summing.xOpen = openFile;
	return sqlite3_vfs_register(&summing, 0);
}
