/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of base/num: the logarithm, exact printing and parsing in any locale, units. */
#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/num.h"
#include "base/rng.h"
#include "group.h"

/* ---- logarithm ---- */

static double worst_log_error(LpRng *rng, double (*draw)(LpRng *rng), int count) {
    double worst = 0;
    for (int i = 0; i < count; i++) {
        double x = draw(rng);
        long double want = logl((long double)x);
        double near = fabs((double)want), ulp = nextafter(near, (double)INFINITY) - near;
        double error = fabs((double)((long double)lp_num_log(x) - want)) / ulp;
        if (!(error <= worst))
            worst = error;
    }
    return worst;
}

static double any_positive_double(LpRng *rng) {
    uint64_t bits = lp_rng_below(rng, UINT64_C(0x7ff0000000000000) - 1) + 1;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double unit_draw(LpRng *rng) {
    return 1.0 - lp_rng_unit(rng);
}

static double around_one(LpRng *rng) {
    double offset = (lp_rng_unit(rng) - 0.5) * ldexp(1.0, -(int)lp_rng_below(rng, 50));
    return 1.0 + offset;
}

static double subnormal(LpRng *rng) {
    return (double)(lp_rng_below(rng, UINT64_C(1) << 51) + 1) * 0x1p-1074;
}

static void log_is_within_two_ulp(void **state) {
    (void)state;
    double (*const draws[])(LpRng * rng) = {any_positive_double, unit_draw, around_one, subnormal};
    LpRng rng = lp_rng_stream(1, "log", 0);
    for (size_t i = 0; i < LP_COUNTOF(draws); i++) {
        double worst = worst_log_error(&rng, draws[i], 200000);
        if (!(worst <= 2.0))
            fail_msg("family %zu: %g ulp", i, worst);
    }
}

static void exp_is_within_two_ulp(void **state) {
    (void)state;
    const double spans[] = {1e-10, 1e-3, 1, 20, 700};
    LpRng rng = lp_rng_stream(1, "exp", 0);
    for (int i = 0; i < 500000; i++) {
        double x = spans[i % 5] * (2 * lp_rng_unit(&rng) - 1), near = lp_num_exp(x);
        long double want = expl((long double)x);
        double error = (double)fabsl(((long double)near - want) /
                                     (long double)(nextafter(near, (double)INFINITY) - near));
        if (!(error <= 2.0))
            fail_msg("exp(%.17g) = %.17g is %g ulp off", x, near, error);
    }
}

static void exp_at_the_edges(void **state) {
    (void)state;
    assert_true(lp_num_exp(0.0) == 1.0 && lp_num_exp(-0.0) == 1.0);
    /* pinned: the first is 0.7 ulp off, the others are the nearest doubles */
    assert_true(lp_num_exp(1.0) == 0x1.5bf0a8b14576ap+1);
    assert_true(lp_num_exp(-1.0) == 0x1.78b56362cef38p-2);
    assert_true(lp_num_exp(-20.0) == 0x1.1b48655f37267p-29);
    assert_true(fabs(lp_num_exp(709.78) / 1.7928227943945155e+308 - 1) < 1e-12);
    assert_true(lp_num_exp(709.8) == (double)INFINITY && lp_num_exp(1e300) == (double)INFINITY);
    assert_true(lp_num_exp(-745.1) == 0x1p-1074 && lp_num_exp(-745.2) == 0.0);
    assert_true(lp_num_exp(-1e300) == 0.0 && lp_num_exp(-(double)INFINITY) == 0.0);
    assert_true(lp_num_exp((double)INFINITY) == (double)INFINITY);
    assert_true(isnan(lp_num_exp((double)NAN)));
}

static void log_at_the_edges(void **state) {
    (void)state;
    assert_true(lp_num_log(1.0) == 0.0 && !signbit(lp_num_log(1.0)));
    assert_true(lp_num_log(2.0) == 0x1.62e42fefa39efp-1);
    assert_true(fabs(lp_num_log(DBL_MAX) - 709.782712893384) < 1e-12);
    assert_true(fabs(lp_num_log(DBL_MIN) + 708.3964185322641) < 1e-12);
    assert_true(fabs(lp_num_log(0x1p-1074) + 744.4400719213812) < 1e-12);
    assert_true(lp_num_log(0.0) == -(double)INFINITY);
    assert_true(lp_num_log((double)INFINITY) == (double)INFINITY);
    assert_true(isnan(lp_num_log(-1.0)));
    assert_true(isnan(lp_num_log((double)NAN)));
}

static void log_has_golden_bits(void **state) {
    (void)state;
    /* Pinned results (the last one is 0.6 ulp off, the others are the nearest doubles): any change
     * of the arithmetic changes every run that draws an exponential, and must show. */
    assert_true(lp_num_log(0.1) == -0x1.26bb1bbb55515p+1);
    assert_true(lp_num_log(10.0) == 0x1.26bb1bbb55516p+1);
    assert_true(lp_num_log(0.5) == -0x1.62e42fefa39efp-1);
    assert_true(lp_num_log(1e-300) == -0x1.5963447f87fb5p+9);
    assert_true(lp_num_log(3.0) == 0x1.193ea7aad030ap+0);
}

/* ---- printing and parsing ---- */

static void print_has_fixed_texts(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {0.0, "0"},
        {-0.0, "-0"},
        {1.0, "1"},
        {-17.0, "-17"},
        {0.1, "0.1"},
        {0.3, "0.3"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1.0 / 3.0, "0.3333333333333333"},
        {5e-8, "5e-08"},
        {1e-5, "1e-05"},
        {9170.04, "9170.04"},
        {1.6e12, "1600000000000"},
        {-1e15, "-1000000000000000"},
        {9007199254740991.0, "9007199254740991"},
        {9007199254740992.0, "9007199254740992"},
        {1e22, "1e+22"},
        {1e300, "1e+300"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {-DBL_MIN, "-2.2250738585072014e-308"},
        {0x1p-1074, "4.94065645841247e-324"},
    };
    for (size_t i = 0; i < LP_COUNTOF(rows); i++) {
        char buf[LP_NUM_TEXT];
        assert_ptr_equal(lp_num_print(rows[i].value, buf), buf);
        assert_string_equal(buf, rows[i].text);
    }
}

static void print_of_no_number_is_null(void **state) {
    (void)state;
    char buf[LP_NUM_TEXT];
    assert_string_equal(lp_num_print((double)NAN, buf), "null");
    assert_string_equal(lp_num_print((double)INFINITY, buf), "null");
    assert_string_equal(lp_num_print(-(double)INFINITY, buf), "null");
}

static void check_round_trip(double value) {
    char buf[LP_NUM_TEXT];
    double back = 0;
    memset(buf, '?', sizeof buf);
    lp_num_print(value, buf);
    if (!memchr(buf, '\0', sizeof buf) || lp_num_parse(buf, &back, NULL) != LP_OK ||
        memcmp(&back, &value, sizeof value) != 0)
        fail_msg("%a printed as %.31s", value, buf);
}

static void a_million_doubles_round_trip(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(1, "round trip", 0);
    for (int i = 0; i < 1000000;) {
        uint64_t bits = lp_rng_u64(&rng);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (i % 4 == 1)
            value = lp_rng_unit(&rng);
        else if (i % 4 == 2)
            value = (double)lp_rng_below(&rng, 1000000000) / 1000.0;
        if (!isfinite(value))
            continue;
        check_round_trip(value);
        i++;
    }
}

/* A value from one of the families in which printing is hard: any bits, few decimals, few bits,
 * next to a power of ten or of two, sums of tenths. */
static double draw_hard(LpRng *rng, int family) {
    uint64_t bits = lp_rng_u64(rng);
    double value = 0, small = (double)lp_rng_below(rng, 1000000);
    switch (family) {
    case 0:
        memcpy(&value, &bits, sizeof value);
        return value;
    case 1:
        return (double)(bits >> (11 + lp_rng_below(rng, 40))) /
               pow(10, (double)lp_rng_below(rng, 30));
    case 2:
        return ldexp((double)(bits >> (11 + lp_rng_below(rng, 50))),
                     (int)lp_rng_below(rng, 200) - 150);
    case 3:
    case 4:
        value = family == 3 ? pow(10, (double)lp_rng_below(rng, 600) - 300)
                            : ldexp(1, (int)lp_rng_below(rng, 2000) - 1000);
        memcpy(&bits, &value, sizeof bits);
        bits += lp_rng_below(rng, 21) - 10;
        memcpy(&value, &bits, sizeof value);
        return value;
    default:
        for (uint64_t i = lp_rng_below(rng, 20); i > 0; i--)
            value += 0.1 * small;
        return value * 1e-3;
    }
}

/* The digits and their layout are those of the first of %.15g, %.16g, %.17g that reads back.
 * NUMBERS=N: so many. */
static void prints_the_first_precision_that_reads_back(void **state) {
    const char *count = getenv("NUMBERS");
    long many = count != NULL ? strtol(count, NULL, 10) : 100000;
    LpRng rng = lp_rng_stream(1, "shortest", 0);
    (void)state;
    for (long i = 0; i < many; i++) {
        char want[LP_NUM_TEXT + 32], buf[LP_NUM_TEXT];
        double value = draw_hard(&rng, (int)(i % 6));
        if (!isfinite(value))
            continue;
        if (fabs(value) < 0x1p53 && value == floor(value))
            snprintf(want, sizeof want, "%.0f", value);
        else
            for (int precision = 15; precision <= 17; precision++) {
                snprintf(want, sizeof want, "%.*g", precision, value);
                if (strtod(want, NULL) == value)
                    break;
            }
        if (strcmp(lp_num_print(value, buf), want) != 0)
            fail_msg("%a is %s, expected %s", value, buf, want);
    }
}

static void parse_takes_numbers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
    } rows[] = {
        {"0", 0.0},
        {"-0", -0.0},
        {"12", 12.0},
        {"+7", 7.0},
        {"007", 7.0},
        {".5", 0.5},
        {"5.", 5.0},
        {"-0.25", -0.25},
        {"1e5", 1e5},
        {"1E+5", 1e5},
        {"1e-9", 1e-9},
        {"1.7976931348623157e308", DBL_MAX},
        {"4.9e-324", 0x1p-1074},
        {"1e-999", 0.0},
        {"1e-99999999999999999999", 0.0},
        {"0e99999999999999999999", 0.0},
        /* half way between two doubles and a hair above: only correct rounding tells them apart */
        {"9007199254740993", 9007199254740992.0},
        {"9007199254740993.00000000000000000000000000000001", 9007199254740994.0},
        {"2.2250738585072011e-308", 0x0.fffffffffffffp-1022},
    };
    for (size_t i = 0; i < LP_COUNTOF(rows); i++) {
        double value = 99;
        LpDiag diag = {0};
        assert_int_equal(lp_num_parse(rows[i].text, &value, &diag), LP_OK);
        assert_memory_equal(&value, &rows[i].value, sizeof value);
    }
}

static void parse_refuses_the_rest(void **state) {
    (void)state;
    static const char *const bad[] = {
        "",       " ",    " 1",       "1 ",   "1,5",   "1.5.2", ".",    "-",        "+",
        "e5",     "1e",   "1e+",      "--1",  "+-1",   "0x10",  "1f",   "nan",      "NaN",
        "inf",    "-inf", "Infinity", "null", "1\n",   "1_000", "1e5s", "1e999",    "-1e309",
        "1.0e+x", "½",    "١٢",       "1d5",  "1.5 s", "1 000", "1'0",  "1.8e308x",
    };
    for (size_t i = 0; i < LP_COUNTOF(bad); i++) {
        double value = 42;
        LpDiag diag = {0};
        if (lp_num_parse(bad[i], &value, &diag) != LP_EPARSE)
            fail_msg("\"%s\" was not refused", bad[i]);
        assert_int_equal(diag.code, LP_EPARSE);
        assert_non_null(strstr(diag.text, "expected"));
        assert_true(value == 42);
        assert_int_equal(lp_num_parse(bad[i], &value, NULL), LP_EPARSE);
    }
}

static void parse_quotes_safely(void **state) {
    (void)state;
    double value;
    LpDiag diag = {0};
    char text[5000];
    memset(text, 'z', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    memcpy(text, "\x1b[31m", 5);
    assert_int_equal(lp_num_parse(text, &value, &diag), LP_EPARSE);
    assert_null(strchr(diag.text, '\x1b'));
    assert_non_null(strstr(diag.text, "\\x1b[31mzzz"));
    assert_non_null(strstr(diag.text, "\xE2\x80\xA6\" is not a number"));
    assert_true(strlen(diag.text) < 200);
}

static void parse_reads_very_long_numbers(void **state) {
    (void)state;
    char text[3000];
    double value = 0;
    memset(text, '0', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    text[0] = '7';
    text[1] = '.';
    assert_int_equal(lp_num_parse(text, &value, NULL), LP_OK);
    assert_true(value == 7.0);
    memset(text, '9', sizeof text - 1);
    assert_int_equal(lp_num_parse(text, &value, NULL), LP_EPARSE);
    assert_true(value == 7.0);
}

static void whole_numbers(void **state) {
    (void)state;
    uint64_t value = 1;
    assert_int_equal(lp_num_parse_u64("0", &value, NULL), LP_OK);
    assert_true(value == 0);
    assert_int_equal(lp_num_parse_u64("0042", &value, NULL), LP_OK);
    assert_true(value == 42);
    assert_int_equal(lp_num_parse_u64("18446744073709551615", &value, NULL), LP_OK);
    assert_true(value == UINT64_MAX);
    value = 5;
    LpDiag diag = {0};
    assert_int_equal(lp_num_parse_u64("18446744073709551616", &value, &diag), LP_ERANGE);
    assert_non_null(strstr(diag.text, "18446744073709551615"));
    assert_int_equal(lp_num_parse_u64("99999999999999999999999", &value, NULL), LP_ERANGE);
    static const char *const bad[] = {"",    "-1",  "+1",  " 1",  "1 ",
                                      "1.0", "1e3", "0x1", "ten", "1,0"};
    for (size_t i = 0; i < LP_COUNTOF(bad); i++) {
        assert_int_equal(lp_num_parse_u64(bad[i], &value, &diag), LP_EPARSE);
        assert_non_null(strstr(diag.text, "expected"));
    }
    assert_true(value == 5);
}

/* ---- quantities ---- */

typedef struct Row {
    const char *text;
    double value;
} Row;

static void check_rows(const Row *rows, size_t count, LpDimension dim) {
    for (size_t i = 0; i < count; i++) {
        double value = -77;
        LpDiag diag = {0};
        if (lp_quantity_parse(rows[i].text, dim, &value, &diag) != LP_OK)
            fail_msg("\"%s\": %s", rows[i].text, diag.text);
        if (memcmp(&value, &rows[i].value, sizeof value) != 0)
            fail_msg("\"%s\" is %.17g, not %.17g", rows[i].text, value, rows[i].value);
    }
}

static void times(void **state) {
    (void)state;
    static const Row rows[] = {
        {"50 ns", 5e-08},
        {"0.1 us", 1e-7},
        {"10 us", 1e-5},
        {"10 ms", 0.01},
        {"1 ps", 1e-12},
        {"20ns", 2e-8},
        {"100 ns", 1e-7},
        {"0.3 ms", 3e-4},
        {"1.1 us", 1.1e-6},
        {"7 \xC2\xB5s", 7e-6},
        {"7 \xCE\xBCs", 7e-6},
        {"183 s", 183},
        {"2 min", 120},
        {"3 h", 10800},
        {"1.5 h", 5400},
        {"2 d", 172800},
        {"1e5 s", 1e5},
        {"1e5", 1e5},
        {"0", 0},
        {"-3 ms", -3e-3},
        {"1e3 ms", 1},
        {"2.5E-3us", 2.5e-9},
        {"  4 \t s  ", 4},
        {".5 ms", 5e-4},
        {"5. ms", 5e-3},
        {"1e-400 s", 0},
        {"0.000123e3 ns", 1.23e-10},
        {"-0 s", -0.0},
    };
    check_rows(rows, LP_COUNTOF(rows), LP_DIM_TIME);
}

static void amounts_of_data(void **state) {
    (void)state;
    static const Row rows[] = {
        {"80 GB", 80e9},      {"1 kB", 1000},     {"5EB", 5e18},
        {"1e3 MB", 1e9},      {"2 PB", 2e15},     {"12", 12},
        {"1 B", 1},           {"8 b", 1},         {"12 bit", 1.5},
        {"1 Gb", 125e6},      {"1 Mbit", 125e3},  {"4 KiB", 4096},
        {"1.5 MiB", 1572864}, {"64 GiB", 0x1p36}, {"1 TiB", 0x1p40},
        {"0.1 GB", 1e8},      {"5E", 0},
    };
    check_rows(rows, LP_COUNTOF(rows) - 1, LP_DIM_BYTES);
    double value = 1;
    assert_int_equal(lp_quantity_parse("5E", LP_DIM_BYTES, &value, NULL), LP_EPARSE);
}

static void bandwidths(void **state) {
    (void)state;
    static const Row rows[] = {
        {"1.6 TB/s", 1.6e12}, {"12.8 Tb/s", 1.6e12}, {"12.8 Tbit/s", 1.6e12}, {"12.8 Tbps", 1.6e12},
        {"100 Gb/s", 12.5e9}, {"1 B/s", 1},          {"1 GiB/s", 0x1p30},     {"300 GB/s", 300e9},
        {"8 b/s", 1},         {"0.1 TB/s", 1e11},    {"1.6e12", 1.6e12},      {"1 EB/s", 1e18},
    };
    check_rows(rows, LP_COUNTOF(rows), LP_DIM_BANDWIDTH);
}

static void rates_and_plain_numbers(void **state) {
    (void)state;
    static const Row rates[] = {
        {"312 TFLOP/s", 312e12}, {"19.5TFLOPS", 19.5e12}, {"1 FLOP/s", 1}, {"2 PFLOP/s", 2e15}};
    static const Row plain[] = {{"0.43", 0.43}, {"-2", -2}, {" 16 ", 16}, {"1e3", 1000}};
    check_rows(rates, LP_COUNTOF(rates), LP_DIM_FLOPS);
    check_rows(plain, LP_COUNTOF(plain), LP_DIM_NONE);
}

/* A decimal prefix and the same power of ten in the number are the same double. */
static void prefixes_are_exact(void **state) {
    (void)state;
    static const struct {
        const char *prefix;
        LpDimension dim;
        const char *unit;
        int exponent;
    } rows[] = {
        {"n", LP_DIM_TIME, "s", -9},  {"u", LP_DIM_TIME, "s", -6},
        {"m", LP_DIM_TIME, "s", -3},  {"k", LP_DIM_BYTES, "B", 3},
        {"G", LP_DIM_BYTES, "B", 9},  {"T", LP_DIM_BANDWIDTH, "B/s", 12},
        {"E", LP_DIM_BYTES, "B", 18},
    };
    LpRng rng = lp_rng_stream(1, "prefix", 0);
    for (int i = 0; i < 20000; i++) {
        size_t k = (size_t)lp_rng_below(&rng, LP_COUNTOF(rows));
        unsigned whole = (unsigned)lp_rng_below(&rng, 1000);
        unsigned fraction = (unsigned)lp_rng_below(&rng, 1000);
        char with_unit[64], with_exponent[64];
        snprintf(with_unit, sizeof with_unit, "%u.%03u %s%s", whole, fraction, rows[k].prefix,
                 rows[k].unit);
        snprintf(with_exponent, sizeof with_exponent, "%u.%03ue%d", whole, fraction,
                 rows[k].exponent);
        double a = 0, b = 1;
        assert_int_equal(lp_quantity_parse(with_unit, rows[k].dim, &a, NULL), LP_OK);
        assert_int_equal(lp_num_parse(with_exponent, &b, NULL), LP_OK);
        if (!(a == b))
            fail_msg("%s is not %s", with_unit, with_exponent);
    }
}

static void check_message(const char *text, LpDimension dim, LpErr err, const char *message) {
    double value = 42;
    LpDiag diag = {0};
    assert_int_equal(lp_quantity_parse(text, dim, &value, &diag), err);
    assert_int_equal(diag.code, err);
    assert_true(value == 42);
    assert_string_equal(diag.text, message);
    assert_int_equal(lp_quantity_parse(text, dim, &value, NULL), err);
}

static void messages_name_the_units(void **state) {
    (void)state;
#define TIMES "such as \"50 ns\" (ps, ns, us, ms, s, min, h, d; bare: s)"
    check_message("5 parsec", LP_DIM_TIME, LP_EPARSE,
                  "unknown unit \"parsec\" in \"5 parsec\": expected a time " TIMES);
    check_message("80 GB", LP_DIM_TIME, LP_EPARSE,
                  "\"80 GB\" is an amount of data: expected a time " TIMES);
    check_message("", LP_DIM_TIME, LP_EPARSE, "\"\" is not a number: expected a time " TIMES);
    check_message("ms", LP_DIM_TIME, LP_EPARSE, "\"ms\" is not a number: expected a time " TIMES);
#undef TIMES
    check_message(
        "10 ms", LP_DIM_BYTES, LP_EPARSE,
        "\"10 ms\" is a time: expected an amount of data such as \"80 GB\" (B or bits b with "
        "k, M, G, T, P, E; KiB, MiB, GiB, TiB; bare: B)");
    check_message(
        "1.6 TB", LP_DIM_BANDWIDTH, LP_EPARSE,
        "\"1.6 TB\" is an amount of data: expected a bandwidth such as \"1.6 TB/s\" (B/s or "
        "bits b/s with k, M, G, T, P, E; KiB/s to TiB/s; bare: B/s)");
    check_message(
        "3 GB/s", LP_DIM_FLOPS, LP_EPARSE,
        "\"3 GB/s\" is a bandwidth: expected a compute rate such as \"312 TFLOP/s\" (FLOP/s "
        "with k, M, G, T, P, E; bare: FLOP/s)");
    check_message("3 s", LP_DIM_NONE, LP_EPARSE,
                  "\"3 s\" is a time: expected a plain number without a unit");
    check_message("1e309 s", LP_DIM_TIME, LP_ERANGE,
                  "\"1e309 s\" is too large: expected less than 1.8e308");
    check_message("1e308 h", LP_DIM_TIME, LP_ERANGE,
                  "\"1e308 h\" is too large: expected less than 1.8e308");
}

static void nonsense_is_refused(void **state) {
    (void)state;
    static const char *const bad[] = {
        "1 km",   "1 kS",   "1 S",   "1 Ms",  "1 ks",    "1 m",    "1 mmin", "1 kh",
        "1 s s",  "1 s/s",  "1 2 s", "1,5 s", "s 1",     "1 m s",  "nan",    "inf s",
        "0x10 s", "1e s",   "- 1 s", "1 sec", "1--s",    "1 \x01", "1 s\n",  "1 ns;",
        "1 n",    "1 \xFF", ".",     "- s",   "1 us us", "1 usus",
    };
    static const char *const bad_bytes[] = {"1 KB",  "1 mB",  "1 gb",  "1 Kib", "1 Gi", "1 iB",
                                            "1 EiB", "1 kkB", "1 GBs", "1 BB",  "1 G",  "1 GB/"};
    double value = 42;
    for (size_t i = 0; i < LP_COUNTOF(bad); i++)
        if (lp_quantity_parse(bad[i], LP_DIM_TIME, &value, NULL) != LP_EPARSE)
            fail_msg("\"%s\" passed as a time", bad[i]);
    for (size_t i = 0; i < LP_COUNTOF(bad_bytes); i++)
        if (lp_quantity_parse(bad_bytes[i], LP_DIM_BYTES, &value, NULL) != LP_EPARSE)
            fail_msg("\"%s\" passed as bytes", bad_bytes[i]);
    assert_true(value == 42);
}

static void overlong_quantities_are_refused(void **state) {
    (void)state;
    char text[4000];
    double value = 42;
    LpDiag diag = {0};
    memset(text, '1', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(lp_quantity_parse(text, LP_DIM_TIME, &value, &diag), LP_EPARSE);
    memset(text + 1, 'x', sizeof text - 2);
    assert_int_equal(lp_quantity_parse(text, LP_DIM_TIME, &value, &diag), LP_EPARSE);
    assert_non_null(strstr(diag.text, "unknown unit \"xxxx"));
    memset(text + 1, '0', 200 - 1); /* exactly the longest number that is read */
    text[200] = '\0';
    assert_int_equal(lp_quantity_parse(text, LP_DIM_TIME, &value, NULL), LP_OK);
    assert_true(value == 1e199);
    text[200] = '0';
    text[201] = '\0';
    value = 42;
    assert_int_equal(lp_quantity_parse(text, LP_DIM_TIME, &value, NULL), LP_EPARSE);
    assert_true(value == 42);
}

static void quantities_print_for_people(void **state) {
    (void)state;
    static const struct {
        double value;
        LpDimension dim;
        const char *text;
    } rows[] = {
        {0.0, LP_DIM_TIME, "0 s"},
        {183.4, LP_DIM_TIME, "183 s"},
        {0.001834, LP_DIM_TIME, "1.83 ms"},
        {5e-8, LP_DIM_TIME, "50 ns"},
        {1e-5, LP_DIM_TIME, "10 us"},
        {2e-12, LP_DIM_TIME, "2 ps"},
        {1e-15, LP_DIM_TIME, "0.001 ps"},
        {0.9996, LP_DIM_TIME, "1 s"},
        {0.0009996, LP_DIM_TIME, "1 ms"},
        {999.4, LP_DIM_TIME, "999 s"},
        {999.5, LP_DIM_TIME, "1000 s"},
        {9170.04, LP_DIM_TIME, "9170 s"},
        {36668.35, LP_DIM_TIME, "36668 s"},
        {1e6, LP_DIM_TIME, "11.6 d"},
        {1e12, LP_DIM_TIME, "11600000 d"},
        {-0.25, LP_DIM_TIME, "-250 ms"},
        {0.0, LP_DIM_BYTES, "0 B"},
        {80e9, LP_DIM_BYTES, "80 GB"},
        {999.7, LP_DIM_BYTES, "1 kB"},
        {999.4, LP_DIM_BYTES, "999 B"},
        {0.5, LP_DIM_BYTES, "0.5 B"},
        {1234567.0, LP_DIM_BYTES, "1.23 MB"},
        {5e21, LP_DIM_BYTES, "5000 EB"},
        {1.6e12, LP_DIM_BANDWIDTH, "1.6 TB/s"},
        {12.5e9, LP_DIM_BANDWIDTH, "12.5 GB/s"},
        {312e12, LP_DIM_FLOPS, "312 TFLOP/s"},
        {0.831249, LP_DIM_NONE, "0.8312"},
        {1e6, LP_DIM_NONE, "1000000"},
        {-12.34567, LP_DIM_NONE, "-12.35"},
        {1e-7, LP_DIM_NONE, "1e-07"},
        {(double)NAN, LP_DIM_TIME, "n/a"},
        {(double)INFINITY, LP_DIM_TIME, "inf s"},
        {-(double)INFINITY, LP_DIM_NONE, "-inf"},
    };
    for (size_t i = 0; i < LP_COUNTOF(rows); i++) {
        char buf[64];
        assert_ptr_equal(lp_quantity_print(rows[i].value, rows[i].dim, buf, sizeof buf), buf);
        assert_string_equal(buf, rows[i].text);
    }
}

static void printed_quantities_fit_and_read_back(void **state) {
    (void)state;
    static const LpDimension dims[] = {LP_DIM_NONE, LP_DIM_TIME, LP_DIM_BYTES, LP_DIM_BANDWIDTH,
                                       LP_DIM_FLOPS};
    LpRng rng = lp_rng_stream(1, "print", 0);
    for (int i = 0; i < 20000; i++) {
        LpDimension dim = dims[i % 5];
        double value = any_positive_double(&rng), back = 0;
        char buf[64];
        lp_quantity_print(value, dim, buf, sizeof buf);
        if (lp_quantity_parse(buf, dim, &back, NULL) == LP_ERANGE && value > 1.79e308)
            continue; /* rounded up beyond the largest double */
        if (value > 1e-300 && !(fabs(back - value) <= 0.00501 * value))
            fail_msg("%g printed as %s", value, buf);
    }
    char small[5];
    assert_string_equal(lp_quantity_print(80e9, LP_DIM_BYTES, small, sizeof small), "80 G");
    assert_string_equal(lp_quantity_print(80e9, LP_DIM_BYTES, small, 1), "");
    small[0] = 'x';
    lp_quantity_print(80e9, LP_DIM_BYTES, small, 0);
    assert_int_equal(small[0], 'x');
}

/* ---- locale ---- */

/* glibc's newlocale keeps the folders of LOCPATH for ever; asked for by LeakSanitizer alone. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:argz_add_sep\n";
}

/* A German locale made for this test from the C library's sources (Debian: locales), else 0. */
static locale_t made_locale(void) {
    const char *tmp = getenv("TMPDIR");
    char folder[512], command[1200];
    snprintf(folder, sizeof folder, "%s/lightpath-locale.XXXXXX", tmp != NULL ? tmp : "/tmp");
    if (mkdtemp(folder) == NULL)
        return (locale_t)0;
    snprintf(command, sizeof command, "localedef -f UTF-8 -i de_DE '%s/de_DE.UTF-8' >&2", folder);
    locale_t made = (locale_t)0;
    if (system(command) == 0 && setenv("LOCPATH", folder, 1) == 0)
        made = newlocale(LC_ALL_MASK, "de_DE.UTF-8", (locale_t)0);
    unsetenv("LOCPATH");
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    (void)!system(command);
    return made;
}

/* Any locale whose decimal point is not '.' (LP_TEST_LOCALE names another one), else 0. */
static locale_t comma_locale(void) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",  "de_DE",       "fr_FR.UTF-8",
                                        "fr_FR.utf8",  "es_ES.UTF-8", "it_IT.UTF-8", "nl_NL.UTF-8",
                                        "pl_PL.UTF-8", "ru_RU.UTF-8", "ps_AF.UTF-8", "fa_IR.UTF-8"};
    const char *asked = getenv("LP_TEST_LOCALE");
    if (asked)
        return newlocale(LC_ALL_MASK, asked, (locale_t)0);
    for (size_t i = 0; i < LP_COUNTOF(names); i++) {
        locale_t found = newlocale(LC_ALL_MASK, names[i], (locale_t)0);
        if (found != (locale_t)0)
            return found;
    }
    return made_locale();
}

static void check_numbers_in_this_locale(void) {
    char buf[LP_NUM_TEXT], text[64];
    double value = 0;
    assert_string_equal(lp_num_print(0.1, buf), "0.1");
    assert_string_equal(lp_num_print(-1.5e-300, buf), "-1.5e-300");
    assert_string_equal(lp_num_print(DBL_MAX, buf), "1.7976931348623157e+308");
    assert_string_equal(lp_num_print(1234567.0, buf), "1234567");
    assert_int_equal(lp_num_parse("2.5", &value, NULL), LP_OK);
    assert_true(value == 2.5);
    assert_int_equal(lp_num_parse("2,5", &value, NULL), LP_EPARSE);
    assert_int_equal(lp_quantity_parse("0.1 us", LP_DIM_TIME, &value, NULL), LP_OK);
    assert_true(value == 1e-7);
    assert_int_equal(lp_quantity_parse("0,1 us", LP_DIM_TIME, &value, NULL), LP_EPARSE);
    assert_string_equal(lp_quantity_print(1.83e-3, LP_DIM_TIME, text, sizeof text), "1.83 ms");
    assert_string_equal(lp_quantity_print(0.8312, LP_DIM_NONE, text, sizeof text), "0.8312");
}

static void numbers_ignore_the_locale(void **state) {
    (void)state;
    locale_t comma = comma_locale();
    if (comma == (locale_t)0) {
        print_message("skipped: there is no locale with a decimal comma, and none can be made\n");
        skip();
    }
    locale_t before = uselocale(comma);
    char proof[16];
    snprintf(proof, sizeof proof, "%.1f", 0.5);
    bool really = strcmp(proof, "0.5") != 0;
    if (really)
        check_numbers_in_this_locale();
    bool kept = uselocale((locale_t)0) == comma; /* reading must put the caller's locale back */
    uselocale(before);
    freelocale(comma);
    assert_true(kept);
    assert_true(really);
}

static void calm_takes_only_the_noise(void **state) {
    (void)state;
    static const double rows[][2] = {
        {60.88799999999998, 60.888},
        {0.9999999999999999, 1},
        {9.999999999974752e-07, 1e-06},
        {-1e-17, 0},

        /* neither thirds nor what a short time really is */
        {1.0 / 3, 1.0 / 3},
        {1.2345678e-6, 1.2345678e-6},
        {0.1000000000005, 0.1000000000005},
    };
    for (size_t i = 0; i < LP_COUNTOF(rows); i++)
        assert_true(lp_num_calm(rows[i][0]) == rows[i][1]);
    assert_true(isnan(lp_num_calm((double)NAN)));
    assert_true(isinf(lp_num_calm((double)INFINITY)));
}

TEST_GROUP(test_base_num) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_is_within_two_ulp),
        cmocka_unit_test(log_at_the_edges),
        cmocka_unit_test(exp_is_within_two_ulp),
        cmocka_unit_test(exp_at_the_edges),
        cmocka_unit_test(log_has_golden_bits),
        cmocka_unit_test(print_has_fixed_texts),
        cmocka_unit_test(print_of_no_number_is_null),
        cmocka_unit_test(a_million_doubles_round_trip),
        cmocka_unit_test(prints_the_first_precision_that_reads_back),
        cmocka_unit_test(parse_takes_numbers),
        cmocka_unit_test(parse_refuses_the_rest),
        cmocka_unit_test(parse_quotes_safely),
        cmocka_unit_test(parse_reads_very_long_numbers),
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(times),
        cmocka_unit_test(amounts_of_data),
        cmocka_unit_test(bandwidths),
        cmocka_unit_test(rates_and_plain_numbers),
        cmocka_unit_test(prefixes_are_exact),
        cmocka_unit_test(messages_name_the_units),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(overlong_quantities_are_refused),
        cmocka_unit_test(quantities_print_for_people),
        cmocka_unit_test(printed_quantities_fit_and_read_back),
        cmocka_unit_test(numbers_ignore_the_locale),
        cmocka_unit_test(calm_takes_only_the_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
