/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads axes and multiplies them out. */
#include "many/study/sweep.h"

#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "session/session_impl.h"

enum { SHOWN = 80 };

/* A last step that rounding leaves just above the end still counts. */
#define END_SLACK (1 + 1e-9)

typedef struct Reader {
    const char *text; /* the whole --vary */
    LpArena *arena;
    const char **value;
    uint32_t count;
    LpDimension dim;
    LpDiag *diag;
} Reader;

static LpErr fail(const Reader *r, const char *what) {
    char shown[SHOWN];
    return lp_fail(r->diag, LP_EINVAL,
                   "--vary %s: %s, expected PATH=A..B/N, PATH=A..B/log10 or PATH=A,B,C",
                   lp_str_show(shown, sizeof shown, r->text), what);
}

static const char *const units[] = {[LP_DIM_NONE] = "",
                                    [LP_DIM_TIME] = "s",
                                    [LP_DIM_BYTES] = "B",
                                    [LP_DIM_BANDWIDTH] = "B/s",
                                    [LP_DIM_FLOPS] = "FLOP/s"};

/* ---- ranges ---- */

static LpErr read_end(Reader *r, const char *text, LpDimension *dim, double *out) {
    static const LpDimension dims[] = {LP_DIM_NONE, LP_DIM_TIME, LP_DIM_BYTES, LP_DIM_BANDWIDTH,
                                       LP_DIM_FLOPS};
    for (size_t i = 0; i < LP_COUNTOF(dims); i++) {
        *dim = dims[i];
        if (lp_quantity_parse(text, dims[i], out, NULL) == LP_OK)
            return LP_OK;
    }
    return fail(r, "an end of the range is no number and no quantity");
}

/* In 12 digits: 1e-07, not what 1e-9 times 10 times 10 rounds to. */
static double tidy(double number) {
    char text[LP_NUM_TEXT];
    double result;
    snprintf(text, sizeof text, "%.11e", number);
    return lp_num_parse(text, &result, NULL) == LP_OK ? result : number;
}

static LpErr add_number(Reader *r, double number) {
    char text[LP_NUM_TEXT];
    if (r->count == LP_SWEEP_POINTS)
        return lp_fail(r->diag, LP_ELIMIT, "--vary: more than %d values", LP_SWEEP_POINTS);
    r->value[r->count] = lp_arena_strdup(r->arena, lp_num_print(tidy(number), text));
    return r->value[r->count++] != NULL ? LP_OK : lp_fail_memory(r->diag, "a sweep");
}

static LpErr add_factors(Reader *r, const char *text, double from, double to) {
    double factor;
    if (lp_num_parse(text, &factor, NULL) != LP_OK || !(factor > 1))
        return fail(r, "the factor after /log is not above 1");
    if (!(from > 0))
        return fail(r, "a range with /log starts above 0");
    double scale = 1;
    for (; from * scale <= to * END_SLACK; scale *= factor)
        LP_TRY(add_number(r, from * scale));
    return LP_OK;
}

static LpErr add_steps(Reader *r, const char *text, double from, double to) {
    uint64_t n;
    if (lp_num_parse_u64(text, &n, NULL) != LP_OK || n < 2)
        return fail(r, "the number of values after / is not 2 or more");
    if (n > LP_SWEEP_POINTS)
        return lp_fail(r->diag, LP_ELIMIT, "--vary: more than %d values", LP_SWEEP_POINTS);
    for (uint64_t i = 0; i < n; i++) {
        double share = (double)i / (double)(n - 1);
        LP_TRY(add_number(r, i + 1 == n ? to : from + share * (to - from)));
    }
    return LP_OK;
}

static LpErr read_range(Reader *r, char *values, char *dots) {
    char *slash = strrchr(dots, '/');
    LpDimension one, other;
    double from, to;
    /* "1 GB/s..2 GB/s/3": the last slash begins the steps, unless a unit follows it */
    if (slash == NULL || strcmp(slash, "/s") == 0)
        return fail(r, "a range without its steps");
    *dots = *slash = '\0';
    LP_TRY(read_end(r, values, &one, &from));
    LP_TRY(read_end(r, dots + 2, &other, &to));
    if (one != other)
        return fail(r, "the ends of the range are of different kinds");
    if (!(from < to))
        return fail(r, "a range that does not rise");
    r->dim = one;
    return strncmp(slash + 1, "log", 3) == 0 ? add_factors(r, slash + 4, from, to)
                                             : add_steps(r, slash + 1, from, to);
}

static LpErr read_list(Reader *r, char *values) {
    for (char *at = values; at != NULL;) {
        char *comma = strchr(at, ',');
        if (comma != NULL)
            *comma++ = '\0';
        if (*at == '\0')
            return fail(r, "an empty value");
        if (r->count == LP_SWEEP_POINTS)
            return lp_fail(r->diag, LP_ELIMIT, "--vary: more than %d values", LP_SWEEP_POINTS);
        r->value[r->count++] = at;
        at = comma;
    }
    return LP_OK;
}

LpErr lp_axis_parse(const char *text, LpArena *arena, LpSweepAxis *out, LpDiag *diag) {
    Reader r = {.text = text, .arena = arena, .diag = diag};
    char *copy = lp_arena_strdup(arena, text);
    r.value = lp_arena_alloc(arena, LP_SWEEP_POINTS, sizeof *r.value);
    if (copy == NULL || r.value == NULL)
        return lp_fail_memory(diag, "a sweep");
    char *equals = strchr(copy, '=');
    if (equals == NULL || equals == copy || equals[1] == '\0')
        return fail(&r, "no PATH=VALUES");
    *equals = '\0';
    if (strcmp(copy, "seed") == 0)
        return lp_fail(diag, LP_EINVAL, "--vary seed: expected --seeds %s, which every value meets",
                       equals + 1);
    char *dots = strstr(equals + 1, "..");
    LP_TRY(dots != NULL ? read_range(&r, equals + 1, dots) : read_list(&r, equals + 1));
    *out = (LpSweepAxis){copy, r.count, r.value, units[r.dim]};
    return LP_OK;
}

/* ---- all combinations ---- */

/* Names are axes' paths; `at` counts the points. */
static LpErr fill_point(const LpSweepAxis *axis, uint32_t axes, uint64_t at, LpArena *arena,
                        const char **value, const char **set, LpDiag *diag) {
    for (uint32_t a = axes; a-- > 0;) {
        LpBuf text = {0};
        value[a] = axis[a].value[at % axis[a].values];
        at /= axis[a].values;
        lp_buf_addf(&text, "%s=%s", axis[a].path, value[a]);
        set[a] = text.failed ? NULL : lp_arena_strdup(arena, lp_buf_text(&text));
        lp_buf_fini(&text);
        if (set[a] == NULL)
            return lp_fail_memory(diag, "a sweep");
    }
    return LP_OK;
}

static LpErr count_points(const LpSweepAxis *axis, uint32_t axes, uint32_t policies,
                          uint64_t *points, LpDiag *diag) {
    *points = 1;
    for (uint32_t a = 0; a < axes; a++) {
        *points *= axis[a].values;
        if (*points * policies > LP_SWEEP_POINTS)
            return lp_fail(diag, LP_ELIMIT, "a sweep of more than %d combinations and policies",
                           LP_SWEEP_POINTS);
    }
    return LP_OK;
}

LpErr lp_sweep_variants(const LpSweepAxis *axis, uint32_t axes, const LpVariant *policy,
                        uint32_t policies, LpArena *arena, LpCompareHead *head, LpVariant **out,
                        uint32_t *count, LpDiag *diag) {
    uint64_t points;
    LP_TRY(count_points(axis, axes, policies, &points, diag));
    size_t variants = (size_t)points * policies;
    LpVariant *v = lp_arena_alloc(arena, variants, sizeof *v);
    const char **value = lp_arena_alloc(arena, variants * axes, sizeof *value);
    const char **set = lp_arena_alloc(arena, variants * axes, sizeof *set);
    const char **path = lp_arena_alloc(arena, axes, sizeof *path);
    const char **unit = lp_arena_alloc(arena, axes, sizeof *unit);
    if (v == NULL || value == NULL || set == NULL || path == NULL || unit == NULL)
        return lp_fail_memory(diag, "a sweep");
    for (uint32_t a = 0; a < axes; a++) {
        path[a] = axis[a].path;
        unit[a] = axis[a].unit;
    }
    for (size_t i = 0; i < variants; i++) {
        LP_TRY(fill_point(axis, axes, i / policies, arena, &value[i * axes], &set[i * axes], diag));
        v[i] = policy[i % policies];
        v[i].sets = axes;
        v[i].set = &set[i * axes];
    }
    head->axes = axes;
    head->axis = path;
    head->unit = unit;
    head->value = value;
    head->policies = policies;
    *out = v;
    *count = (uint32_t)variants;
    return LP_OK;
}
