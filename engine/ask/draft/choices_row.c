/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row of a stage: its words and its price. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/draft/choices_impl.h"
#include "base/str.h"

/* "KEY=0,2,8-11" */
static bool list_words(const char *key, const uint32_t *server, uint32_t count,
                       char out[LP_DRAFT_WORDS]) {
    size_t len = (size_t)snprintf(out, LP_DRAFT_WORDS, "%s=", key);
    for (uint32_t i = 0, end; i < count; i = end) {
        char item[32];
        for (end = i + 1; end < count && server[end] == server[end - 1] + 1; end++)
            ;
        int width = end > i + 1 ? snprintf(item, sizeof item, "%u-%u", server[i], server[end - 1])
                                : snprintf(item, sizeof item, "%u", server[i]);
        if (len + (size_t)width + 2 > LP_DRAFT_WORDS)
            return false;
        len += (size_t)snprintf(out + len, LP_DRAFT_WORDS - len, "%s%s", i > 0 ? "," : "", item);
    }
    return count > 0;
}

bool lp_servers_words(const uint32_t *server, uint32_t count, char out[LP_DRAFT_WORDS]) {
    return list_words("servers", server, count, out);
}

bool lp_cubes_words(const uint32_t *cube, uint32_t count, char out[LP_DRAFT_WORDS]) {
    return list_words("cubes", cube, count, out);
}

/* "@100ms", "@2s": as short as it reads back the same. */
static int print_hold(double hold, char *out, size_t size) {
    char ms[32];
    snprintf(ms, sizeof ms, "%.9g", hold * 1000);
    if (hold < 1 && strtod(ms, NULL) / 1000 == hold)
        return snprintf(out, size, "@%sms", ms);
    return snprintf(out, size, "@%.9gs", hold);
}

bool lp_circuits_words(const LpSchedule *s, char out[LP_DRAFT_WORDS]) {
    size_t len = (size_t)snprintf(out, LP_DRAFT_WORDS, "circuits=");
    bool first = true;
    for (uint32_t e = 0; e < s->entries; e++) {
        bool some = false;
        for (uint32_t p = 0; p < s->ports; p++) {
            uint32_t to = s->to[(size_t)e * s->ports + p];
            if (to == LP_DARK)
                continue;
            if (len + 48 > LP_DRAFT_WORDS)
                return false;
            const char *between = some ? "," : first ? "" : "/";
            len += (size_t)snprintf(out + len, LP_DRAFT_WORDS - len, "%s%u-%u", between, p, to);
            some = true;
            first = false;
        }
        if (some && s->entries > 1)
            len += (size_t)print_hold(s->hold[e], out + len, LP_DRAFT_WORDS - len);
    }
    return true;
}

LpErr lp_choose(LpChoosing *c, const char *label, const char *note, const char *words) {
    LpStageRows *out = c->out;
    LpDraft draft = *c->draft;
    char text[LP_STAGE_COUNT * LP_DRAFT_WORDS];
    for (uint32_t i = 0; i < out->count; i++)
        if (strcmp(out->row[i].words, words) == 0)
            return LP_OK;
    if (out->count >= LP_CHOICES_MOST)
        return LP_OK;
    LpStageRow *row = &out->row[out->count];
    *row = (LpStageRow){.policys = words[0] == '\0'};
    lp_str_copy(row->label, sizeof row->label, label);
    lp_str_copy(row->note, sizeof row->note, note);
    lp_str_copy(row->words, sizeof row->words, words);
    lp_str_copy(draft.word[c->stage], sizeof draft.word[c->stage], words);
    LP_TRY(lp_draft_price(c->session, lp_draft_text(&draft, text), &row->price, c->diag));
    out->count++;
    return LP_OK;
}

void lp_choose_nothing(LpChoosing *c, const char *why) {
    lp_str_copy(c->out->none, sizeof c->out->none, why);
}
