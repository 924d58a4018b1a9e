/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of a job that say whose it is: "id", "name", "user", "group". */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "io/scenario/loader.h"

void lp_job_names_fini(LpJobNames *naming) {
    lp_intern_fini(&naming->keys);
    lp_intern_fini(&naming->words);
    lp_free(naming->word);
    *naming = (LpJobNames){0};
}

LpIdentity *lp_job_names_row(const LpLoader *loader, LpJobSpec *job) {
    LpJobNames *naming = loader->naming;
    LpScenario *scenario = loader->scenario;
    if (naming->row == NULL)
        scenario->identity = naming->row =
            lp_arena_alloc(scenario->arena, naming->jobs, sizeof *naming->row);
    if (naming->row == NULL)
        return NULL;
    if (job->identity == 0)
        job->identity = ++scenario->identities;
    return &naming->row[job->identity - 1];
}

LpErr lp_job_names_word(const LpLoader *loader, const char *text, const char **out, LpDiag *diag) {
    LpJobNames *naming = loader->naming;
    void *items = naming->word;
    uint64_t hash;
    uint32_t at = lp_intern_find(&naming->words, text, strlen(text), &hash);
    if (at == UINT32_MAX) {
        if (lp_grow(&items, &naming->word_cap, naming->words.count + 1, sizeof *naming->word) !=
            LP_OK)
            return lp_fail_memory(diag, "the names of jobs");
        naming->word = items;
        const char *kept = lp_arena_strdup(loader->scenario->arena, text);
        if (kept == NULL || lp_intern_add(&naming->words, text, strlen(text), hash, &at) != LP_OK)
            return lp_fail_memory(diag, "the names of jobs");
        naming->word[at] = kept;
    }
    *out = naming->word[at];
    return LP_OK;
}

/* The digits of a number are a text like others, so that `7041` and `"7041"` are the same id. */
static LpErr read_key(LpJsonValue value, const LpLoader *loader, LpIdentity *row, LpDiag *diag) {
    char found[80], digits[24];
    uint64_t number;
    const char *text = lp_json_text(value);
    row->number = lp_json_kind(value) == LP_JSON_NUMBER;
    if (row->number) {
        LP_TRY(lp_json_u64(value, 0, (uint64_t)LP_KEY_NUMBER_MOST, &number, diag));
        snprintf(digits, sizeof digits, "%" PRIu64, number);
        text = digits;
    } else if (text == NULL || text[0] == '\0')
        return lp_json_fail(value, diag, LP_EINVAL,
                            "\"id\" is %s, expected a text or a whole number",
                            lp_json_found(value, found, sizeof found));
    row->key = lp_arena_strdup(loader->scenario->arena, text);
    return row->key != NULL ? LP_OK : lp_fail_memory(diag, "the names of jobs");
}

LpErr lp_load_job_key(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpJobNames *naming = loader->naming;
    LpIdentity *row = lp_job_names_row(loader, target);
    uint64_t hash;
    char found[80];
    if (row == NULL)
        return lp_fail_memory(diag, "the names of jobs");
    LP_TRY(read_key(value, loader, row, diag));
    uint32_t at = lp_intern_find(&naming->keys, row->key, strlen(row->key), &hash);
    if (at != UINT32_MAX)
        return lp_json_fail(value, diag, LP_EINVAL,
                            "\"id\" is %s, which another job has, expected one of its own",
                            lp_json_found(value, found, sizeof found));
    if (lp_intern_add(&naming->keys, row->key, strlen(row->key), hash, &at) != LP_OK)
        return lp_fail_memory(diag, "the names of jobs");
    return LP_OK;
}

#define READER(reader, member)                                                                     \
    LpErr reader(LpJsonValue value, void *target, void *context, LpDiag *diag) {                   \
        LpIdentity *row = lp_job_names_row(context, target);                                       \
        if (row == NULL)                                                                           \
            return lp_fail_memory(diag, "the names of jobs");                                      \
        LP_TRY(lp_json_expect(value, LP_JSON_TEXT, diag));                                         \
        return lp_job_names_word(context, lp_json_text(value), &row->member, diag);                \
    }
READER(lp_load_job_name, name)
READER(lp_load_job_user, user)
READER(lp_load_job_group, group)
