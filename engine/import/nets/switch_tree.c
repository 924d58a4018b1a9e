/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Building a tree of switches, and finding out whether it is one. */
#include "import/nets/switch_tree.h"

#include <string.h>

enum { HEIGHT_MAX = 64 };

static LpErr out_of_memory(LpDiag *diag) {
    return lp_fail_memory(diag, "a tree of switches");
}

LpErr lp_switch_tree_new(LpSwitchTree **out, LpDiag *diag) {
    LpSwitchTree *tree = lp_alloc(1, sizeof *tree);
    if (tree == NULL)
        return out_of_memory(diag);
    tree->split = 1;
    *out = tree;
    return LP_OK;
}

void lp_switch_tree_free(void *tree) {
    LpSwitchTree *t = tree;
    if (t == NULL)
        return;
    lp_names_fini(&t->switches);
    lp_names_fini(&t->hosts);
    lp_names_fini(&t->domains);
    lp_free(t->sw);
    lp_free(t->host);
    lp_free(t->link);
    lp_free(t);
}

LpErr lp_switch_tree_switch(LpSwitchTree *tree, const char *name, int line, int col,
                            uint32_t *number, bool *fresh, LpDiag *diag) {
    bool is_new;
    if (lp_grow((void **)&tree->sw, &tree->sw_cap, (size_t)tree->switches.count + 1,
                sizeof *tree->sw) != LP_OK)
        return out_of_memory(diag);
    LP_TRY(lp_names_add(&tree->switches, name, number, &is_new, diag));
    if (is_new)
        tree->sw[*number] = (LpTreeSwitch){.up = LP_NO_INDEX, .line = line, .col = col};
    if (fresh != NULL)
        *fresh = is_new;
    return LP_OK;
}

LpErr lp_switch_tree_host(LpSwitchTree *tree, const char *name, uint32_t leaf, bool *fresh,
                          LpDiag *diag) {
    uint32_t number;
    if (lp_grow((void **)&tree->host, &tree->host_cap, (size_t)tree->hosts.count + 1,
                sizeof *tree->host) != LP_OK)
        return out_of_memory(diag);
    LP_TRY(lp_names_add(&tree->hosts, name, &number, fresh, diag));
    if (!*fresh)
        return LP_OK;
    tree->host[number] = (LpTreeHost){.leaf = leaf, .domain = LP_NO_INDEX};
    tree->sw[leaf].hosts++;
    return LP_OK;
}

LpErr lp_switch_tree_link(LpSwitchTree *tree, uint32_t above, uint32_t below, LpDiag *diag) {
    if (lp_grow((void **)&tree->link, &tree->link_cap, tree->links + 1, sizeof *tree->link) !=
        LP_OK)
        return out_of_memory(diag);
    tree->link[tree->links++] = (LpTreeLink){above, below};
    if (tree->sw[below].up == LP_NO_INDEX)
        tree->sw[below].up = above;
    tree->sw[below].parents++;
    return LP_OK;
}

/* Switches from below to above: one is ready when all below it are. */
LpErr lp_switch_tree_done(LpSwitchTree *tree, const char *file, LpDiag *diag) {
    uint32_t count = tree->switches.count, ready = 0, done = 0;
    char shown[80];
    size_t *first = lp_alloc((size_t)count + 2, sizeof *first); /* links by what is below */
    uint32_t *above = lp_alloc(tree->links, sizeof *above);
    uint32_t *open = lp_alloc(count, sizeof *open), *queue = lp_alloc(count, sizeof *queue);
    LpErr err = LP_OK;
    if (first == NULL || above == NULL || open == NULL || queue == NULL) {
        err = out_of_memory(diag);
        goto end;
    }
    for (size_t i = 0; i < tree->links; i++) {
        first[tree->link[i].below + 2]++;
        open[tree->link[i].above]++;
    }
    for (uint32_t s = 0; s < count; s++)
        first[s + 1] += first[s];
    for (size_t i = 0; i < tree->links; i++)
        above[first[tree->link[i].below + 1]++] = tree->link[i].above;
    for (uint32_t s = 0; s < count; s++) {
        tree->sw[s].height = 1;
        if (open[s] == 0)
            queue[ready++] = s;
    }
    for (; done < ready; done++) {
        uint32_t s = queue[done];
        if (tree->sw[s].height > tree->levels)
            tree->levels = tree->sw[s].height;
        for (size_t i = first[s]; i < first[s + 1]; i++) {
            LpTreeSwitch *up = &tree->sw[above[i]];
            if (up->height <= tree->sw[s].height)
                up->height = tree->sw[s].height + 1;
            if (--open[above[i]] == 0)
                queue[ready++] = above[i];
        }
    }
    if (done < count) {
        /* what is open has something open below it: a walk down it ends on a cycle */
        uint32_t at = 0;
        for (size_t i = 0; i < tree->links; i++)
            if (open[tree->link[i].below] > 0)
                queue[at = tree->link[i].above] = tree->link[i].below;
        for (uint32_t step = 0; step < count; step++)
            at = queue[at];
        err = lp_fail_at(diag, LP_EPARSE, file, tree->sw[at].line, tree->sw[at].col,
                         "switch %s is above itself, expected a tree",
                         lp_str_show(shown, sizeof shown, tree->switches.name[at]));
    }
    if (err == LP_OK && tree->levels > HEIGHT_MAX)
        err = lp_fail_at(diag, LP_ELIMIT, file, 1, 0, "%u levels of switches, expected at most %d",
                         tree->levels, (int)HEIGHT_MAX);
end:
    lp_free(first);
    lp_free(above);
    lp_free(open);
    lp_free(queue);
    return err;
}
