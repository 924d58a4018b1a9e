/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slurm's topology.conf: switches above switches and hosts, or blocks of hosts. Also what
 * `scontrol show topology` prints of it, which says the level of each switch. */
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "import/nets/nets.h"
#include "import/nets/switch_tree.h"
#include "io/files/lines.h"
#include "model/network/network.h"
#include "model/tree/hostlist.h"

/* What a line says, by names of any case; NULL: it does not. */
typedef struct Words {
    const char *switch_name, *switches, *nodes, *link_speed, *level, *block_name, *block_sizes;
} Words;

/* Switches below a switch, to be found once all are known. */
typedef struct Below {
    uint32_t above;
    int line;
    const char *list;
} Below;

typedef struct Slurm {
    LpSwitchTree *tree;
    LpSwitchTree *blocks; /* taken where there is no tree */
    Below *below;
    size_t belows, below_cap;
    LpArena *arena; /* of the lists */
    uint64_t speeds, several;
    const char *block_sizes; /* NULL: none */
    const char *file;
    int line; /* that is read */
} Slurm;

/* The names of a list, which NULL and "" are not; an error stands at the line. */
static LpErr names_of(Slurm *s, const char *list, const char *const **name, uint32_t *names,
                      LpDiag *diag) {
    LpDiag inner;
    char shown[80];
    *names = 0;
    if (list == NULL || list[0] == '\0')
        return LP_OK;
    LpErr err = lp_hostlist_expand(list, LP_NETWORK_SERVERS_MAX, s->arena, name, names, &inner);
    if (err == LP_OK || err == LP_ENOMEM)
        return err == LP_OK ? LP_OK : lp_fail_memory(diag, "a list of hosts");
    return lp_fail_at(diag, err, s->file, s->line, 0, "\"%s\" is no list of hosts: %s",
                      lp_str_show(shown, sizeof shown, list), inner.text);
}

/* The hosts of the switch, or block, of this line. */
static LpErr take_hosts(Slurm *s, LpSwitchTree *tree, uint32_t leaf, const char *list,
                        LpDiag *diag) {
    const char *const *host;
    uint32_t hosts;
    char shown[80];
    LP_TRY(names_of(s, list, &host, &hosts, diag));
    for (uint32_t i = 0; i < hosts; i++) {
        bool fresh;
        LP_TRY(lp_switch_tree_host(tree, host[i], leaf, &fresh, diag));
        if (!fresh)
            return lp_fail_at(diag, LP_EPARSE, s->file, s->line, 0,
                              "node %s hangs on two switches, or twice on one, expected one",
                              lp_str_show(shown, sizeof shown, host[i]));
    }
    return LP_OK;
}

/* Cuts a line into Name=value. The names' values point into the line. */
static LpErr cut(LpLineFile *lines, char *text, Words *words, LpDiag *diag) {
    struct {
        const char *name;
        const char **value;
    } known[] = {{"SwitchName", &words->switch_name},
                 {"Switches", &words->switches},
                 {"Nodes", &words->nodes},
                 {"LinkSpeed", &words->link_speed},
                 {"Level", &words->level},
                 {"BlockName", &words->block_name},
                 {"BlockSizes", &words->block_sizes}};
    char shown[80];
    *words = (Words){0};
    text[strcspn(text, "#")] = '\0';
    for (char *word = text + strspn(text, " \t"); *word != '\0';) {
        size_t len = strcspn(word, " \t");
        char *next = word + len + strspn(word + len, " \t"), *equals;
        word[len] = '\0';
        equals = strchr(word, '=');
        if (equals == NULL)
            return lp_lines_fail(lines, diag, "\"%s\", expected Name=value",
                                 lp_str_show(shown, sizeof shown, word));
        *equals = '\0';
        for (size_t i = 0; i < LP_COUNTOF(known); i++)
            if (strcasecmp(word, known[i].name) == 0)
                *known[i].value = equals + 1;
        word = next;
    }
    return LP_OK;
}

static LpErr read_switch(Slurm *s, const Words *words, LpDiag *diag) {
    uint32_t number;
    bool fresh;
    char shown[80];
    LP_TRY(lp_switch_tree_switch(s->tree, words->switch_name, s->line, 0, &number, &fresh, diag));
    if (!fresh)
        return lp_fail_at(
            diag, LP_EPARSE, s->file, s->line, 0, "switch %s stands there twice, first in line %d",
            lp_str_show(shown, sizeof shown, words->switch_name), s->tree->sw[number].line);
    s->speeds += words->link_speed != NULL;
    if (words->switches != NULL) {
        const char *list = lp_arena_strdup(s->arena, words->switches);
        if (list == NULL ||
            lp_grow((void **)&s->below, &s->below_cap, s->belows + 1, sizeof *s->below) != LP_OK)
            return lp_fail_memory(diag, "switches below a switch");
        s->below[s->belows++] = (Below){number, s->line, list};
    }
    /* scontrol repeats all hosts below at the switches above */
    if (words->level != NULL && words->switches != NULL)
        return LP_OK;
    return take_hosts(s, s->tree, number, words->nodes, diag);
}

static LpErr read_block(Slurm *s, const Words *words, LpDiag *diag) {
    uint32_t number;
    bool fresh;
    char shown[80];
    LP_TRY(lp_switch_tree_switch(s->blocks, words->block_name, s->line, 0, &number, &fresh, diag));
    if (!fresh)
        return lp_fail_at(diag, LP_EPARSE, s->file, s->line, 0, "block %s stands there twice",
                          lp_str_show(shown, sizeof shown, words->block_name));
    return take_hosts(s, s->blocks, number, words->nodes, diag);
}

static LpErr read_lines(Slurm *s, LpLineFile *lines, LpDiag *diag) {
    LpBuf whole = {0}; /* a line with those that a backslash joins to it */
    LpErr err = LP_OK;
    for (;;) {
        char *line;
        size_t len;
        Words words;
        err = lp_lines_next(lines, &line, &len, diag);
        if (err != LP_OK || (line == NULL && whole.len == 0))
            break;
        if (line != NULL) {
            bool more = len > 0 && line[len - 1] == '\\';
            lp_buf_add_bytes(&whole, line, more ? len - 1 : len);
            lp_buf_add(&whole, more ? " " : "");
            if (more)
                continue;
        }
        err = lp_buf_ok(&whole, diag);
        s->line = lp_lines_number(lines);
        if (err == LP_OK && !lp_utf8_is_valid(lp_buf_text(&whole), whole.len))
            err = lp_lines_fail(lines, diag, "the line is no UTF-8");
        if (err == LP_OK && whole.len > 0)
            err = cut(lines, whole.text, &words, diag);
        else
            words = (Words){0};
        bool empty = whole.len == 0 || whole.text[strspn(whole.text, " \t")] == '\0';
        if (err == LP_OK && words.switch_name != NULL)
            err = read_switch(s, &words, diag);
        else if (err == LP_OK && words.block_name != NULL)
            err = read_block(s, &words, diag);
        else if (err == LP_OK && words.block_sizes != NULL)
            s->block_sizes = lp_arena_strdup(s->arena, words.block_sizes);
        else if (err == LP_OK && !empty)
            err = lp_lines_fail(lines, diag,
                                "neither SwitchName nor BlockName, expected one of them");
        lp_buf_clear(&whole);
        if (err != LP_OK || line == NULL)
            break;
    }
    lp_buf_fini(&whole);
    return err;
}

static LpErr join_below(Slurm *s, const Below *below, LpDiag *diag) {
    const char *const *name;
    uint32_t names;
    char shown[80];
    s->line = below->line;
    LP_TRY(names_of(s, below->list, &name, &names, diag));
    for (uint32_t i = 0; i < names; i++) {
        uint32_t number = lp_names_find(&s->tree->switches, name[i]);
        if (number == LP_NO_INDEX)
            return lp_fail_at(diag, LP_EPARSE, s->file, s->line, 0,
                              "switch %s is not defined, expected a line SwitchName=%s",
                              lp_str_show(shown, sizeof shown, name[i]), shown);
        s->several += s->tree->sw[number].parents > 0;
        LP_TRY(lp_switch_tree_link(s->tree, below->above, number, diag));
    }
    return LP_OK;
}

/* Blocks alone hang on one switch that the file does not have. */
static LpErr join_blocks(Slurm *s, LpDiag *diag) {
    uint32_t blocks = s->blocks->switches.count, top;
    bool fresh;
    LP_TRY(lp_switch_tree_switch(s->blocks, "(all blocks)", 0, 0, &top, &fresh, diag));
    if (!fresh)
        return lp_fail_at(diag, LP_EPARSE, s->file, s->blocks->sw[top].line, 0,
                          "a block is called \"(all blocks)\", expected another name");
    for (uint32_t b = 0; b < blocks; b++)
        LP_TRY(lp_switch_tree_link(s->blocks, top, b, diag));
    s->blocks->blocks = true;
    return LP_OK;
}

static LpErr add_notes(const Slurm *s, LpNet *net, uint32_t blocks, LpDiag *diag) {
    bool tree = s->tree->switches.count > 0;
    LP_TRY(lp_net_note(net, "link_speeds_have_no_unit", s->speeds, diag));
    if (s->block_sizes != NULL)
        LP_TRY(lp_net_note_text(net, "block_sizes", s->block_sizes, diag));
    LP_TRY(lp_net_note(net, tree ? "tree_taken_blocks_ignored" : "blocks_joined_by_one_switch",
                       blocks, diag));
    return lp_net_note(net, "switches_with_several_parents", s->several, diag);
}

/* After the last line. */
static LpErr make_net(Slurm *s, LpReading *reading, LpDiag *diag) {
    uint32_t blocks = s->blocks->switches.count;
    if (s->tree->switches.count == 0 && blocks == 0)
        return lp_fail_at(diag, LP_EPARSE, s->file, 1, 0,
                          "no switch and no block, expected lines such as "
                          "SwitchName=s0 Nodes=host[0-15]");
    for (size_t i = 0; i < s->belows; i++)
        LP_TRY(join_below(s, &s->below[i], diag));
    LP_TRY(add_notes(s, reading->net, blocks, diag));
    if (s->tree->switches.count == 0) {
        LpSwitchTree *empty = s->tree;
        LP_TRY(join_blocks(s, diag));
        s->tree = s->blocks;
        s->blocks = empty;
    }
    LP_TRY(lp_switch_tree_done(s->tree, s->file, diag));
    if (s->tree->hosts.count == 0)
        return lp_fail_at(diag, LP_EPARSE, s->file, 1, 0,
                          "no switch has hosts, expected Nodes= on some line");
    return lp_switch_tree_net(s->tree, reading->options, reading->net, diag);
}

static LpErr read_slurm(LpReading *reading, LpDiag *diag) {
    Slurm s = {.file = reading->file[0]};
    LpLineFile *lines = NULL;
    LpErr err = lp_switch_tree_new(&s.tree, diag);
    if (err == LP_OK)
        err = lp_switch_tree_new(&s.blocks, diag);
    s.arena = lp_arena_new(0);
    if (err == LP_OK && s.arena == NULL)
        err = lp_fail_memory(diag, "a topology");
    if (err == LP_OK)
        err = lp_lines_open(reading->file[0], reading->options->max_input, &lines, diag);
    if (err == LP_OK) {
        s.file = lp_lines_file(lines);
        err = read_lines(&s, lines, diag);
    }
    if (err == LP_OK)
        err = make_net(&s, reading, diag);
    if (err == LP_OK) {
        reading->own = s.tree;
        s.tree = NULL;
    }
    lp_lines_close(lines);
    lp_switch_tree_free(s.tree);
    lp_switch_tree_free(s.blocks);
    lp_arena_free(s.arena);
    lp_free(s.below);
    return err;
}

static void report(const LpReading *reading, bool all, LpJsonOut *json) {
    const LpSwitchTree *tree = reading->own;
    (void)all;
    lp_json_put_count(json, "servers", tree->hosts.count);
    lp_json_put_count(json, "switches", tree->switches.count);
    lp_json_put_count(json, "levels", tree->levels);
    lp_switch_tree_put_tops(tree, json);
    lp_switch_tree_put_leaf_sizes(tree, json);
    lp_json_put_count(json, "cables", tree->cables);
    lp_net_put_notes(reading->net, json);
    enum { FIRST = 4 };
    lp_json_put_texts(json, "first_servers", tree->hosts.name,
                      tree->hosts.count < FIRST ? tree->hosts.count : FIRST);
    if (tree->split > 1)
        lp_json_put_count(json, "gpus_per_node", tree->split);
}

/* The first word of the first line that says something. */
static bool is_slurm(const LpHead *head) {
    static const char *const begin[] = {"switchname=", "blockname=", "blocksizes="};
    size_t at = 0;
    while (at < head->len) {
        const char *line = head->text + at, *end = memchr(line, '\n', head->len - at);
        size_t len = end != NULL ? (size_t)(end - line) : head->len - at, blank = 0;
        while (blank < len && (line[blank] == ' ' || line[blank] == '\t' || line[blank] == '\r'))
            blank++;
        for (size_t i = 0; i < LP_COUNTOF(begin); i++)
            if (len - blank >= strlen(begin[i]) &&
                strncasecmp(line + blank, begin[i], strlen(begin[i])) == 0)
                return true;
        if (blank < len && line[blank] != '#')
            return false;
        at += len + 1;
    }
    return false;
}

const LpFormat lp_format_slurm_topology = {
    .name = "slurm-topology",
    .called = "slurm topology",
    .what = "a cluster as Slurm's topology.conf has it: a tree of switches, or blocks",
    .makes = LP_MAKES_CLUSTER,
    .least = 1,
    .most = 1,
    .is = is_slurm,
    .read = read_slurm,
    .report = report,
    .text = lp_switch_tree_text,
    .drop = lp_switch_tree_free,
};
