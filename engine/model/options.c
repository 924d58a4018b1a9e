/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of semantic options, and which of them go together. */
#include "model/options.h"

#include <string.h>

#include "base/assert.h"
#include "base/hash.h"

static const LpOptionInfo INFO[LP_OPT_COUNT] = {
#define X(id, name, quirks, published, corrected) {name, quirks, published, corrected},
    LP_OPTION_TABLE(X)
#undef X
};

/* Two settings that exclude each other. */
typedef struct Clash {
    LpOption first, second;
    bool first_published, second_published;
    const char *why;
} Clash;

static const Clash CLASHES[] = {
    {LP_OPT_CIRCUITS, LP_OPT_STEP_CLOCK, false, true,
     "the published clock lets every flow of a channel advance at once, so none can wait for it"},
    {LP_OPT_COLLECTIVE_LIGHT, LP_OPT_COLLECTIVE, false, true,
     "the published formula has a rate of its own, a transceiver group's divided by all of them"},
};

static LpOptions all(bool published) {
    LpOptions options;
    for (size_t o = 0; o < LP_OPT_COUNT; o++)
        options.published[o] = published;
    return options;
}

LpOptions lp_options_corrected(void) {
    LpOptions options = all(false);
    options.published[LP_OPT_COLLECTIVE_LIGHT] = true;
    return options;
}

LpOptions lp_options_published(void) {
    return all(true);
}

const LpOptionInfo *lp_option_info(LpOption option) {
    LP_ASSERT(option < LP_OPT_COUNT);
    return &INFO[option];
}

int lp_option_find(const char *name) {
    for (int o = 0; name != NULL && o < LP_OPT_COUNT; o++)
        if (strcmp(name, INFO[o].name) == 0)
            return o;
    return -1;
}

static const char *word(bool published) {
    return published ? "published" : "corrected";
}

LpErr lp_options_check(const LpOptions *options, LpDiag *diag) {
    for (size_t i = 0; i < LP_COUNTOF(CLASHES); i++) {
        const Clash *clash = &CLASHES[i];
        if (options->published[clash->first] == clash->first_published &&
            options->published[clash->second] == clash->second_published)
            return lp_fail(diag, LP_EINVAL,
                           "option %s \"%s\" has no meaning with %s \"%s\": %s; expected %s "
                           "\"%s\" or %s \"%s\"",
                           INFO[clash->first].name, word(clash->first_published),
                           INFO[clash->second].name, word(clash->second_published), clash->why,
                           INFO[clash->first].name, word(!clash->first_published),
                           INFO[clash->second].name, word(!clash->second_published));
    }
    return LP_OK;
}

int lp_options_first_published(const LpOptions *options) {
    LpOptions corrected = lp_options_corrected();
    for (int o = 0; o < LP_OPT_COUNT; o++)
        if (o != LP_OPT_SHAPES && options->published[o] && !corrected.published[o])
            return o;
    return -1;
}

int lp_options_against_tensor(const LpOptions *options) {
    static const LpOption needed[] = {LP_OPT_WEIGHT_SYNC, LP_OPT_EDGE_SIZE};
    for (size_t i = 0; i < LP_COUNTOF(needed); i++)
        if (options->published[needed[i]])
            return (int)needed[i];
    return -1;
}

bool lp_options_all_published(const LpOptions *options) {
    bool published = true;
    for (size_t o = 0; o < LP_OPT_COUNT; o++)
        published = published && options->published[o];
    return published;
}

uint64_t lp_options_hash(const LpOptions *options) {
    uint64_t h = lp_hash_u64(LP_HASH_INIT, LP_OPT_SHAPES);
    for (size_t o = 0; o < LP_OPT_SHAPES; o++)
        h = lp_hash_u64(h, options->published[o] ? 1 : 0);
    for (size_t o = LP_OPT_SHAPES; o < LP_OPT_COUNT; o++)
        h = options->published[o] ? h : lp_hash_u64(h, o);
    return h;
}
