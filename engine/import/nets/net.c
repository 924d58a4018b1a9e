/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A network as readers make it. */
#include "import/nets/net.h"

#include <string.h>

#include "import/nets/net_impl.h"

static LpErr out_of_memory(LpDiag *diag) {
    return lp_fail_memory(diag, "a network");
}

LpErr lp_net_new(LpNet **out, LpDiag *diag) {
    LpNet *net = lp_alloc(1, sizeof *net);
    if (net == NULL)
        return out_of_memory(diag);
    net->arena = lp_arena_new(0);
    if (net->arena == NULL) {
        lp_free(net);
        return out_of_memory(diag);
    }
    *out = net;
    return LP_OK;
}

void lp_net_free(LpNet *net) {
    if (net == NULL)
        return;
    lp_names_fini(&net->servers);
    lp_names_fini(&net->switches);
    lp_free(net->cable);
    lp_arena_free(net->arena);
    lp_free(net);
}

/* ---- for readers ---- */

static LpErr add_node(LpNames *names, const char *kind, const char *name, uint32_t *out,
                      LpDiag *diag) {
    uint32_t number;
    bool fresh;
    char shown[80];
    LP_TRY(lp_names_add(names, name, &number, &fresh, diag));
    if (!fresh)
        return lp_fail(diag, LP_EINVAL, "%s %s stands there twice", kind,
                       lp_str_show(shown, sizeof shown, name));
    if (out != NULL)
        *out = number;
    return LP_OK;
}

LpErr lp_net_server(LpNet *net, const char *name, uint32_t *out, LpDiag *diag) {
    return add_node(&net->servers, "server", name, out, diag);
}

LpErr lp_net_switch(LpNet *net, const char *name, uint32_t *out, LpDiag *diag) {
    return add_node(&net->switches, "switch", name, out, diag);
}

LpErr lp_net_cable(LpNet *net, const LpNetCable *cable, LpDiag *diag) {
    if (net->cables >= LP_NETWORK_CABLES_MAX)
        return lp_fail(diag, LP_ELIMIT, "more than %d cables", (int)LP_NETWORK_CABLES_MAX);
    if (lp_grow((void **)&net->cable, &net->cables_cap, (size_t)net->cables + 1,
                sizeof *net->cable) != LP_OK)
        return out_of_memory(diag);
    net->cable[net->cables++] = *cable;
    return LP_OK;
}

LpErr lp_net_level(LpNet *net, const LpNetLevel *level, LpDiag *diag) {
    if (net->levels == LP_NET_LEVELS_MAX)
        return lp_fail(diag, LP_ELIMIT, "more than %d levels", (int)LP_NET_LEVELS_MAX);
    LpNetNode *node = lp_arena_alloc(net->arena, level->nodes, sizeof *node);
    const char *name = lp_arena_strdup(net->arena, level->name);
    if (node == NULL || name == NULL)
        return out_of_memory(diag);
    for (uint32_t i = 0; i < level->nodes; i++) {
        const LpNetNode *from = &level->node[i];
        uint32_t *child = lp_arena_raw(net->arena, from->children, sizeof *child);
        node[i].name = lp_arena_strdup(net->arena, from->name);
        if (child == NULL || node[i].name == NULL)
            return out_of_memory(diag);
        if (from->children > 0)
            memcpy(child, from->child, from->children * sizeof *child);
        node[i].child = child;
        node[i].children = from->children;
    }
    net->level[net->levels++] = (LpNetLevel){name, node, level->nodes};
    return LP_OK;
}

static LpErr note_of(LpNet *net, const char *word, LpNetRemark **out, LpDiag *diag) {
    size_t at = 0;
    while (at < net->notes && strcmp(net->note[at].word, word) != 0)
        at++;
    if (at == LP_NET_NOTES_MAX)
        return lp_fail(diag, LP_ELIMIT, "more than %d notes", (int)LP_NET_NOTES_MAX);
    if (at == net->notes)
        net->note[net->notes++] = (LpNetRemark){.word = word};
    *out = &net->note[at];
    return LP_OK;
}

LpErr lp_net_note(LpNet *net, const char *word, uint64_t count, LpDiag *diag) {
    LpNetRemark *note;
    if (count == 0)
        return LP_OK;
    LP_TRY(note_of(net, word, &note, diag));
    note->count += count;
    return LP_OK;
}

LpErr lp_net_note_text(LpNet *net, const char *word, const char *text, LpDiag *diag) {
    LpNetRemark *note;
    const char *copy = lp_arena_strdup(net->arena, text);
    if (copy == NULL)
        return out_of_memory(diag);
    LP_TRY(note_of(net, word, &note, diag));
    note->text = copy;
    return LP_OK;
}

LpErr lp_net_assume(LpNet *net, const char *sentence, LpDiag *diag) {
    if (net->sentences == LP_NET_NOTES_MAX)
        return lp_fail(diag, LP_ELIMIT, "more than %d sentences", (int)LP_NET_NOTES_MAX);
    const char *copy = lp_arena_strdup(net->arena, sentence);
    if (copy == NULL)
        return out_of_memory(diag);
    net->assumed[net->sentences++] = copy;
    return LP_OK;
}

void lp_net_forwards(LpNet *net) {
    net->forwards = true;
}

void lp_net_is_torus(LpNet *net, const uint32_t *size, uint32_t dimensions) {
    net->dimensions = dimensions;
    memcpy(net->size, size, dimensions * sizeof *size);
}

/* ---- for what is made of it ---- */

uint32_t lp_net_servers(const LpNet *net) {
    return net->servers.count;
}

uint32_t lp_net_switches(const LpNet *net) {
    return net->switches.count;
}

const char *lp_net_server_name(const LpNet *net, uint32_t server) {
    return net->servers.name[server];
}

const char *lp_net_switch_name(const LpNet *net, uint32_t number) {
    return net->switches.name[number];
}

uint32_t lp_net_cables(const LpNet *net, const LpNetCable **out) {
    *out = net->cable;
    return net->cables;
}

uint32_t lp_net_levels(const LpNet *net, const LpNetLevel **out) {
    *out = net->level;
    return net->levels;
}

double lp_net_bandwidth_of_servers(const LpNet *net) {
    double sum = 0;
    for (uint32_t c = 0; c < net->cables; c++)
        if (!net->cable[c].from.is_switch || !net->cable[c].to.is_switch)
            sum += net->cable[c].bandwidth;
    return sum;
}
