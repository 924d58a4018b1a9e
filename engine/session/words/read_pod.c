/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a pod by a table of its keys. */
#include "session/words/read_pod.h"

#include <stddef.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"

enum { WORD = 128 };

typedef enum Kind { WHOLE, QUANTITY, WIRING, COLLECTIVE, GRID } Kind;

static const struct {
    const char *name;
    Kind kind;
    LpDimension dimension;
    size_t offset;
} KEYS[] = {
    {"cube", WHOLE, LP_DIM_NONE, offsetof(LpPod, cube)},
    {"cubes", WHOLE, LP_DIM_NONE, offsetof(LpPod, cubes)},
    {"ports", WHOLE, LP_DIM_NONE, offsetof(LpPod, ports)},
    {"wiring", WIRING, LP_DIM_NONE, offsetof(LpPod, fixed)},
    {"collective", COLLECTIVE, LP_DIM_NONE, offsetof(LpPod, sequential)},
    {"grid", GRID, LP_DIM_NONE, offsetof(LpPod, grid)},
    {"link_bandwidth", QUANTITY, LP_DIM_BANDWIDTH, offsetof(LpPod, link_bandwidth)},
    {"link_delay", QUANTITY, LP_DIM_TIME, offsetof(LpPod, link_delay)},
    {"io_latency", QUANTITY, LP_DIM_TIME, offsetof(LpPod, io_latency)},
    {"efficiency", QUANTITY, LP_DIM_NONE, offsetof(LpPod, efficiency)},
    {"twist_efficiency", QUANTITY, LP_DIM_NONE, offsetof(LpPod, twist_efficiency)},
};

/* ---- values ---- */

static LpErr fail_value(const char *key, const char *value, const char *expected, LpDiag *diag) {
    char shown[WORD];
    return lp_fail(diag, LP_EINVAL, "cluster.pod.%s is %s: expected %s", key,
                   lp_str_show(shown, sizeof shown, value), expected);
}

static bool read_whole(const char *text, uint32_t *out) {
    uint64_t number;
    if (lp_num_parse_u64(text, &number, NULL) != LP_OK || number < 1 ||
        number > LP_POD_ACCELERATORS_MAX)
        return false;
    *out = (uint32_t)number;
    return true;
}

static bool read_choice(const char *value, const char *no, const char *yes, bool *out) {
    *out = strcmp(value, yes) == 0;
    return *out || strcmp(value, no) == 0;
}

/* "4x4x9", or as in a scenario "[4,4,9]" */
static bool read_grid(const char *value, uint32_t grid[3]) {
    const char *at = value + (*value == '[');
    for (int d = 0; d < 3; d++) {
        char word[16];
        size_t len = strcspn(at, "x,]");
        if (len >= sizeof word)
            return false;
        lp_str_copy(word, len + 1, at);
        if (!read_whole(word, &grid[d]))
            return false;
        at += len;
        if (d < 2 && *at++ == '\0')
            return false;
    }
    return strcmp(at, *value == '[' ? "]" : "") == 0;
}

static LpErr read_value(LpPod *pod, size_t k, const char *value, LpDiag *diag) {
    const char *name = KEYS[k].name;
    void *field = (char *)pod + KEYS[k].offset;
    switch (KEYS[k].kind) {
    case WHOLE:
        return read_whole(value, field) ? LP_OK
                                        : fail_value(name, value, "a whole number from 1", diag);
    case WIRING:
        return read_choice(value, "switched", "static", field)
                   ? LP_OK
                   : fail_value(name, value, "switched or static", diag);
    case COLLECTIVE:
        return read_choice(value, "concurrent", "sequential", field)
                   ? LP_OK
                   : fail_value(name, value, "concurrent or sequential", diag);
    case GRID:
        return read_grid(value, field) ? LP_OK
                                       : fail_value(name, value, "cubes such as 4x4x4", diag);
    case QUANTITY:
        break;
    }
    LpDimension dimension = KEYS[k].dimension;
    LpDiag inner;
    if (lp_quantity_parse(value, dimension, field, &inner) != LP_OK)
        return lp_fail(diag, LP_EINVAL, "cluster.pod.%s: %s", name, inner.text);
    return LP_OK;
}

/* ---- PATH=VALUE ---- */

static LpErr fail_key(const char *set, size_t len, LpDiag *diag) {
    const char *names[LP_COUNTOF(KEYS)];
    char word[WORD], shown[WORD];
    LpBuf all = {0};
    for (size_t i = 0; i < LP_COUNTOF(KEYS); i++) {
        names[i] = KEYS[i].name;
        lp_buf_addf(&all, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    lp_str_copy(word, len + 1 < sizeof word ? len + 1 : sizeof word, set);
    int near = lp_str_nearest(word, names, LP_COUNTOF(KEYS));
    LpErr err =
        lp_fail(diag, LP_EINVAL, "--set cluster.pod.%s: unknown key, %s%s",
                lp_str_show(shown, sizeof shown, word), near >= 0 ? "did you mean " : "expected ",
                near >= 0 ? names[near] : lp_buf_text(&all));
    lp_buf_fini(&all);
    return err;
}

static LpErr apply(LpPod *pod, const char *set, bool *grid, LpDiag *diag) {
    static const char PREFIX[] = "cluster.pod.";
    char shown[WORD];
    const char *key = set + sizeof PREFIX - 1;
    size_t len = strcspn(set, "=");
    if (strncmp(set, PREFIX, sizeof PREFIX - 1) != 0 || set[len] == '\0')
        return lp_fail(diag, LP_EINVAL, "--set %s: expected cluster.pod.KEY=VALUE with a slice",
                       lp_str_show(shown, sizeof shown, set));
    len -= sizeof PREFIX - 1;
    for (size_t k = 0; k < LP_COUNTOF(KEYS); k++)
        if (strlen(KEYS[k].name) == len && strncmp(KEYS[k].name, key, len) == 0) {
            *grid = *grid || KEYS[k].kind == GRID;
            return read_value(pod, k, key + len + 1, diag);
        }
    return fail_key(key, len, diag);
}

/* ---- the pod ---- */

static LpErr read_fabric(const char *fabric, LpPod *out, LpDiag *diag) {
    char count[16], shown[WORD];
    const char *at = fabric + 4;
    size_t len = strncmp(fabric, "pod:", 4) == 0 ? strcspn(at, ":") : sizeof count;
    uint32_t cubes = 0;
    bool fixed = false;
    bool good = len < sizeof count;
    if (good) {
        lp_str_copy(count, len + 1, at);
        good = read_whole(count, &cubes) &&
               (at[len] == '\0' || read_choice(at + len + 1, "switched", "static", &fixed));
    }
    if (!good)
        return lp_fail(diag, LP_EINVAL,
                       "--fabric %s: a slice is of a pod, expected pod:CUBES or "
                       "pod:CUBES:static, such as pod:64",
                       lp_str_show(shown, sizeof shown, fabric));
    lp_pod_defaults(out, cubes);
    out->fixed = fixed;
    return LP_OK;
}

LpErr lp_pod_read(const char *fabric, const char *const *set, uint32_t sets, LpPod *out,
                  LpDiag *diag) {
    LpPod pod;
    bool grid = false;
    LP_TRY(read_fabric(fabric, &pod, diag));
    uint32_t cubes = pod.cubes, ports = pod.ports;
    for (uint32_t i = 0; i < sets; i++)
        LP_TRY(apply(&pod, set[i], &grid, diag));
    if (pod.cubes != cubes) { /* what follows from the number of cubes, where it was not said */
        LpPod usual;
        lp_pod_defaults(&usual, pod.cubes);
        if (!grid)
            memcpy(pod.grid, usual.grid, sizeof pod.grid);
        pod.ports = pod.ports == ports ? usual.ports : pod.ports;
    }
    LP_TRY(lp_pod_check(&pod, diag));
    *out = pod;
    return LP_OK;
}

/* ---- what is dead ---- */

static bool read_number(const char **at, uint32_t *out) {
    uint64_t value = 0;
    const char *from = *at;
    for (; **at >= '0' && **at <= '9' && value <= UINT32_MAX; ++*at)
        value = 10 * value + (uint64_t)(**at - '0');
    *out = (uint32_t)value;
    return *at > from && value <= UINT32_MAX && (**at == ',' || **at == '\0');
}

LpErr lp_pod_read_dead(const char *text, LpPodDead dead[LP_POD_DEAD_MAX], size_t *count,
                       LpDiag *diag) {
    char shown[WORD];
    const char *at = text == NULL ? "" : text;
    bool kind_known = false, good = text == NULL || *text != '\0';
    LpPodBroken kind = LP_POD_SWITCH;
    size_t n = 0;
    for (; good && *at != '\0'; n++) {
        bool is_switch = strncmp(at, "switch:", 7) == 0, is_cable = strncmp(at, "cable:", 6) == 0;
        kind_known = kind_known || is_switch || is_cable;
        kind = is_switch ? LP_POD_SWITCH : is_cable ? LP_POD_CABLE : kind;
        at += is_switch ? 7 : is_cable ? 6 : 0;
        if (n == LP_POD_DEAD_MAX)
            return lp_fail(diag, LP_ELIMIT, "--dead: expected at most %d things", LP_POD_DEAD_MAX);
        dead[n].kind = kind;
        good = kind_known && read_number(&at, &dead[n].index);
        if (good && *at == ',')
            good = *++at != '\0';
    }
    if (!good)
        return lp_fail(diag, LP_EINVAL,
                       "--dead %s: expected switch:NUMBER or cable:NUMBER, with commas between",
                       lp_str_show(shown, sizeof shown, text));
    *count = n;
    return LP_OK;
}
