/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "import": of the rows of the trace that a scenario was made of, how many are its jobs, and why
 * the others are not. */
#include <inttypes.h>

#include "io/scenario/loader.h"

static LpErr read_left_out(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpImported *imported = target;
    uint32_t at = 0;
    LP_TRY(lp_json_expect(value, LP_JSON_OBJECT, diag));
    size_t count = lp_json_count(value);
    LpLeftOut *left = lp_arena_alloc(loader->scenario->arena, count, sizeof *left);
    if (left == NULL)
        return lp_fail_memory(diag, "what was left out");
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v), at++) {
        left[at].reason = lp_arena_strdup(loader->scenario->arena, lp_json_key(v));
        if (left[at].reason == NULL)
            return lp_fail_memory(diag, "what was left out");
        LP_TRY(lp_json_u64(v, 0, LP_ROWS_MOST, &left[at].rows, diag));
    }
    imported->left_out = left;
    imported->reasons = (uint32_t)count;
    return LP_OK;
}

static const LpJsonShape *const of_number[] = {&lp_shape_number, NULL};
static const LpJsonShape left_out_shape = {.form = LP_FORM_MAP, .of = of_number};

static const LpJsonKey import_keys[] = {
    {LP_FIELD("rows", LP_KEY_COUNT64, LpImported, rows), .range = {.max = LP_ROWS_MOST},
     .required = true},
    {LP_FIELD("taken", LP_KEY_COUNT64, LpImported, taken), .range = {.max = LP_ROWS_MOST},
     .required = true},
    {.name = "left_out", .type = LP_KEY_CUSTOM, .read = read_left_out, .shape = &left_out_shape},
};

const LpJsonShape lp_shape_import = LP_OBJECT_SHAPE(import_keys);

LpErr lp_load_import(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpScenario *scenario = target;
    LpImported *imported = &scenario->imported;
    LP_TRY(lp_json_read(value, import_keys, LP_COUNTOF(import_keys), imported, scenario->arena,
                        context, diag));
    uint64_t sum = imported->taken;
    for (uint32_t i = 0; i < imported->reasons; i++)
        sum += imported->left_out[i].rows;
    if (imported->rows != sum)
        return lp_json_fail(lp_json_member(value, "rows"), diag, LP_EINVAL,
                            "\"rows\" is %" PRIu64 ", expected %" PRIu64
                            ", what was taken and all that was left out",
                            imported->rows, sum);
    if (imported->taken != scenario->jobs)
        return lp_json_fail(lp_json_member(value, "taken"), diag, LP_EINVAL,
                            "\"taken\" is %" PRIu64 ", expected %" PRIu32
                            ", the jobs that there are",
                            imported->taken, scenario->jobs);
    imported->given = true;
    return LP_OK;
}
