/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text: a growable buffer, safe display of untrusted text, nearest names for suggestions. */
#ifndef LP_BASE_STR_H
#define LP_BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* A growable, always NUL-terminated text. Zero-initialise; free with lp_buf_fini. Out of memory
 * sets `failed`, later appends do nothing, and lp_buf_ok reports it once at the end. */
typedef struct LpBuf {
    char *text; /* NULL while empty; use lp_buf_text */
    size_t len, cap;
    bool failed;
} LpBuf;

/* Takes the next bytes of a long text; an error ends it. */
typedef LpErr (*LpSink)(void *user, const char *bytes, size_t len, LpDiag *diag);

void lp_buf_fini(LpBuf *buf);
void lp_buf_clear(LpBuf *buf); /* empty and usable again, `failed` too; keeps the memory */
void lp_buf_add(LpBuf *buf, const char *text); /* NULL adds nothing; not a part of buf->text */
void lp_buf_add_bytes(LpBuf *buf, const char *bytes, size_t len);
void lp_buf_addf(LpBuf *buf, const char *fmt, ...) LP_PRINTF(2, 3);
void lp_buf_vaddf(LpBuf *buf, const char *fmt, va_list args) LP_PRINTF(2, 0);
const char *lp_buf_text(const LpBuf *buf); /* "" while empty */
LpErr lp_buf_ok(const LpBuf *buf, LpDiag *diag) LP_MUST_USE;

/* Is what was read from a file text? A NUL byte is none: whoever takes the text for a C string
 * would see less of it than whoever counts its bytes. LP_EPARSE at file:line:col. O(len). */
LpErr lp_text_check(const char *file, const char *text, size_t len, LpDiag *diag) LP_MUST_USE;

/* Bytes of the longest start of the text, of at most `room` bytes, that splits no UTF-8 sequence:
 * what
 * "%.*s" may be given. O(room). */
size_t lp_str_prefix(const char *text, size_t room);
/* Copies at most size-1 bytes and terminates. Returns dst. Never splits a UTF-8 sequence. */
char *lp_str_copy(char *dst, size_t size, const char *src);

/* Appends text as it may be shown on a terminal: control bytes (C0, DEL, C1) and invalid UTF-8 as
 * \x1b-style escapes, what else lp_utf8_columns calls not to be shown (bidi and zero-width
 * controls, private characters) as \u202e; tabs and newlines as \t, \n. Letters and signs of any
 * script stay, also wide and combining ones; joiners between them are left out. */
void lp_str_escape(LpBuf *out, const char *text, size_t len);
/* The same line by line: newlines stay. */
void lp_str_escape_lines(LpBuf *out, const char *text, size_t len);
/* For data that programs read, too: only what acts on a terminal (controls, invalid UTF-8, bidi and
 * zero-width controls) is escaped; letters of any width and combining ones stay. */
void lp_str_guard(LpBuf *out, const char *text, size_t len);
/* The same into a fixed buffer, for quoting a user's text in a message; overlong text ends in an
 * ellipsis. Escaping twice changes nothing (a backslash stays as it is). NULL shows as "". Returns
 * dst. */
char *lp_str_show(char *dst, size_t size, const char *text);
/* Appends text as a JSON string with its quotes; invalid UTF-8 becomes U+FFFD. What lp_str_guard
 * escapes is written as \u escapes. NULL gives "". */
void lp_str_json(LpBuf *out, const char *text);

/* Appends text as a field of a CSV table (RFC 4180), what lp_str_guard escapes escaped: in quotes
 * where it needs them, or always. A spreadsheet computes a field that begins with = + - or @ (also
 * in their wide forms), whoever named a job so: such a text gets a ' in front, unless it is a
 * number or `raw`. NULL gives an empty field. */
void lp_str_csv(LpBuf *out, const char *text, bool always, bool raw);

/* Decodes one UTF-8 code point from text (len bytes left, len > 0): *cp and the number of bytes
 * used; invalid input gives *cp = 0xFFFD and 1. */
size_t lp_utf8_decode(const char *text, size_t len, uint32_t *cp);
/* Columns that a code point takes: 1; 2, wide (Unicode's East Asian Width W and F); 0, a mark that
 * is shown with the character before it (combining marks, vowels and ends of Hangul, variants,
 * tones of skin); -1, not to be shown: unsafe, private, or no character. What Unicode says is
 * ambiguous is 1. O(log of 300). */
int lp_utf8_columns(uint32_t cp);
/* Is the first character of a text (UTF-8, len > 0) a mark of the one before it? */
bool lp_utf8_is_mark(const char *text, size_t len);
/* Encodes into buf (at least 5 bytes), NUL-terminated; returns the number of bytes. What is no code
 * point (surrogates, above 0x10FFFF) is encoded as U+FFFD. */
size_t lp_utf8_encode(uint32_t cp, char *buf);

/* Index of the nearest of `count` names by edit distance if it is close enough to suggest (at most
 * a third of the letters differ), else -1; the first of equals. A swap of neighbours is one edit,
 * the case of ASCII letters is ignored, names over 64 bytes are never near. O(count * len^2). */
int lp_str_nearest(const char *name, const char *const *names, size_t count);

/* The ending of a noun that is counted: "" of one, else "s". */
const char *lp_str_s(uint64_t count);
/* "1 way", "2 ways": a count with its noun. Returns text. */
enum { LP_MANY_TEXT = 64 };
const char *lp_str_many(char text[LP_MANY_TEXT], uint64_t count, const char *noun);

#endif
