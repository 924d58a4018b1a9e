/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text: the growable buffer, UTF-8, safe display and JSON strings, nearest names. */
#include "base/str.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/mem.h"
#include "base/widths.h"

enum { REPLACEMENT = 0xFFFD, LONGEST_NAME = 64 };

void lp_buf_fini(LpBuf *buf) {
    lp_free(buf->text);
    *buf = (LpBuf){0};
}

void lp_buf_clear(LpBuf *buf) {
    buf->len = 0;
    buf->failed = false;
    if (buf->text)
        buf->text[0] = '\0';
}

/* Room for `extra` more bytes and the NUL; false, and the buffer marked failed, where there is
 * none. */
static bool reserve(LpBuf *buf, size_t extra) {
    if (buf->failed)
        return false;
    if (extra >= SIZE_MAX - buf->len ||
        lp_grow((void **)&buf->text, &buf->cap, buf->len + extra + 1, 1) != LP_OK)
        buf->failed = true;
    return !buf->failed;
}

void lp_buf_add_bytes(LpBuf *buf, const char *bytes, size_t len) {
    LP_ASSERT(bytes != NULL || len == 0);
    if (!reserve(buf, len))
        return;
    if (len)
        memcpy(buf->text + buf->len, bytes, len);
    buf->len += len;
    buf->text[buf->len] = '\0';
    LP_ASSERT(buf->len < buf->cap);
}

void lp_buf_add(LpBuf *buf, const char *text) {
    lp_buf_add_bytes(buf, text, text ? strlen(text) : 0);
}

void lp_buf_vaddf(LpBuf *buf, const char *fmt, va_list args) {
    char small[256];
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(small, sizeof small, fmt, args);
    if (len < 0) {
        buf->failed = true;
    } else if ((size_t)len < sizeof small) {
        lp_buf_add_bytes(buf, small, (size_t)len);
    } else if (reserve(buf, (size_t)len)) {
        vsnprintf(buf->text + buf->len, (size_t)len + 1, fmt, again);
        buf->len += (size_t)len;
    }
    va_end(again);
}

void lp_buf_addf(LpBuf *buf, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    lp_buf_vaddf(buf, fmt, args);
    va_end(args);
}

const char *lp_buf_text(const LpBuf *buf) {
    return buf->text ? buf->text : "";
}

LpErr lp_buf_ok(const LpBuf *buf, LpDiag *diag) {
    return buf->failed ? lp_fail_memory(diag, "a text") : LP_OK;
}

/* Length of the sequence that a lead byte opens, 0 for a byte that opens none. */
static size_t sequence_length(unsigned char lead) {
    if (lead < 0x80)
        return 1;
    if (lead < 0xC2 || lead > 0xF4)
        return 0;
    return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

size_t lp_utf8_decode(const char *text, size_t len, uint32_t *cp) {
    LP_ASSERT(len > 0);
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char lead = (unsigned char)text[0];
    size_t need = sequence_length(lead);
    *cp = REPLACEMENT;
    if (need == 0 || need > len)
        return 1;
    uint32_t value = need == 1 ? lead : lead & (0x7Fu >> need);
    for (size_t i = 1; i < need; i++) {
        unsigned char next = (unsigned char)text[i];
        if ((next & 0xC0) != 0x80)
            return 1;
        value = value << 6 | (next & 0x3Fu);
    }
    if (value < least[need] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
        return 1;
    *cp = value;
    return need;
}

size_t lp_utf8_encode(uint32_t cp, char *buf) {
    if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
        cp = REPLACEMENT;
    size_t len = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = len; i-- > 1; cp >>= 6)
        buf[i] = (char)(unsigned char)(0x80 | (cp & 0x3F));
    buf[0] = (char)(unsigned char)(lead[len] | cp);
    buf[len] = '\0';
    return len;
}

size_t lp_str_prefix(const char *text, size_t room) {
    size_t len = strnlen(text, room + 4); /* with the sequence that begins before its end */
    if (len <= room)
        return len;
    for (size_t back = 1; back <= 3 && back <= room; back++) {
        uint32_t cp;
        size_t used = lp_utf8_decode(text + room - back, len - (room - back), &cp);
        if (used > back)
            return room - back;
    }
    return room;
}

LpErr lp_text_check(const char *file, const char *text, size_t len, LpDiag *diag) {
    const char *nul = len > 0 ? memchr(text, '\0', len) : NULL, *line = text;
    int lines = 1;
    if (nul == NULL)
        return LP_OK;
    for (const char *c = text; c < nul; c++)
        if (*c == '\n') {
            lines += lines < INT32_MAX;
            line = c + 1;
        }
    ptrdiff_t col = nul - line;
    return lp_fail_at(diag, LP_EPARSE, file, lines, col < INT32_MAX ? (int)col + 1 : INT32_MAX,
                      "a NUL byte, expected text (UTF-8)");
}

char *lp_str_copy(char *dst, size_t size, const char *src) {
    if (size == 0)
        return dst;
    size_t used = src ? lp_str_prefix(src, size - 1) : 0;
    if (used)
        memmove(dst, src, used);
    dst[used] = '\0';
    return dst;
}

static bool is_in(const Range *range, size_t ranges, uint32_t cp) {
    size_t low = 0, high = ranges;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (cp > range[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < ranges && cp >= range[low].first;
}

#define IS_IN(table, cp) is_in(table, LP_COUNTOF(table), cp)

/* Does it move, hide or reorder what a terminal shows? */
static bool is_unsafe(uint32_t cp) {
    return (cp < 0x20 || cp >= 0x7F) && IS_IN(unsafe, cp);
}

int lp_utf8_columns(uint32_t cp) {
    if (cp >= 0x20 && cp < 0x7F) /* nearly every cell of every screen */
        return 1;
    if (IS_IN(unsafe, cp) || IS_IN(unknown, cp))
        return -1;
    if (IS_IN(marks, cp))
        return 0;
    return IS_IN(wide, cp) ? 2 : 1;
}

bool lp_utf8_is_mark(const char *text, size_t len) {
    uint32_t cp;
    lp_utf8_decode(text, len, &cp);
    return lp_utf8_columns(cp) == 0;
}

/* The two unsafe ones that words are written with: between letters and signs they are left out of
 * what is shown. */
static bool is_joiner(uint32_t cp) {
    return cp == 0x200C || cp == 0x200D;
}

static bool is_not_shown(uint32_t cp) {
    return lp_utf8_columns(cp) < 0;
}

/* Which code points are to be escaped. */
typedef bool Escaped(uint32_t cp);

enum { SHOWN_MAX = 16 };

/* Is it a letter or sign that is no ASCII, in the script of which joiners have a place? */
static bool is_script(const char *text, size_t len) {
    uint32_t cp;
    lp_utf8_decode(text, len, &cp);
    return cp > 0x7F && lp_utf8_columns(cp) >= 0;
}

/* Joins the character at `at` two others that are shown, so that nobody misses it? */
static bool joins(const char *text, size_t len, size_t at) {
    uint32_t cp;
    size_t end = at + lp_utf8_decode(text + at, len - at, &cp), before = at;
    if (!is_joiner(cp) || at == 0 || end == len)
        return false;
    do
        before--;
    while (before > 0 && ((unsigned char)text[before] & 0xC0) == 0x80);
    return is_script(text + before, len - before) && is_script(text + end, len - end);
}

/* The displayable form of the character at `at`, NUL-terminated, its length in *shown (0: it only
 * joins its neighbours); returns the bytes of text that it stands for. */
static size_t show_one(const char *text, size_t len, size_t at, Escaped *escaped,
                       char out[SHOWN_MAX], size_t *shown) {
    uint32_t cp;
    size_t used = lp_utf8_decode(text + at, len - at, &cp);
    unsigned char byte = (unsigned char)text[at];
    int n;
    *shown = 0;
    if (escaped == is_not_shown && joins(text, len, at))
        return used;
    bool alone = at == 0 && escaped == is_not_shown && lp_utf8_columns(cp) == 0;
    if (cp == '\t' || cp == '\n')
        n = snprintf(out, SHOWN_MAX, "%s", cp == '\t' ? "\\t" : "\\n");
    else if (used == 1 && (byte >= 0x80 || escaped(byte)))
        n = snprintf(out, SHOWN_MAX, "\\x%02x", byte);
    else if (escaped(cp) || alone) /* a mark alone would be put on what stands before the text */
        n = snprintf(out, SHOWN_MAX, cp > 0xFFFF ? "\\U%08x" : "\\u%04x", (unsigned)cp);
    else
        n = (int)lp_utf8_encode(cp, out);
    *shown = (size_t)n;
    return used;
}

static void add_escaped(LpBuf *out, const char *text, size_t len, Escaped *escaped) {
    char shown[SHOWN_MAX];
    size_t shown_len;
    for (size_t i = 0; i < len && !out->failed;) {
        i += show_one(text, len, i, escaped, shown, &shown_len);
        lp_buf_add_bytes(out, shown, shown_len);
    }
}

void lp_str_escape(LpBuf *out, const char *text, size_t len) {
    add_escaped(out, text, len, is_not_shown);
}

static const char *skip_digits(const char *at) {
    while (*at >= '0' && *at <= '9')
        at++;
    return at;
}

/* A sign, digits, perhaps a part behind a point, perhaps a power of ten: nothing else. */
static bool is_signed_number(const char *text) {
    const char *at = text + 1, *digits = skip_digits(at);
    bool some = digits > at;
    at = digits;
    if (*at == '.') {
        digits = skip_digits(++at);
        some |= digits > at;
        at = digits;
    }
    if (some && (*at == 'e' || *at == 'E')) {
        at += at[1] == '+' || at[1] == '-' ? 2 : 1;
        digits = skip_digits(at);
        some = digits > at;
        at = digits;
    }
    return some && *at == '\0';
}

/* Would a spreadsheet compute the field instead of showing it? */
static bool is_formula(const char *text) {
    static const char *const begins[] = {
        "=", "+", "-", "@", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"};
    for (size_t i = 0; i < LP_COUNTOF(begins); i++)
        if (strncmp(text, begins[i], strlen(begins[i])) == 0)
            return !((text[0] == '+' || text[0] == '-') && is_signed_number(text));
    return false;
}

void lp_str_csv(LpBuf *out, const char *text, bool always, bool raw) {
    LpBuf safe = {0};
    if (text != NULL)
        lp_str_guard(&safe, text, strlen(text));
    const char *at = lp_buf_text(&safe);
    bool quoted = always || strpbrk(at, "\",") != NULL; /* ends of lines are escaped */
    lp_buf_add(out, quoted ? "\"" : "");
    lp_buf_add(out, !raw && is_formula(at) ? "'" : "");
    for (; *at != '\0'; at++) {
        lp_buf_add(out, *at == '"' ? "\"" : "");
        lp_buf_add_bytes(out, at, 1);
    }
    lp_buf_add(out, quoted ? "\"" : "");
    out->failed |= safe.failed;
    lp_buf_fini(&safe);
}

void lp_str_guard(LpBuf *out, const char *text, size_t len) {
    add_escaped(out, text, len, is_unsafe);
}

void lp_str_escape_lines(LpBuf *out, const char *text, size_t len) {
    for (const char *end = text + len; text < end;) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t line = newline ? (size_t)(newline - text) : (size_t)(end - text);
        lp_str_escape(out, text, line);
        if (newline)
            lp_buf_add(out, "\n");
        text += line + (newline != NULL);
    }
}

char *lp_str_show(char *dst, size_t size, const char *text) {
    static const char more[] = "\xE2\x80\xA6"; /* an ellipsis */
    const size_t more_len = sizeof more - 1;
    size_t len = text ? strlen(text) : 0, used, shown_len, at = 0, cut = 0;
    if (size == 0)
        return dst;
    for (size_t i = 0; i < len; i += used, at += shown_len) {
        char shown[SHOWN_MAX];
        used = show_one(text, len, i, is_not_shown, shown, &shown_len);
        if (at + more_len < size && !lp_utf8_is_mark(text + i, len - i))
            cut = at; /* the last place where the ellipsis still fits */
        if (at + shown_len >= size) {
            if (cut + more_len < size)
                at = cut + more_len, memcpy(dst + cut, more, more_len);
            break;
        }
        memcpy(dst + at, shown, shown_len);
    }
    dst[at] = '\0';
    return dst;
}

static void json_unit(LpBuf *out, uint32_t cp) {
    if (cp > 0xFFFF) {
        json_unit(out, 0xD800 + ((cp - 0x10000) >> 10));
        cp = 0xDC00 + ((cp - 0x10000) & 0x3FF);
    }
    lp_buf_addf(out, "\\u%04x", (unsigned)cp);
}

static void json_char(LpBuf *out, uint32_t cp) {
    static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    char text[5];
    const char *special = cp && cp < 0x80 ? strchr(plain, (int)cp) : NULL;
    if (special) {
        const char pair[] = {'\\', letters[special - plain]};
        lp_buf_add_bytes(out, pair, 2);
    } else if (is_unsafe(cp)) {
        json_unit(out, cp); /* the same string to every reader, and harmless on a terminal */
    } else {
        lp_buf_add_bytes(out, text, lp_utf8_encode(cp, text));
    }
}

void lp_str_json(LpBuf *out, const char *text) {
    size_t len = text ? strlen(text) : 0;
    lp_buf_add_bytes(out, "\"", 1);
    for (size_t i = 0; i < len && !out->failed;) {
        uint32_t cp;
        i += lp_utf8_decode(text + i, len - i, &cp);
        json_char(out, cp);
    }
    lp_buf_add_bytes(out, "\"", 1);
}

static int fold(char c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

static int min_int(int a, int b) {
    return a < b ? a : b;
}

/* Edit distance with neighbour swaps as one edit (optimal string alignment), ignoring the case of
 * ASCII letters. Both lengths at most LONGEST_NAME. */
static int edit_distance(const char *a, int na, const char *b, int nb) {
    int rows[3][LONGEST_NAME + 1] = {{0}};
    for (int j = 0; j <= nb; j++)
        rows[0][j] = j;
    for (int i = 1; i <= na; i++) {
        int *row = rows[i % 3], *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= nb; j++) {
            int same = fold(a[i - 1]) == fold(b[j - 1]);
            row[j] = min_int(min_int(row[j - 1], up[j]) + 1, up[j - 1] + !same);
            if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
                fold(a[i - 2]) == fold(b[j - 1]))
                row[j] = min_int(row[j], up2[j - 2] + 1);
        }
    }
    return rows[na % 3][nb];
}

int lp_str_nearest(const char *name, const char *const *names, size_t count) {
    int best = -1, best_distance = LONGEST_NAME + 1;
    size_t len = name ? strlen(name) : 0;
    if (len == 0 || len > LONGEST_NAME)
        return -1;
    for (size_t i = 0; i < count; i++) {
        size_t other = strlen(names[i]);
        if (other > LONGEST_NAME)
            continue;
        int distance = edit_distance(name, (int)len, names[i], (int)other);
        int longest = (int)(len > other ? len : other);
        if (distance < best_distance && distance * 3 <= longest) {
            best = (int)i;
            best_distance = distance;
        }
    }
    return best;
}

const char *lp_str_s(uint64_t count) {
    return count == 1 ? "" : "s";
}

const char *lp_str_many(char text[LP_MANY_TEXT], uint64_t count, const char *noun) {
    snprintf(text, LP_MANY_TEXT, "%llu %.40s%s", (unsigned long long)count, noun, lp_str_s(count));
    return text;
}
