/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the fourth stage: to which aggregators servers go, which ports are joined, when circuits
 * turn inside a step; or why light follows from the place. */
#include "ask/draft/choices_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "model/fabric/board.h"
#include "session/moment/moment_regroup.h"
#include "session/probe.h"
#include "session/session_impl.h"
#include "sim/light/circuits.h"
#include "sim/light/configure.h"
#include "sim/world.h"

/* The job as the draft has it, its circuits as they are. */
static LpErr start_bare(const LpChoosing *c, LpSession **probe) {
    LpDraft bare = *c->draft;
    char text[LP_STAGE_COUNT * LP_DRAFT_WORDS];
    bare.word[LP_STAGE_CIRCUITS][0] = '\0';
    return lp_draft_start(c->session, lp_draft_text(&bare, text), probe, c->diag);
}

/* ---- aggregators ---- */

static bool links_words(const LpRegroupLink *link, uint32_t links, char out[LP_DRAFT_WORDS]) {
    size_t len = (size_t)snprintf(out, LP_DRAFT_WORDS, "circuits=");
    for (uint32_t i = 0; i < links; i++) {
        if (len + 24 > LP_DRAFT_WORDS)
            return false;
        len += (size_t)snprintf(out + len, LP_DRAFT_WORDS - len, "%s%u:%u", i > 0 ? "," : "",
                                link[i].a, link[i].b);
    }
    return links > 0;
}

/* The words that bring all servers of the draft to one aggregator; false: they are there. */
static bool together_words(const LpChoosing *c, const uint32_t *rack, uint32_t aggregator,
                           char out[LP_DRAFT_WORDS]) {
    const LpForecast *f = &c->base.forecast;
    LpRegroupLink *link = lp_alloc(f->servers, sizeof *link);
    uint32_t links = 0;
    for (uint32_t i = 0; link != NULL && i < f->servers; i++)
        if (rack[f->server[i]] != aggregator)
            link[links++] = (LpRegroupLink){true, f->server[i], aggregator};
    bool some = links > 0 && links_words(link, links, out);
    lp_free(link);
    return some;
}

/* As a regrouping of all jobs would have it once this one runs. */
static LpErr each_together_words(const LpChoosing *c, char out[LP_DRAFT_WORDS]) {
    LpSession *probe;
    LpRegroupLink *link = NULL;
    uint32_t links = 0;
    LpDiag ignored;
    out[0] = '\0';
    LP_TRY(start_bare(c, &probe));
    LpErr err = lp_regroup_links(probe, &link, &links, &ignored);
    if (err == LP_OK && !links_words(link, links, out))
        out[0] = '\0';
    lp_free(link);
    lp_probe_close(probe);
    return err == LP_ENOMEM ? lp_fail_memory(c->diag, "a regrouping") : LP_OK;
}

static LpErr choose_aggregators(LpChoosing *c) {
    const LpOcsParams *ocs = &c->session->scenario->cluster.ocs;
    const LpSchedule *now = lp_world_schedule(c->session->world, c->session->context);
    char words[LP_DRAFT_WORDS], label[LP_CHOICE_LABEL];
    uint32_t *rack = lp_alloc(ocs->servers, sizeof *rack);
    if (rack == NULL)
        return lp_fail_memory(c->diag, "aggregators");
    lp_board_racks(&c->session->context->fabric, now->to, rack);
    LpErr err = lp_choose(c, "as they are", "no server is moved", "");
    if (err == LP_OK)
        err = each_together_words(c, words);
    if (err == LP_OK && words[0] != '\0')
        err = lp_choose(c, "each job together", "every job under one aggregator", words);
    for (uint32_t a = 0; err == LP_OK && a < ocs->aggregators; a++) {
        snprintf(label, sizeof label, "all to aggregator %u", a);
        if (together_words(c, rack, a, words))
            err = lp_choose(c, label, "its servers move, the job stays", words);
    }
    lp_free(rack);
    c->out->by_hand = true;
    return err;
}

/* ---- ports ---- */

/* The lowest port of each server of the draft, in block order; returns how many servers, 0: one of
 * them has no port. */
static uint32_t ports_of(const LpChoosing *c, uint32_t *port) {
    const LpOcsParams *ocs = &c->session->scenario->cluster.ocs;
    const LpForecast *f = &c->base.forecast;
    for (uint32_t i = 0; i < f->servers; i++) {
        port[i] = LP_DARK;
        for (uint32_t p = ocs->ports; p-- > 0;)
            if (ocs->plug[p].node == f->server[i])
                port[i] = p;
        if (port[i] == LP_DARK)
            return 0;
    }
    return f->servers;
}

/* Each server of the job to the next one, the last to the first. */
static bool ring_words(const uint32_t *port, uint32_t n, char out[LP_DRAFT_WORDS]) {
    size_t len = (size_t)snprintf(out, LP_DRAFT_WORDS, "circuits=");
    for (uint32_t i = 0; i < n && len + 48 < LP_DRAFT_WORDS; i++)
        len += (size_t)snprintf(out + len, LP_DRAFT_WORDS - len, "%s%u-%u", i > 0 ? "," : "",
                                port[i], port[(i + 1) % n]);
    return n > 1 && len + 48 < LP_DRAFT_WORDS;
}

/* Every second circuit of the ring, then the others, for `hold` ms each. */
static bool pairs_words(const uint32_t *port, uint32_t n, unsigned hold, char out[LP_DRAFT_WORDS]) {
    size_t len = (size_t)snprintf(out, LP_DRAFT_WORDS, "circuits=");
    for (uint32_t odd = 0; odd < 2; odd++) {
        for (uint32_t i = odd; i < n && len + 48 < LP_DRAFT_WORDS; i += 2)
            len += (size_t)snprintf(out + len, LP_DRAFT_WORDS - len, "%s%u-%u", i > odd ? "," : "",
                                    port[i], port[(i + 1) % n]);
        len += (size_t)snprintf(out + len, LP_DRAFT_WORDS - len, "@%ums%s", hold, odd ? "" : "/");
    }
    return n > 2 && n % 2 == 0 && len + 48 < LP_DRAFT_WORDS;
}

/* The engine's own rule, for what all jobs would ask for once this one runs. */
static LpErr engine_words(const LpChoosing *c, double period, char out[LP_DRAFT_WORDS]) {
    const LpOcsParams *ocs = &c->session->scenario->cluster.ocs;
    LpSession *probe;
    LpSchedule schedule = {0};
    LpPortDemand *demand = NULL;
    uint32_t count;
    out[0] = '\0';
    LP_TRY(start_bare(c, &probe));
    LpErr err = lp_world_demand_pairs(probe->world, probe->context, &demand, &count, c->diag);
    if (err == LP_OK)
        err = lp_configure_default(ocs, demand, count, period, &schedule, c->diag);
    if (err == LP_OK && schedule.entries > 0) {
        if (!lp_circuits_words(&schedule, out))
            out[0] = '\0';
        lp_configure_free(&schedule);
    }
    lp_free(demand);
    lp_probe_close(probe);
    return err;
}

static LpErr choose_ports(LpChoosing *c) {
    static const unsigned holds[] = {1000, 100, 20};
    char words[LP_DRAFT_WORDS], label[LP_CHOICE_LABEL];
    uint32_t *port = lp_alloc(c->base.forecast.servers + 1, sizeof *port);
    if (port == NULL)
        return lp_fail_memory(c->diag, "ports");
    uint32_t n = ports_of(c, port);
    LpErr err = lp_choose(c, "as lit", "the policy sets them", "");
    if (err == LP_OK && ring_words(port, n, words))
        err = lp_choose(c, "ring, 1 matching", "each server to the next", words);
    for (size_t i = 0; err == LP_OK && i < LP_COUNTOF(holds); i++) {
        snprintf(label, sizeof label, "pairs, 2, %u ms", holds[i]);
        if (pairs_words(port, n, holds[i], words))
            err = lp_choose(c, label, "two matchings take turns", words);
    }
    if (err == LP_OK)
        err = engine_words(c, 1, words);
    if (err == LP_OK && words[0] != '\0')
        err = lp_choose(c, "engine's rule", "greedy matchings by demand", words);
    lp_free(port);
    c->out->by_hand = true;
    return err;
}

/* ---- inside a step ---- */

static LpErr choose_turns(LpChoosing *c) {
    LP_TRY(lp_choose(c, "as the policy", "when circuits turn inside a step", ""));
    LP_TRY(lp_choose(c, "on demand", "ordered when its data are ready", "phase=on-demand"));
    return lp_choose(c, "provisioned", "ordered as soon as its ports are idle",
                     "phase=provisioned");
}

static bool has_turns(const LpChoosing *c) {
    const LpForecast *f = &c->base.forecast;
    return c->base.possible && f->partition != LP_NO_INDEX &&
           lp_store_turns(lp_store_partition(c->session->context->store, f->partition));
}

/* Why light follows from the place, in words for each way to join servers. */
static const char *no_circuits(const LpBoardPlan *plan) {
    switch (plan->joins) {
    case LP_BOARD_LIGHT:
        return plan->wavelengths ? "decided by place: wavelengths follow from the servers"
                                 : "no circuits here: all servers reach each other";
    case LP_BOARD_SLICES:
        return "decided by place: the slice sets its switches";
    case LP_BOARD_PORTS:
    case LP_BOARD_LINKS:
    case LP_BOARD_JOINS:
        break;
    }
    return plan->sites ? "no circuits here: ways between sites are as they are"
                       : "no circuits here: packets find their way over links";
}

LpErr lp_choose_circuits(LpChoosing *c) {
    const LpContext *context = c->session->context;
    if (!c->base.possible) {
        lp_choose_nothing(c, c->base.why);
        return LP_OK;
    }
    if (has_turns(c))
        return choose_turns(c);
    if (context->circuits != NULL)
        return c->session->scenario->cluster.ocs.aggregators > 0 ? choose_aggregators(c)
                                                                 : choose_ports(c);
    LpBoardPlan plan = lp_board_plan(&context->fabric);
    lp_choose_nothing(c, no_circuits(&plan));
    return LP_OK;
}
