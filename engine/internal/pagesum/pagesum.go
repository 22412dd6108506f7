// Package pagesum gives the pages of a SQLite file checksums, which SQLite itself has
// none of: each page that is read from a file is compared with the sum that was
// written with it, so that what a failing disk made of it is an error and no content.
//
// Connections of Driver to data sources with Query make files with sums, and give a
// file without them sums when it is written anew by VACUUM. A file has sums whose
// header reserves Reserved bytes of each page, as with SQLite's own cksumvfs.
package pagesum

// #include "pagesum.h"
// #include <stdlib.h>
import "C"

import (
	"database/sql"
	"encoding/binary"
	"fmt"
	"unsafe"

	"github.com/mattn/go-sqlite3"
)

// Driver is the name of the driver for package database/sql.
const Driver = "sqlite3 with sums"

const vfs = "pagesum"

// Reserved is how many bytes at the end of each page hold its sum.
const Reserved = 8

func init() {
	if code := C.pagesumRegister(C.CString(vfs)); code != 0 {
		panic(fmt.Sprintf("pagesum: SQLite does not take the VFS: code %d", code))
	}
	sql.Register(Driver, &sqlite3.SQLiteDriver{ConnectHook: func(c *sqlite3.SQLiteConn) error {
		const reserveBytes = 38 // SQLITE_FCNTL_RESERVE_BYTES
		return c.SetFileControlInt("main", reserveBytes, Reserved)
	}})
}

// Query returns a part of the query of a data source. known says that the file
// has sums or is not there yet: then a page without the right one is an error even if
// the header does not say that there are any.
func Query(known bool) string {
	if known {
		return "vfs=" + vfs + "&sums=1"
	}
	return "vfs=" + vfs
}

// sum returns the sum of a page; the first page has the number 1.
func sum(page []byte, number int64) uint64 {
	return uint64(C.pagesum((*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(page))), C.int(len(page)), C.uint64_t(number)))
}

// Flip looks for the one bit of a page that is wrong, of its content or of its sum, and
// turns it back; it reports whether there was one.
func Flip(page []byte, number int64) bool {
	bit := int(C.pagesumFlip((*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(page))), C.int(len(page)), C.uint64_t(number)))
	if bit < 0 {
		return false
	}
	page[bit/8] ^= 1 << (bit % 8)
	return true
}

// Good reports whether a page has the sum that was written with it.
func Good(page []byte, number int64) bool {
	return binary.LittleEndian.Uint64(page[len(page)-Reserved:]) == sum(page, number)
}
