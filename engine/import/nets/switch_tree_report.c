/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is told of a tree of switches: tops, sizes of leaves, and what fits under a switch. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "import/nets/switch_tree.h"

enum {
    GANG = 8,         /* hosts of the job that is asked about */
    SIZES_SHOWN = 32, /* sizes of leaves that are listed one by one */
    KINDS_SHOWN = 12  /* sizes in a histogram */
};

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void lp_switch_tree_put_tops(const LpSwitchTree *tree, LpJsonOut *json) {
    const char **top = lp_alloc(tree->switches.count, sizeof *top);
    size_t tops = 0;
    if (top == NULL) {
        json->out->failed = true;
        return;
    }
    for (uint32_t s = 0; s < tree->switches.count; s++)
        if (tree->sw[s].parents == 0)
            top[tops++] = tree->switches.name[s];
    if (tree->sorted)
        if (tops > 1)
            qsort(top, tops, sizeof *top, by_name);
    lp_json_put_texts(json, "tops", top, tops);
    lp_free(top);
}

/* A member whose key is a text of the file. */
static void put_named(LpJsonOut *json, const char *key, uint32_t value) {
    LpBuf text = {0};
    lp_str_json(&text, key);
    lp_json_put_raw(json, NULL, lp_buf_text(&text));
    lp_buf_fini(&text);
    lp_buf_addf(json->out, ": %u", value);
}

void lp_switch_tree_put_leaf_sizes(const LpSwitchTree *tree, LpJsonOut *json) {
    lp_json_open(json, "leaf_sizes", '{');
    for (uint32_t s = 0; s < tree->switches.count; s++)
        if (tree->sw[s].hosts > 0)
            put_named(json, tree->switches.name[s], tree->sw[s].hosts);
    lp_json_close(json, '}');
}

void lp_switch_tree_put_domains(const LpSwitchTree *tree, LpJsonOut *json) {
    uint32_t *hosts = lp_alloc(tree->domains.count, sizeof *hosts);
    if (hosts == NULL) {
        json->out->failed = true;
        return;
    }
    for (uint32_t h = 0; h < tree->hosts.count; h++)
        if (tree->host[h].domain != LP_NO_INDEX)
            hosts[tree->host[h].domain]++;
    lp_json_open(json, "domains", '{');
    for (uint32_t d = 0; d < tree->domains.count; d++)
        put_named(json, tree->domains.name[d], hosts[d]);
    lp_json_close(json, '}');
    lp_free(hosts);
}

/* ---- text ---- */

static int by_size(const void *a, const void *b) {
    const uint32_t *p = a, *q = b;
    return *p < *q ? -1 : *p > *q;
}

static void add_many(LpBuf *out, uint64_t count, const char *noun) {
    char text[LP_MANY_TEXT];
    lp_buf_add(out, lp_str_many(text, count, noun));
}

/* The sizes of leaves, ascending, and how many hold a gang. */
static void add_leaves(const LpSwitchTree *tree, const uint32_t *size, uint32_t leaves,
                       LpBuf *out) {
    const char *leaf = tree->blocks ? "block" : "leaf",
               *plural = tree->blocks ? "blocks" : "leaves";
    uint32_t kinds = 0, hold = 0, largest = size[leaves - 1];
    for (uint32_t i = 0; i < leaves; i++) {
        kinds += i == 0 || size[i] != size[i - 1];
        hold += size[i] >= GANG;
    }
    lp_buf_addf(out, "  %-18s%u of %u", leaves == 1 ? leaf : plural, leaves, size[0]);
    if (size[0] != largest)
        lp_buf_addf(out, " to %u", largest);
    lp_buf_addf(out, " host%s", lp_str_s(largest));
    if (size[0] != largest && leaves <= SIZES_SHOWN) {
        for (uint32_t i = 0; i < leaves; i++)
            lp_buf_addf(out, "%s%u", i == 0 ? ": " : " ", size[i]);
    } else if (size[0] != largest) {
        for (uint32_t i = 0, run, shown = 0; i < leaves && shown < KINDS_SHOWN; i += run, shown++) {
            for (run = 1; i + run < leaves && size[i + run] == size[i]; run++) {
            }
            lp_buf_addf(out, "%s%u of %u", shown == 0 ? ": " : ", ", run, size[i]);
        }
        lp_buf_add(out, kinds > KINDS_SHOWN ? ", and larger\n" : "");
    }
    lp_buf_addf(
        out,
        "\n                    a gang of %d hosts fits in %u of %u, one of %u in none; in all %u\n",
        (int)GANG, hold, leaves, largest + 1, tree->hosts.count);
}

/* The most hosts under one switch of each height. */
static void add_largest(const LpSwitchTree *tree, LpBuf *out) {
    static const char *const name[] = {"leaf", "spine", "core"};
    uint32_t *under = lp_alloc(tree->switches.count, sizeof *under);
    if (under == NULL) {
        out->failed = true;
        return;
    }
    for (uint32_t s = 0; s < tree->switches.count; s++)
        under[s] = tree->sw[s].hosts;
    lp_buf_add(out, "  largest job       ");
    for (uint32_t height = 1; height <= tree->levels; height++) {
        uint32_t most = 0;
        for (uint32_t s = 0; s < tree->switches.count; s++)
            if (tree->sw[s].height == height) {
                most = under[s] > most ? under[s] : most;
                if (tree->sw[s].up != LP_NO_INDEX)
                    under[tree->sw[s].up] += under[s];
            }
        lp_buf_addf(out, "%s%u host%s under one ", height > 1 ? ", " : "", most, lp_str_s(most));
        if (tree->blocks)
            lp_buf_add(out, height == 1 ? "block" : "cluster");
        else if (height <= LP_COUNTOF(name))
            lp_buf_add(out, name[height - 1]);
        else
            lp_buf_addf(out, "level%u", height);
    }
    lp_buf_add(out, "\n");
    lp_free(under);
}

void lp_switch_tree_text(const LpReading *reading, LpBuf *out) {
    const LpSwitchTree *tree = reading->own;
    uint32_t leaves = 0, *size = lp_alloc(tree->switches.count, sizeof *size);
    if (size == NULL) {
        out->failed = true;
        return;
    }
    for (uint32_t s = 0; s < tree->switches.count; s++)
        if (tree->sw[s].hosts > 0)
            size[leaves++] = tree->sw[s].hosts;
    if (leaves > 1)
        qsort(size, leaves, sizeof *size, by_size);
    lp_buf_add(out, "  tree              ");
    add_many(out, tree->hosts.count, "host");
    if (tree->split > 1)
        lp_buf_addf(out, " of %u servers (%u in all)", tree->split, lp_net_servers(reading->net));
    lp_buf_add(out, ", ");
    lp_buf_addf(out, "%u switch%s in ", tree->switches.count,
                tree->switches.count == 1 ? "" : "es");
    add_many(out, tree->levels, "level");
    lp_buf_add(out, ", ");
    add_many(out, tree->cables, "cable");
    lp_buf_add(out, "\n");
    if (leaves > 0) {
        add_leaves(tree, size, leaves, out);
        add_largest(tree, out);
    }
    if (tree->domains.count > 0) {
        lp_buf_add(out, "  domains           ");
        add_many(out, tree->domains.count, "domain");
        lp_buf_addf(out, " of accelerators%s\n",
                    tree->nested ? ", the lowest level"
                                 : ": no level, since not each lies below a single leaf");
    }
    lp_net_text_reach(reading->net, out);
    lp_net_text_notes(reading->net, out);
    lp_free(size);
}
