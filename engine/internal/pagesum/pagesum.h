#include <stdint.h>

// pagesum returns the checksum of a page, of which the last eight bytes do not count.
uint64_t pagesum(const uint8_t *page, int size, uint64_t number);

// pagesumFlip looks for the one bit of a page that is wrong: of its content, or of its
// sum. It returns the bit's number, from 0, or -1.
int pagesumFlip(uint8_t *page, int size, uint64_t number);

// pagesumRegister makes the VFS known to SQLite. name must stay.
int pagesumRegister(const char *name);
