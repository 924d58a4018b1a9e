/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What NVIDIA's Topograph makes of a cluster: for each instance the switches above it, the closest
 * first, and the domain of accelerators that it is in. */
#include "import/nets/nets.h"
#include "import/nets/switch_tree.h"
#include "io/files/file.h"
#include "io/json/json.h"

/* Fails at a value of the file, whatever reads it. */
#define FAIL(value, diag, ...) lp_json_fail(value, diag, LP_EPARSE, __VA_ARGS__)

/* The switches above an instance, whose first is its leaf. */
static LpErr read_layers(LpSwitchTree *tree, LpJsonValue layers, const char *id, uint32_t *leaf,
                         LpDiag *diag) {
    uint32_t below = LP_NO_INDEX;
    char name[3][80];
    for (LpJsonValue v = lp_json_first(layers); v.item != NULL; v = lp_json_next(v)) {
        const char *text = lp_json_text(v);
        uint32_t sw;
        int line, col;
        if (text == NULL || text[0] == '\0')
            return FAIL(v, diag, "a layer of instance %s is %s, expected the name of a switch",
                        lp_str_show(name[0], sizeof name[0], id),
                        lp_json_found(v, name[1], sizeof name[1]));
        lp_json_place(v, &line, &col);
        LP_TRY(lp_switch_tree_switch(tree, text, line, col, &sw, NULL, diag));
        if (below == LP_NO_INDEX)
            *leaf = sw;
        else if (tree->sw[below].up == LP_NO_INDEX)
            LP_TRY(lp_switch_tree_link(tree, sw, below, diag));
        else if (tree->sw[below].up != sw)
            return FAIL(
                v, diag, "switch %s is below %s and below %s, expected one above it",
                lp_str_show(name[0], sizeof name[0], tree->switches.name[below]),
                lp_str_show(name[1], sizeof name[1], tree->switches.name[tree->sw[below].up]),
                lp_str_show(name[2], sizeof name[2], text));
        below = sw;
    }
    return LP_OK;
}

/* The domain that the labels name: Topograph's own, or a cloud's. */
static const char *domain_of(LpJsonValue instance) {
    static const char *const holder[] = {"labels", "attributes"};
    static const char *const key[] = {"accelerator.topograph.run/domain", "nvlink"};
    for (size_t h = 0; h < LP_COUNTOF(holder); h++) {
        LpJsonValue labels = lp_json_member(instance, holder[h]);
        for (size_t k = 0; labels.item != NULL && k < LP_COUNTOF(key); k++) {
            const char *text = lp_json_text(lp_json_member(labels, key[k]));
            if (text != NULL && text[0] != '\0')
                return text;
        }
        if (lp_json_count(labels) > 0)
            return NULL;
    }
    return NULL;
}

static LpErr read_instance(LpSwitchTree *tree, LpJsonValue instance, LpDiag *diag) {
    LpJsonValue id = lp_json_member(instance, "id");
    LpJsonValue layers = lp_json_member(instance, "network_layers");
    const char *name = lp_json_text(id), *domain = domain_of(instance);
    uint32_t leaf = LP_NO_INDEX;
    bool fresh;
    char shown[80];
    if (name == NULL || name[0] == '\0')
        return FAIL(instance, diag, "an instance has no id, expected a text");
    lp_str_show(shown, sizeof shown, name);
    if (lp_json_kind(layers) != LP_JSON_LIST || lp_json_count(layers) == 0)
        return FAIL(instance, diag,
                    "instance %s has no network_layers, expected the names of the switches above "
                    "it, the closest first",
                    shown);
    LP_TRY(read_layers(tree, layers, name, &leaf, diag));
    LP_TRY(lp_switch_tree_host(tree, name, leaf, &fresh, diag));
    if (!fresh)
        return FAIL(id, diag, "instance %s stands there twice", shown);
    if (domain != NULL)
        LP_TRY(lp_names_add(&tree->domains, domain, &tree->host[tree->hosts.count - 1].domain, NULL,
                            diag));
    return LP_OK;
}

static LpErr read_tree(LpSwitchTree *tree, const LpJson *doc, const char *file, LpDiag *diag) {
    LpJsonValue root = lp_json_root(doc), instances = lp_json_member(root, "instances");
    if (lp_json_kind(root) != LP_JSON_OBJECT || lp_json_kind(instances) != LP_JSON_LIST)
        return FAIL(root, diag, "no list \"instances\", expected {\"instances\": [...]}");
    if (lp_json_count(instances) == 0)
        return FAIL(instances, diag, "the list of instances is empty, expected at least one");
    for (LpJsonValue v = lp_json_first(instances); v.item != NULL; v = lp_json_next(v))
        LP_TRY(read_instance(tree, v, diag));
    tree->sorted = true;
    return lp_switch_tree_done(tree, file, diag);
}

static LpErr read_topograph(LpReading *reading, LpDiag *diag) {
    char *text = NULL;
    size_t len;
    LpJson *doc = NULL;
    LpSwitchTree *tree = NULL;
    uint64_t tops = 0;
    LpErr err = lp_switch_tree_new(&tree, diag);
    if (err == LP_OK)
        err = lp_file_read(reading->file[0], (size_t)lp_import_limit(reading->options), &text, &len,
                           diag);
    if (err == LP_OK)
        err = lp_json_parse(reading->file[0], text, len, &doc, diag);
    if (err == LP_OK)
        err = read_tree(tree, doc, reading->file[0], diag);
    for (uint32_t s = 0; err == LP_OK && s < tree->switches.count; s++)
        tops += tree->sw[s].parents == 0;
    if (err == LP_OK && tops > 1)
        err = lp_net_note(reading->net, "tops_that_are_not_joined", tops, diag);
    if (err == LP_OK)
        err = lp_switch_tree_net(tree, reading->options, reading->net, diag);
    if (err == LP_OK) {
        reading->own = tree;
        tree = NULL;
    }
    lp_switch_tree_free(tree);
    lp_json_free(doc);
    lp_free(text);
    return err;
}

static void report(const LpReading *reading, bool all, LpJsonOut *json) {
    const LpSwitchTree *tree = reading->own;
    (void)all;
    lp_json_put_count(json, "servers", tree->hosts.count);
    lp_json_put_count(json, "switches", tree->switches.count);
    lp_json_put_count(json, "cables", tree->cables);
    lp_switch_tree_put_tops(tree, json);
    lp_switch_tree_put_leaf_sizes(tree, json);
    lp_switch_tree_put_domains(tree, json);
    lp_net_put_notes(reading->net, json);
    if (tree->split > 1)
        lp_json_put_count(json, "gpus_per_node", tree->split);
}

static bool is_topograph(const LpHead *head) {
    return lp_head_has(head, "\"instances\"") && lp_head_has(head, "\"network_layers\"");
}

const LpFormat lp_format_topograph = {
    .name = "topograph",
    .what = "a cluster as NVIDIA's Topograph finds it: instances and the switches above them",
    .makes = LP_MAKES_CLUSTER,
    .least = 1,
    .most = 1,
    .is = is_topograph,
    .read = read_topograph,
    .report = report,
    .text = lp_switch_tree_text,
    .drop = lp_switch_tree_free,
};
