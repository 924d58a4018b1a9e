/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks of ASTRA-sim's analytical backend: four lists in a part of YAML, one entry a dimension.
 */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "import/nets/net.h"
#include "import/nets/nets.h"
#include "import/trace/astra.h"
#include "io/files/file.h"
#include "model/network/network.h"

enum { DIMENSIONS_MAX = 16, ITEM_TEXT = 64, TIMES = 4 };

static const double GIGA = 1e9, GIBI = 1073741824, NANO = 1e-9, MESSAGE = 1048576;

/* The keys that there must be, and more: a list of each is kept. */
enum { TOPOLOGY, NPUS, BANDWIDTH, LATENCY, KEYS };
static const char *const KEY[KEYS] = {"topology", "npus_count", "bandwidth", "latency"};

typedef enum Kind { RING, SWITCH, FULL, KINDS } Kind;
static const char *const KIND[KINDS] = {"Ring", "Switch", "FullyConnected"};

typedef struct Item {
    char text[ITEM_TEXT]; /* cut to size, which no good one is */
    int line;
} Item;

typedef struct List {
    Item item[DIMENSIONS_MAX];
    uint32_t count;
    int line; /* 0: the key is not there */
} List;

typedef struct Network {
    uint32_t dimensions, count[DIMENSIONS_MAX], npus, switches;
    Kind kind[DIMENSIONS_MAX];
    double written[DIMENSIONS_MAX], rate[DIMENSIONS_MAX]; /* as it stands there; B/s */
    double latency[DIMENSIONS_MAX];                       /* ns */
    uint64_t cables;
    bool rings, even; /* all are rings; they are as fast as each other, and longer than 2 */
    LpAstraTime time[TIMES];
    size_t times;
    LpAstraSystem system;
} Network;

/* ---- lists in YAML ---- */

typedef struct Text {
    const char *file, *at;
    int line;
} Text;

#define FAIL(where, diag, line, ...)                                                               \
    lp_fail_at(diag, LP_EPARSE, (where)->file, line, 0, __VA_ARGS__)

static LpErr no_yaml(const Text *t, const char *expected, LpDiag *diag) {
    return FAIL(t, diag, t->line, "this is no YAML that is read here: expected %s", expected);
}

/* Passes over blanks and remarks, and with `lines` over the ends of lines. */
static void skip_blanks(Text *t, bool lines) {
    for (;; t->at++) {
        if (*t->at == '#')
            t->at += strcspn(t->at, "\n");
        if (*t->at == '\n' && lines)
            t->line++;
        else if (*t->at != ' ' && *t->at != '\t' && *t->at != '\r')
            return;
    }
}

/* An entry of a list, without its quotes. */
static LpErr read_item(Text *t, Item *out, LpDiag *diag) {
    const char *begin = t->at;
    size_t len;
    out->line = t->line;
    if (*begin == '"' || *begin == '\'') {
        const char *end = strchr(begin + 1, *begin);
        if (end == NULL || memchr(begin, '\n', (size_t)(end - begin)) != NULL)
            return no_yaml(t, "a closing quote", diag);
        begin++;
        len = (size_t)(end - begin);
        t->at = end + 1;
    } else {
        len = strcspn(begin, ",[]{}\n#:");
        t->at = begin + len;
        while (len > 0 && strchr(" \t\r", begin[len - 1]) != NULL)
            len--;
    }
    if (len >= sizeof out->text)
        len = sizeof out->text - 1;
    memcpy(out->text, begin, len);
    out->text[len] = '\0';
    return len > 0 ? LP_OK : no_yaml(t, "a value between the commas of a list", diag);
}

/* A list in brackets, on one line or several; `list` NULL: it is not kept. */
static LpErr read_list(Text *t, List *list, LpDiag *diag) {
    Item item;
    uint32_t count = 0;
    if (*t->at != '[')
        return no_yaml(t, "a list such as [ Ring, Switch ]", diag);
    t->at++;
    skip_blanks(t, true);
    while (*t->at != ']') {
        LP_TRY(read_item(t, &item, diag));
        if (list != NULL && count == DIMENSIONS_MAX)
            return lp_fail_at(diag, LP_ELIMIT, t->file, t->line, 0, "more than %d dimensions",
                              (int)DIMENSIONS_MAX);
        if (list != NULL)
            list->item[count] = item;
        count++;
        skip_blanks(t, true);
        if (*t->at == ',') {
            t->at++;
            skip_blanks(t, true);
        } else if (*t->at != ']') {
            return no_yaml(t, "a comma or ] in a list", diag);
        }
    }
    t->at++;
    if (list != NULL)
        list->count = count;
    return LP_OK;
}

/* Reads "key: value" up to the end of the file. Keys of others are passed over. */
static LpErr read_lists(Text *t, List list[KEYS], LpDiag *diag) {
    char shown[ITEM_TEXT];
    for (skip_blanks(t, true); *t->at != '\0'; skip_blanks(t, true)) {
        size_t len = strcspn(t->at, ":\n#[]{},"), key = 0;
        if (strncmp(t->at, "---", 3) == 0 && strcspn(t->at, "\r\n") == 3) {
            t->at += 3;
            continue;
        }
        if (t->at[len] != ':' || len == 0)
            return no_yaml(t, "a key such as topology: [ Ring ]", diag);
        while (key < KEYS && (strlen(KEY[key]) != len || memcmp(t->at, KEY[key], len) != 0))
            key++;
        lp_str_copy(shown, len < sizeof shown ? len + 1 : sizeof shown, t->at);
        if (key < KEYS && list[key].line > 0)
            return FAIL(t, diag, t->line, "%s stands there twice", shown);
        if (key < KEYS)
            list[key].line = t->line;
        t->at += len + 1;
        skip_blanks(t, false);
        bool next_line = *t->at == '\n';
        skip_blanks(t, true);
        if (*t->at == '[')
            LP_TRY(read_list(t, key < KEYS ? &list[key] : NULL, diag));
        else if (key < KEYS)
            return FAIL(t, diag, t->line, "%s is no list, expected one such as [ 4, 8 ]", shown);
        else if (!next_line)
            t->at += strcspn(t->at, "\n");
        skip_blanks(t, false);
        if (*t->at != '\n' && *t->at != '\0' && !(key == KEYS && next_line))
            return no_yaml(t, "the end of the line behind a list", diag);
    }
    return LP_OK;
}

/* Formats of ASTRA-sim's other backends. */
static LpErr refuse_others(const Text *t, LpDiag *diag) {
    size_t digits = strspn(t->at, "0123456789 \t\r");
    if (strncmp(t->at, "Nodes ", 6) == 0)
        return FAIL(t, diag, 1,
                    "this is a topology of htsim, expected one of ASTRA-sim's analytical network");
    if (digits > 2 && t->at[digits] == '\n')
        return FAIL(t, diag, 1,
                    "this is a topology of ns-3, expected one of ASTRA-sim's analytical network");
    return LP_OK;
}

/* ---- what the lists mean ---- */

static LpErr read_number(const Text *t, const Item *item, size_t key, double *out, LpDiag *diag) {
    static const char *const expected[KEYS] = {NULL, "a whole number > 1", "a number > 0",
                                               "a number >= 0"};
    char shown[ITEM_TEXT];
    bool good = lp_num_parse(item->text, out, NULL) == LP_OK;
    if (good && key == NPUS)
        good = *out > 1 && *out <= LP_NETWORK_SERVERS_MAX && *out == floor(*out);
    else if (good)
        good = key == BANDWIDTH ? *out > 0 : *out >= 0;
    if (good)
        return LP_OK;
    return FAIL(t, diag, item->line, "%s is %s, expected %s", KEY[key],
                lp_str_show(shown, sizeof shown, item->text), expected[key]);
}

static LpErr read_network(const Text *t, const List list[KEYS], bool decimal, Network *n,
                          LpDiag *diag) {
    char shown[ITEM_TEXT];
    for (size_t k = 0; k < KEYS; k++)
        if (list[k].line == 0)
            return FAIL(t, diag, t->line, "no key %s, expected %s: [ ... ]", KEY[k], KEY[k]);
    n->dimensions = list[TOPOLOGY].count;
    for (size_t k = 1; k < KEYS; k++)
        if (list[k].count != n->dimensions)
            return FAIL(t, diag, list[k].line, "%s has %u entries, topology has %u", KEY[k],
                        list[k].count, n->dimensions);
    if (n->dimensions == 0)
        return FAIL(t, diag, list[TOPOLOGY].line, "topology has no entry, expected at least one");
    for (uint32_t d = 0; d < n->dimensions; d++) {
        const Item *item = &list[TOPOLOGY].item[d];
        int kind = 0;
        while (kind < KINDS && strcmp(item->text, KIND[kind]) != 0)
            kind++;
        if (kind == KINDS)
            return FAIL(t, diag, item->line,
                        "topology \"%s\", expected Ring, Switch or FullyConnected",
                        lp_str_show(shown, sizeof shown, item->text));
        n->kind[d] = (Kind)kind;
    }
    n->npus = 1;
    for (size_t k = 1; k < KEYS; k++)
        for (uint32_t d = 0; d < n->dimensions; d++) {
            double value;
            LP_TRY(read_number(t, &list[k].item[d], k, &value, diag));
            if (k == NPUS && (double)n->npus * value > LP_NETWORK_SERVERS_MAX)
                return lp_fail_at(diag, LP_ELIMIT, t->file, list[k].line, 0,
                                  "npus_count multiplies to more than %d NPUs",
                                  (int)LP_NETWORK_SERVERS_MAX);
            if (k == NPUS)
                n->npus *= n->count[d] = (uint32_t)value;
            if (k == BANDWIDTH)
                n->rate[d] = (n->written[d] = value) * (decimal ? GIGA : GIBI);
            if (k == LATENCY)
                n->latency[d] = value;
        }
    n->rings = n->even = true;
    for (uint32_t d = 0; d < n->dimensions; d++) {
        uint64_t of = n->count[d], lines = n->npus / of;
        n->cables += lines * (n->kind[d] == SWITCH ? of
                              : n->kind[d] == FULL ? of * (of - 1) / 2
                              : of > 2             ? of
                                                   : 1);
        n->switches += n->kind[d] == SWITCH ? (uint32_t)lines : 0;
        n->rings = n->rings && n->kind[d] == RING;
        n->even = n->even && n->rate[d] == n->rate[0] && n->latency[d] == n->latency[0] &&
                  of > 2; /* a ring of 2 is one cable here, two on a torus */
    }
    if (n->cables > LP_NETWORK_CABLES_MAX)
        return lp_fail_at(diag, LP_ELIMIT, t->file, list[TOPOLOGY].line, 0,
                          "the dimensions need more than %d cables", (int)LP_NETWORK_CABLES_MAX);
    return LP_OK;
}

/* ---- the network ---- */

/* The line of NPUs first, first + stride, ... along a dimension. */
static LpErr join_line(const Network *n, uint32_t d, uint32_t first, uint32_t stride, LpNet *net,
                       LpDiag *diag) {
    uint32_t count = n->count[d];
    LpNetCable cable = {.bandwidth = n->rate[d], .delay = lp_num_round(n->latency[d] * NANO, 15)};
    if (n->kind[d] == SWITCH) {
        char name[48];
        LpBuf text = {0};
        lp_buf_addf(&text, "dim%u-%u", d, lp_net_switches(net));
        lp_str_copy(name, sizeof name, lp_buf_text(&text));
        lp_buf_fini(&text);
        cable.to.is_switch = true;
        LP_TRY(lp_net_switch(net, name, &cable.to.number, diag));
    }
    for (uint32_t i = 0; i < count; i++) {
        cable.from.number = first + i * stride;
        if (n->kind[d] == SWITCH)
            LP_TRY(lp_net_cable(net, &cable, diag));
        for (uint32_t k = i + 1; n->kind[d] == FULL && k < count; k++) {
            cable.to.number = first + k * stride;
            LP_TRY(lp_net_cable(net, &cable, diag));
        }
        if (n->kind[d] == RING && (count > 2 || i == 0)) {
            cable.to.number = first + (i + 1) % count * stride;
            LP_TRY(lp_net_cable(net, &cable, diag));
        }
    }
    return LP_OK;
}

static LpErr make_net(const Network *n, LpNet *net, LpDiag *diag) {
    uint32_t stride = 1, size[LP_TORUS_DIMENSIONS];
    bool forward = false;
    for (uint32_t i = 0; i < n->npus; i++) {
        char name[24];
        LpBuf text = {0};
        lp_buf_addf(&text, "npu%u", i);
        lp_str_copy(name, sizeof name, lp_buf_text(&text));
        lp_buf_fini(&text);
        LP_TRY(lp_net_server(net, name, NULL, diag));
    }
    for (uint32_t d = 0; d < n->dimensions; d++) {
        for (uint32_t i = 0; i < n->npus; i++)
            if (i / stride % n->count[d] == 0)
                LP_TRY(join_line(n, d, i, stride, net, diag));
        stride *= n->count[d];
        forward = forward || n->kind[d] != SWITCH;
    }
    if (forward)
        lp_net_forwards(net);
    if (n->rings && n->even && n->dimensions <= LP_TORUS_DIMENSIONS) {
        /* here the last size runs fastest, there the first dimension */
        for (uint32_t d = 0; d < n->dimensions; d++)
            size[d] = n->count[n->dimensions - 1 - d];
        lp_net_is_torus(net, size, n->dimensions);
    }
    return LP_OK;
}

/* What ASTRA-sim says of collectives of 1 MiB on a single ring, where its system is given. */
static LpErr find_times(Network *n, const char *file, LpNet *net, LpDiag *diag) {
    static const LpTraceCall call[TIMES] = {LP_TRACE_ALL_GATHER, LP_TRACE_ALL_REDUCE,
                                            LP_TRACE_REDUCE_SCATTER, LP_TRACE_ALL_TO_ALL};
    LP_TRY(lp_astra_system(file, &n->system, diag));
    if (n->dimensions > 1 || n->kind[0] != RING)
        return lp_net_assume(net, "what ASTRA-sim says of collectives is known of one ring alone",
                             diag);
    LpAstraRing ring = {n->rate[0], n->latency[0]};
    for (size_t i = 0; i < TIMES; i++)
        n->times += lp_astra_time(call[i], n->npus, (uint64_t)MESSAGE, &n->system, &ring,
                                  &n->time[n->times]);
    return LP_OK;
}

static LpErr read_astra(LpReading *reading, LpDiag *diag) {
    const LpImportOptions *options = reading->options;
    Text t = {.file = reading->file[0], .line = 1};
    char *text = NULL;
    size_t len;
    Network *n = lp_alloc(1, sizeof *n);
    List *list = lp_alloc(KEYS, sizeof *list);
    LpErr err = n == NULL || list == NULL ? lp_fail_memory(diag, "a network of ASTRA-sim") : LP_OK;
    if (err == LP_OK)
        err = lp_file_read(t.file, (size_t)lp_import_limit(options), &text, &len, diag);
    if (err == LP_OK) {
        t.at = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text;
        err = refuse_others(&t, diag);
    }
    if (err == LP_OK)
        err = read_lists(&t, list, diag);
    if (err == LP_OK)
        err = read_network(&t, list, options->decimal, n, diag);
    if (err == LP_OK)
        err = make_net(n, reading->net, diag);
    if (err == LP_OK && options->system != NULL)
        err = find_times(n, options->system, reading->net, diag);
    if (err == LP_OK) {
        reading->own = n;
        n = NULL;
    }
    lp_free(n);
    lp_free(list);
    lp_free(text);
    return err;
}

/* ---- the report ---- */

static void put_numbers(LpJsonOut *json, const char *key, const double *value, uint32_t count,
                        double unit, int places) {
    lp_json_open(json, key, '[');
    for (uint32_t i = 0; i < count; i++)
        lp_json_put_number(json, NULL, lp_num_round(value[i] * unit, places));
    lp_json_close(json, ']');
}

static void report(const LpReading *reading, bool all, LpJsonOut *json) {
    enum { TIME_PLACES = 15 };
    const Network *n = reading->own;
    (void)all;
    lp_json_put_count(json, "dimensions", n->dimensions);
    lp_json_open(json, "topology", '[');
    for (uint32_t d = 0; d < n->dimensions; d++)
        lp_json_put_text(json, NULL, KIND[n->kind[d]]);
    lp_json_close(json, ']');
    lp_json_put_counts(json, "npus_count", n->count, n->dimensions);
    lp_json_put_count(json, "npus", n->npus);
    put_numbers(json, "bytes_per_s", n->rate, n->dimensions, 1, 0);
    put_numbers(json, "latency_s", n->latency, n->dimensions, NANO, TIME_PLACES);
    lp_json_put_count(json, "cables", n->cables);
    lp_json_put_count(json, "switches", n->switches);
    if (!n->rings) {
        lp_json_put_null(json, "torus_size");
    } else {
        lp_json_open(json, "torus_size", '[');
        for (uint32_t d = n->dimensions; d-- > 0;)
            lp_json_put_count(json, NULL, n->count[d]);
        lp_json_close(json, ']');
    }
    if (n->times > 0)
        lp_astra_put(n->time, n->times, json);
}

/* ns that a message of 1 MiB takes to a neighbour, as ASTRA-sim cuts them. */
static double message_ns(const Network *n, uint32_t d) {
    double link = floor(n->latency[d] + MESSAGE / (n->rate[d] / GIGA));
    return n->kind[d] == SWITCH ? 2 * link : link;
}

static void text(const LpReading *reading, LpBuf *out) {
    const Network *n = reading->own;
    lp_buf_addf(out, "  network           %u NPUs in %u dimension%s, %llu cables, %u switch%s\n",
                n->npus, n->dimensions, lp_str_s(n->dimensions), (unsigned long long)n->cables,
                n->switches, n->switches == 1 ? "" : "es");
    for (uint32_t d = 0; d < n->dimensions; d++) {
        char written[LP_NUM_TEXT], latency[LP_NUM_TEXT], binary[32], decimal[32];
        lp_num_print(n->written[d], written);
        lp_num_print(n->latency[d], latency);
        lp_quantity_print(n->written[d] * GIBI, LP_DIM_BANDWIDTH, binary, sizeof binary);
        lp_quantity_print(n->written[d] * GIGA, LP_DIM_BANDWIDTH, decimal, sizeof decimal);
        lp_buf_addf(out, "  dimension %-2u      %u %s; %s GB/s: 2^30 bytes each make %s%s, ", d,
                    n->count[d], KIND[n->kind[d]], written, binary,
                    reading->options->decimal ? "" : " (taken, as ASTRA-sim does)");
        lp_buf_addf(out, "10^9 make %s%s; %s ns a link\n", decimal,
                    reading->options->decimal ? " (taken)" : "", latency);
        lp_buf_addf(out, "                    one message of 1 MiB to the neighbour: %.0f ns\n",
                    message_ns(n, d));
    }
    if (n->times > 0)
        lp_astra_text(n->time, n->times, &n->system, out);
    lp_net_text_reach(reading->net, out);
    lp_net_text_notes(reading->net, out);
}

static bool is_astra(const LpHead *head) {
    return lp_head_has(head, "topology:") && lp_head_has(head, "npus_count:");
}

const LpFormat lp_format_astra_network = {
    .name = "astra-network",
    .called = "astra network",
    .what = "a network of ASTRA-sim's analytical backend (YAML)",
    .makes = LP_MAKES_CLUSTER,
    .least = 1,
    .most = 1,
    .is = is_astra,
    .read = read_astra,
    .report = report,
    .text = text,
    .drop = lp_free,
};
