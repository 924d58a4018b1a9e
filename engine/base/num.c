/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and quantities: exact text of doubles in any locale, units, and the own logarithm. */
#include "base/num.h"

#include <float.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shortest.h"
#include "base/str.h"

/* Results are IEEE doubles rounded after every operation; x87 arithmetic keeps more digits. */
_Static_assert(FLT_EVAL_METHOD == 0,
               "doubles are not evaluated as doubles: build with -msse2 -mfpmath=sse");

/* ---- logarithm ---- */

/* log(1 + f) for 1 + f in [sqrt(1/2), sqrt(2)), plus `low`, which is small. With s = f/(2 + f),
 * log(1 + f) = 2 atanh(s) = 2s + s*R, R = 2 sum s^2k/(2k + 1); and 2s = f - f^2/2 + s*f^2/2, which
 * keeps the leading terms exact instead of inheriting the rounding of s. |s| < 0.1716, so the terms
 * after k = 11 are below 2^-60. */
static double log_near_one(double f, double low) {
    static const double terms[] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11, 2.0 / 13,
                                   2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23};
    double s = f / (2.0 + f), square = s * s, series = 0.0, half = 0.5 * f * f;
    for (size_t k = LP_COUNTOF(terms); k-- > 0;)
        series = (series + terms[k]) * square;
    return f - (half - (s * (half + series) + low));
}

double lp_num_log(double x) {
    const double ln2_high = 0x1.62e42feep-1; /* 32 bits: exact times any exponent */
    const double ln2_low = 0x1.a39ef35793c76p-33;
    if (!(x > 0.0) || x > 1.7976931348623157e308)
        return x == 0.0 ? -(double)INFINITY : x > 0.0 ? x : (double)NAN;
    int exponent = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        exponent = -54;
    }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    exponent += (int)(bits >> 52) - 1023;
    bits = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x3ff0000000000000);
    memcpy(&x, &bits, sizeof x);
    if (x > 1.4142135623730951) {
        x *= 0.5;
        exponent++;
    }
    double f = x - 1.0;
    if (exponent == 0)
        return log_near_one(f, 0.0);
    return exponent * ln2_high + log_near_one(f, exponent * ln2_low);
}

/* 2 to the k, a normal number. */
static double power_of_two(int k) {
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* (exp(r) - 1 - r) / r^2 for |r| < 0.35 by Taylor's series: what follows these terms is less than
 * 2^-57. Summed in groups, which a processor works out at once. */
static double exp_series(double r) {
    static const double c[] = {1.0 / 2,       1.0 / 6,        1.0 / 24,        1.0 / 120,
                               1.0 / 720,     1.0 / 5040,     1.0 / 40320,     1.0 / 362880,
                               1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
    double square = r * r, fourth = square * square;
    double low = (c[0] + c[1] * r) + (c[2] + c[3] * r) * square;
    double middle = (c[4] + c[5] * r) + (c[6] + c[7] * r) * square;
    double high = (c[8] + c[9] * r) + (c[10] + c[11] * r) * square;
    return low + (middle + high * fourth) * fourth;
}

/* exp(k ln 2 + r) = 2^k exp(r) */
double lp_num_exp(double x) {
    const double ln2_high = 0x1.62e42feep-1; /* 32 bits: exact times any k */
    const double ln2_low = 0x1.a39ef35793c76p-33;
    if (!(x >= -746) || x > 710)
        return x < 0 ? 0.0 : x > 0 ? (double)INFINITY : x;
    int k = (int)(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
    int half = k / 2; /* in two steps, since the result may be no normal number */
    double r = (x - k * ln2_high) - k * ln2_low;
    return (1.0 + (r + r * r * exp_series(r))) * power_of_two(half) * power_of_two(k - half);
}

/* ---- plain numbers ---- */

/* Where the parts of a number lie in its text. */
typedef struct Scan {
    size_t mantissa, total; /* bytes of sign and digits; of these and the exponent */
    int exponent;           /* clamped far outside the range of doubles */
} Scan;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static size_t skip_digits(const char *text, size_t at) {
    while (is_digit(text[at]))
        at++;
    return at;
}

static void scan_exponent(const char *text, Scan *scan) {
    size_t at = scan->mantissa;
    if (text[at] != 'e' && text[at] != 'E')
        return;
    bool negative = text[++at] == '-';
    if (text[at] == '-' || text[at] == '+')
        at++;
    if (!is_digit(text[at]))
        return;
    int value = 0;
    for (; is_digit(text[at]); at++)
        if (value < 100000)
            value = value * 10 + (text[at] - '0');
    scan->exponent = negative ? -value : value;
    scan->total = at;
}

/* The longest number at the start of text; false where there is none. */
static bool scan_number(const char *text, Scan *scan) {
    size_t start = text[0] == '-' || text[0] == '+';
    size_t at = skip_digits(text, start), digits = at - start;
    if (text[at] == '.') {
        size_t end = skip_digits(text, at + 1);
        digits += end - at - 1;
        at = end;
    }
    *scan = (Scan){.mantissa = at, .total = at};
    if (digits)
        scan_exponent(text, scan);
    return digits > 0;
}

/* strtod with '.' as the point whatever the program or a library set; per thread, and no
 * allocation in practice (the C locale is built in). The text has been scanned. */
static LpErr to_double(const char *text, double *out) {
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c_locale == (locale_t)0)
        return LP_ENOMEM;
    locale_t before = uselocale(c_locale);
    *out = strtod(text, NULL);
    uselocale(before);
    freelocale(c_locale);
    return LP_OK;
}

/* Turns the locale's decimal point, possibly of several bytes, into '.'. */
static void normalise_point(char *text) {
    static const char own[] = "0123456789+-eE";
    size_t at = strspn(text, own);
    if (!text[at])
        return;
    size_t width = strcspn(text + at, own);
    text[at] = '.';
    memmove(text + at + 1, text + at + width, strlen(text + at + width) + 1);
}

/* Writes a whole number; returns how many digits. */
static int put_digits(uint64_t number, char *out) {
    char turned[24];
    int n = 0;
    do
        turned[n++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    for (int i = 0; i < n; i++)
        out[i] = turned[n - 1 - i];
    return n;
}

/* digits times 10 to `exponent` in the form of %g with as many digits of precision as are needed,
 * at least 15. */
static void print_decimal(uint64_t digits, int exponent, char *out) {
    char text[24];
    int n = put_digits(digits, text), point = exponent + n; /* digits before the point */
    int precision = n > 15 ? n : 15;
    if (point < -3 || point > precision) {
        int e = point - 1;
        *out++ = text[0];
        if (n > 1)
            *out++ = '.';
        memcpy(out, text + 1, (size_t)n - 1);
        out += n - 1;
        *out++ = 'e';
        *out++ = e < 0 ? '-' : '+';
        e = e < 0 ? -e : e;
        if (e < 10)
            *out++ = '0';
        out += put_digits((uint64_t)e, out);
    } else if (point <= 0) {
        *out++ = '0';
        *out++ = '.';
        memset(out, '0', (size_t)-point);
        out += -point;
        memcpy(out, text, (size_t)n);
        out += n;
    } else {
        int whole = point < n ? point : n;
        memcpy(out, text, (size_t)whole);
        out += whole;
        memset(out, '0', (size_t)(point - whole));
        out += point - whole;
        if (n > whole)
            *out++ = '.';
        memcpy(out, text + whole, (size_t)(n - whole));
        out += n - whole;
    }
    *out = '\0';
}

const char *lp_num_print(double value, char buf[LP_NUM_TEXT]) {
    uint64_t digits;
    int exponent;
    bool minus = signbit(value) != 0;
    double size = minus ? -value : value;
    if (!isfinite(value))
        return strcpy(buf, "null");
    buf[0] = '-';
    if (size < 0x1p53 && size == floor(size)) {
        buf[minus + put_digits((uint64_t)size, buf + minus)] = '\0';
        return buf;
    }
    if (lp_shortest(size, &digits, &exponent)) {
        print_decimal(digits, exponent, buf + minus);
        return buf;
    }
    /* a power of two, or subnormal: seldom */
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(buf, LP_NUM_TEXT, "%.*g", precision, value);
        if (strtod(buf, NULL) == value) /* the same locale wrote it */
            break;
    }
    normalise_point(buf);
    return buf;
}

enum { SHOWN = 64 };

LpErr lp_num_parse(const char *text, double *out, LpDiag *diag) {
    char shown[SHOWN];
    Scan scan;
    double value;
    if (!scan_number(text, &scan) || text[scan.total])
        return lp_fail(diag, LP_EPARSE,
                       "\"%s\" is not a number: expected one such as 12, 0.5 or 1e-9",
                       lp_str_show(shown, sizeof shown, text));
    if (to_double(text, &value) != LP_OK)
        return lp_fail_memory(diag, "reading a number");
    if (!isfinite(value))
        return lp_fail(diag, LP_EPARSE, "\"%s\" is too large: expected a number below 1.8e308",
                       lp_str_show(shown, sizeof shown, text));
    *out = value;
    return LP_OK;
}

LpErr lp_num_parse_u64(const char *text, uint64_t *out, LpDiag *diag) {
    char shown[SHOWN];
    size_t len = skip_digits(text, 0);
    if (len == 0 || text[len])
        return lp_fail(diag, LP_EPARSE,
                       "\"%s\" is not a whole number: expected decimal digits without a sign",
                       lp_str_show(shown, sizeof shown, text));
    uint64_t value = 0;
    for (size_t i = 0; i < len; i++) {
        unsigned digit = (unsigned)(text[i] - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return lp_fail(diag, LP_ERANGE, "%s is too large: expected at most %llu",
                           lp_str_show(shown, sizeof shown, text), (unsigned long long)UINT64_MAX);
        value = value * 10 + digit;
    }
    *out = value;
    return LP_OK;
}

/* ---- quantities ---- */

enum { SMALL = 1, LARGE = 2, BINARY = 4 }; /* classes of prefixes */

typedef struct Prefix {
    char text[4];
    int class; /* 0: none, fits every unit */
    int exponent;
    double factor;
} Prefix;

static const Prefix prefixes[] = {
    {"", 0, 0, 1.0},
    {"p", SMALL, -12, 1.0},
    {"n", SMALL, -9, 1.0},
    {"u", SMALL, -6, 1.0},
    {"\xC2\xB5", SMALL, -6, 1.0}, /* micro sign */
    {"\xCE\xBC", SMALL, -6, 1.0}, /* Greek mu */
    {"m", SMALL, -3, 1.0},
    {"k", LARGE, 3, 1.0},
    {"M", LARGE, 6, 1.0},
    {"G", LARGE, 9, 1.0},
    {"T", LARGE, 12, 1.0},
    {"P", LARGE, 15, 1.0},
    {"E", LARGE, 18, 1.0},
    {"Ki", BINARY, 0, 0x1p10},
    {"Mi", BINARY, 0, 0x1p20},
    {"Gi", BINARY, 0, 0x1p30},
    {"Ti", BINARY, 0, 0x1p40},
};

typedef struct Unit {
    const char *text;
    LpDimension dim;
    int classes;
    double factor; /* in SI; 0.125 and the whole numbers are exact */
} Unit;

static const Unit units[] = {
    {"s", LP_DIM_TIME, SMALL, 1.0},
    {"min", LP_DIM_TIME, 0, 60.0},
    {"h", LP_DIM_TIME, 0, 3600.0},
    {"d", LP_DIM_TIME, 0, 86400.0},
    {"B", LP_DIM_BYTES, LARGE | BINARY, 1.0},
    {"b", LP_DIM_BYTES, LARGE, 0.125},
    {"bit", LP_DIM_BYTES, LARGE, 0.125},
    {"B/s", LP_DIM_BANDWIDTH, LARGE | BINARY, 1.0},
    {"b/s", LP_DIM_BANDWIDTH, LARGE, 0.125},
    {"bit/s", LP_DIM_BANDWIDTH, LARGE, 0.125},
    {"bps", LP_DIM_BANDWIDTH, LARGE, 0.125},
    {"FLOP/s", LP_DIM_FLOPS, LARGE, 1.0},
    {"FLOPS", LP_DIM_FLOPS, LARGE, 1.0},
};

/* How messages and printed values speak of a dimension. `low` and `high` bound the decimal
 * exponents that printed prefixes stand for; prefix[0] belongs to `low`. */
typedef struct Dimension {
    const char *noun, *expected, *unit, *prefix;
    int low, high;
} Dimension;

static const Dimension dimensions[] = {
    [LP_DIM_NONE] = {"a plain number", "without a unit", "", "", 0, 0},
    [LP_DIM_TIME] = {"a time", "such as \"50 ns\" (ps, ns, us, ms, s, min, h, d; bare: s)", "s",
                     "pnum ", -12, 0},
    [LP_DIM_BYTES] = {"an amount of data",
                      "such as \"80 GB\" (B or bits b with k, M, G, T, P, E; KiB, MiB, GiB, TiB; "
                      "bare: B)",
                      "B", " kMGTPE", 0, 18},
    [LP_DIM_BANDWIDTH] = {"a bandwidth",
                          "such as \"1.6 TB/s\" (B/s or bits b/s with k, M, G, T, P, E; KiB/s to "
                          "TiB/s; bare: B/s)",
                          "B/s", " kMGTPE", 0, 18},
    [LP_DIM_FLOPS] = {"a compute rate",
                      "such as \"312 TFLOP/s\" (FLOP/s with k, M, G, T, P, E; bare: FLOP/s)",
                      "FLOP/s", " kMGTPE", 0, 18},
};

static bool same_text(const char *text, size_t len, const char *other) {
    return strlen(other) == len && memcmp(text, other, len) == 0;
}

static const Prefix *find_prefix(const char *text, size_t len, int classes) {
    for (size_t i = 0; i < LP_COUNTOF(prefixes); i++) {
        const Prefix *prefix = &prefixes[i];
        if ((!prefix->class || prefix->class & classes) && same_text(text, len, prefix->text))
            return prefix;
    }
    return NULL;
}

/* The unit and prefix that text[0..len) spells, or NULL. */
static const Unit *find_unit(const char *text, size_t len, const Prefix **prefix) {
    for (size_t i = 0; i < LP_COUNTOF(units); i++) {
        size_t size = strlen(units[i].text);
        if (len < size || !same_text(text + len - size, size, units[i].text))
            continue;
        *prefix = find_prefix(text, len - size, units[i].classes);
        if (*prefix)
            return &units[i];
    }
    return NULL;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static LpErr fail_quantity(const char *text, LpDimension dim, const Unit *unit, LpDiag *diag) {
    char shown[SHOWN];
    const Dimension *want = &dimensions[dim];
    lp_str_show(shown, sizeof shown, text);
    if (unit)
        return lp_fail(diag, LP_EPARSE, "\"%s\" is %s: expected %s %s", shown,
                       dimensions[unit->dim].noun, want->noun, want->expected);
    return lp_fail(diag, LP_EPARSE, "\"%s\" is not a number: expected %s %s", shown, want->noun,
                   want->expected);
}

static LpErr fail_unit(const char *text, const char *unit, size_t len, LpDimension dim,
                       LpDiag *diag) {
    char shown[SHOWN], name[SHOWN], cut[SHOWN];
    lp_str_copy(cut, len < sizeof cut ? len + 1 : sizeof cut, unit);
    return lp_fail(diag, LP_EPARSE, "unknown unit \"%s\" in \"%s\": expected %s %s",
                   lp_str_show(name, sizeof name, cut), lp_str_show(shown, sizeof shown, text),
                   dimensions[dim].noun, dimensions[dim].expected);
}

/* A mantissa longer than this says nothing a double can hold. */
enum { MANTISSA_MAX = 200 };

/* The value of the mantissa with another decimal exponent: moving the point in the text, not
 * multiplying, is what makes "50 ns" the double nearest to 50e-9. */
static LpErr scaled_value(const char *mantissa, size_t len, int exponent, double *out) {
    char text[MANTISSA_MAX + 24];
    snprintf(text, sizeof text, "%.*se%d", (int)len, mantissa, exponent);
    return to_double(text, out);
}

LpErr lp_quantity_parse(const char *text, LpDimension dim, double *out, LpDiag *diag) {
    static const Unit no_unit = {"", LP_DIM_NONE, 0, 1.0};
    const Unit *unit = &no_unit;
    const Prefix *prefix = &prefixes[0];
    const char *number = text;
    Scan scan;
    while (is_blank(*number))
        number++;
    if (!scan_number(number, &scan) || scan.mantissa > MANTISSA_MAX)
        return fail_quantity(text, dim, NULL, diag);
    const char *name = number + scan.total;
    while (is_blank(*name))
        name++;
    size_t len = strlen(name);
    while (len > 0 && is_blank(name[len - 1]))
        len--;
    if (len > 0 && !(unit = find_unit(name, len, &prefix)))
        return fail_unit(text, name, len, dim, diag);
    if (len > 0 && unit->dim != dim)
        return fail_quantity(text, dim, unit, diag);
    double value;
    if (scaled_value(number, scan.mantissa, scan.exponent + prefix->exponent, &value) != LP_OK)
        return lp_fail_memory(diag, "reading a quantity");
    value *= prefix->factor * unit->factor;
    if (!isfinite(value)) {
        char shown[SHOWN];
        return lp_fail(diag, LP_ERANGE, "\"%s\" is too large: expected less than 1.8e308",
                       lp_str_show(shown, sizeof shown, text));
    }
    *out = value;
    return LP_OK;
}

/* value rounded to `digits` + 1 significant decimal digits and scaled by a power of ten that is a
 * multiple of three within [low, high], which goes to *group. Rounding first means that 999.7 B is
 * "1 kB", never "1000 B". */
static double round_to_group(double value, int digits, int low, int high, int *group) {
    char text[LP_NUM_TEXT];
    snprintf(text, sizeof text, "%.*e", digits, value);
    normalise_point(text);
    size_t mantissa = strcspn(text, "e");
    int exponent = (int)strtol(text + mantissa + 1, NULL, 10);
    *group = (exponent >= 0 ? exponent / 3 : -((2 - exponent) / 3)) * 3;
    *group = *group > high ? high : *group < low ? low : *group;
    double scaled;
    if (scaled_value(text, mantissa, exponent - *group, &scaled) != LP_OK)
        return value;
    return scaled;
}

static const char *print_with(double value, const char *prefix, const char *unit, char *buf,
                              size_t size) {
    char number[LP_NUM_TEXT], text[2 * LP_NUM_TEXT];
    lp_num_print(value, number);
    snprintf(text, sizeof text, "%s%s%s%s", number, *unit ? " " : "", prefix, unit);
    return lp_str_copy(buf, size, text);
}

const char *lp_quantity_print(double value, LpDimension dim, char *buf, size_t size) {
    const Dimension *form = &dimensions[dim];
    double magnitude = value < 0.0 ? -value : value;
    int group;
    if (value != value)
        return lp_str_copy(buf, size, "n/a");
    if (!isfinite(value)) {
        char text[LP_NUM_TEXT];
        snprintf(text, sizeof text, "%sinf%s%s", value < 0.0 ? "-" : "", *form->unit ? " " : "",
                 form->unit);
        return lp_str_copy(buf, size, text);
    }
    if (dim == LP_DIM_NONE && magnitude < 0x1p53 && value == floor(value))
        return print_with(value, "", "", buf, size);
    if (dim == LP_DIM_NONE)
        return print_with(round_to_group(value, 3, 0, 0, &group), "", "", buf, size);
    if (dim == LP_DIM_TIME && magnitude >= 1e6)
        return print_with(round_to_group(value / 86400.0, 2, 0, 0, &group), "", "d", buf, size);
    if (dim == LP_DIM_TIME && magnitude >= 999.5)
        return print_with(floor(value + 0.5), "", "s", buf, size);
    double scaled = round_to_group(value, 2, form->low, form->high, &group);
    char letter[] = {form->prefix[(group - form->low) / 3], '\0'};
    return print_with(scaled, letter[0] == ' ' ? "" : letter, form->unit, buf, size);
}

/* ---- grids ---- */

double lp_num_power_of_ten(int decimals) {
    double power = 1.0;
    while (decimals-- > 0)
        power *= 10.0; /* exact up to 10^22 */
    return power;
}

double lp_num_grid(double value, int decimals) {
    return floor(value * lp_num_power_of_ten(decimals) + 0.5);
}

double lp_num_round(double value, int decimals) {
    return lp_num_grid(value, decimals) / lp_num_power_of_ten(decimals);
}

double lp_num_calm(double value) {
    enum { DECIMALS = 9 };
    double near = lp_num_round(value, DECIMALS), size = fabs(value) > 1 ? fabs(value) : 1;
    return fabs(value - near) <= LP_NUM_TIE * size ? near : value;
}

const char *lp_span_print(double seconds, char out[LP_SPAN_TEXT]) {
    static const struct {
        double unit, low;
        const char *name, *low_name;
    } rows[] = {{86400, 3600, "d", "h"}, {3600, 60, "h", "min"}, {60, 1, "min", "s"}};
    if (seconds < 59.95) {
        snprintf(out, LP_SPAN_TEXT, "%.3g s", seconds);
        return out;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double low = floor(seconds / rows[i].low + .5) * rows[i].low;
        if (low < rows[i].unit)
            continue;
        double whole = floor(low / rows[i].unit);
        double rest = floor((low - whole * rows[i].unit) / rows[i].low + .5);
        if (rest > 0)
            snprintf(out, LP_SPAN_TEXT, "%.0f %s %.0f %s", whole, rows[i].name, rest,
                     rows[i].low_name);
        else
            snprintf(out, LP_SPAN_TEXT, "%.0f %s", whole, rows[i].name);
        return out;
    }
    return out;
}
