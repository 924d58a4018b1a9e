/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions in words, and what comes of them as JSON and as tables. */
#include "ask/predict/region.h"

#include <inttypes.h>
#include <string.h>

#include "base/json_out.h"
#include "base/num.h"
#include "sim/turns/region.h"

enum { SHOWN = 64 };

typedef struct Reader {
    LpArena *arena;
    LpRegion *region;
    const char *demand, *ports, *rate, *packet_ports, *nodes, *rule;
    LpDiag *diag;
} Reader;

/* ---- reading ---- */

static LpErr fail_value(const Reader *r, const char *key, const char *value, const char *why) {
    char shown[SHOWN];
    return lp_fail(r->diag, LP_EINVAL, "%s=%s: %s", key, lp_str_show(shown, sizeof shown, value),
                   why);
}

static LpErr take_pair(Reader *r, char *word) {
    const struct {
        const char *key, **value;
    } keys[] = {{"demand", &r->demand}, {"ports", &r->ports},
                {"rate", &r->rate},     {"packet_ports", &r->packet_ports},
                {"nodes", &r->nodes},   {"rule", &r->rule}};
    char shown[SHOWN], *equals = strchr(word, '=');
    if (equals == NULL)
        return lp_fail(r->diag, LP_EINVAL, "\"%s\": expected KEY=VALUE",
                       lp_str_show(shown, sizeof shown, word));
    *equals = '\0';
    for (size_t i = 0; i < LP_COUNTOF(keys); i++)
        if (strcmp(word, keys[i].key) == 0) {
            if (*keys[i].value != NULL)
                return lp_fail(r->diag, LP_EINVAL, "%s is given twice", word);
            *keys[i].value = equals + 1;
            return LP_OK;
        }
    return lp_fail(r->diag, LP_EINVAL,
                   "there is no key %s of a region: expected demand, ports, rate, packet_ports, "
                   "nodes or rule",
                   lp_str_show(shown, sizeof shown, word));
}

/* The next item of a list, up to one of `ends`; *end is what it ended with. */
static LpErr next_item(const Reader *r, const char *key, const char **text, const char *ends,
                       char item[SHOWN], char *end) {
    size_t len = strcspn(*text, ends);
    if (len >= SHOWN)
        return fail_value(r, key, *text, "an item is too long for a number");
    memcpy(item, *text, len);
    item[len] = '\0';
    *text += len;
    *end = **text;
    *text += *end != '\0';
    return LP_OK;
}

/* As many rows as there are numbers in the first one. */
static LpErr read_demand(Reader *r) {
    uint32_t servers = 1, count = 0;
    const char *text = r->demand;
    if (text == NULL)
        return lp_fail(r->diag, LP_EINVAL,
                       "demand is missing: expected demand=0,6/4,0, bytes from "
                       "row to column, rows parted by /");
    for (const char *at = text; *at != '\0' && *at != '/'; at++)
        servers += *at == ',';
    if (servers < 2 || servers > LP_REGION_SERVERS_MAX)
        return lp_fail(r->diag, LP_EINVAL, "demand has %u columns: expected 2 to %d",
                       (unsigned)servers, (int)LP_REGION_SERVERS_MAX);
    double *bytes = lp_arena_alloc(r->arena, (size_t)servers * servers, sizeof *bytes);
    if (bytes == NULL)
        return lp_fail_memory(r->diag, "the demand");
    for (char end = ','; end != '\0';) {
        char item[SHOWN];
        LpDiag why;
        LP_TRY(next_item(r, "demand", &text, ",/", item, &end));
        bool row_ends = count % servers == servers - 1, last = count + 1 == servers * servers;
        if (count >= servers * servers || (end == '/') != (row_ends && !last) ||
            (end == '\0') != last)
            return lp_fail(r->diag, LP_EINVAL, "demand is no square: expected %u rows of %u",
                           (unsigned)servers, (unsigned)servers);
        if (lp_quantity_parse(item, LP_DIM_BYTES, &bytes[count], &why) != LP_OK)
            return fail_value(r, "demand", item, why.text);
        count++;
    }
    r->region->servers = servers;
    r->region->bytes = bytes;
    return LP_OK;
}

static LpErr read_port(const Reader *r, const char *key, const char *text, uint32_t *out) {
    uint64_t value = 0;
    LpDiag ignored;
    if (lp_num_parse_u64(text, &value, &ignored) != LP_OK || value > LP_REGION_PORTS_MAX)
        return fail_value(r, key, text, "expected a whole number from 0 to 1024");
    *out = (uint32_t)value;
    return LP_OK;
}

/* One number for all servers, or one each. */
static LpErr read_ports(Reader *r) {
    const char *text = r->ports != NULL ? r->ports : "0";
    uint32_t *ports = lp_arena_alloc(r->arena, r->region->servers, sizeof *ports), count = 0;
    if (ports == NULL)
        return lp_fail_memory(r->diag, "the ports of a region");
    for (char end = ','; end != '\0'; count++) {
        char item[SHOWN];
        if (count == r->region->servers)
            return fail_value(r, "ports", r->ports, "more numbers than servers");
        LP_TRY(next_item(r, "ports", &text, ",", item, &end));
        LP_TRY(read_port(r, "ports", item, &ports[count]));
    }
    if (count != 1 && count != r->region->servers)
        return fail_value(r, "ports", r->ports, "expected one number, or one for each server");
    for (uint32_t i = 1; count == 1 && i < r->region->servers; i++)
        ports[i] = ports[0];
    r->region->ports = ports;
    return LP_OK;
}

static LpErr read_region(Reader *r, const char *text) {
    LpDiag why;
    char *at = lp_arena_strdup(r->arena, text);
    if (at == NULL)
        return lp_fail_memory(r->diag, "the keys of a region");
    for (at += strspn(at, " \t\n"); *at != '\0'; at += strspn(at, " \t\n")) {
        char *word = at;
        at += strcspn(at, " \t\n");
        if (*at != '\0')
            *at++ = '\0';
        LP_TRY(take_pair(r, word));
    }
    LP_TRY(read_demand(r));
    LP_TRY(read_ports(r));
    if (r->packet_ports != NULL)
        LP_TRY(read_port(r, "packet_ports", r->packet_ports, &r->region->packet_ports));
    if (r->nodes != NULL)
        LP_TRY(read_port(r, "nodes", r->nodes, &r->region->nodes));
    if (r->rate == NULL)
        return lp_fail(r->diag, LP_EINVAL,
                       "rate is missing: expected that of a port, such as "
                       "rate=50GB/s");
    if (lp_quantity_parse(r->rate, LP_DIM_BANDWIDTH, &r->region->rate, &why) != LP_OK)
        return fail_value(r, "rate", r->rate, why.text);
    r->region->skip = r->rule != NULL && strcmp(r->rule, "skip") == 0;
    if (r->rule != NULL && !r->region->skip && strcmp(r->rule, "stop") != 0)
        return fail_value(r, "rule", r->rule, "expected stop or skip");
    return LP_OK;
}

/* ---- JSON ---- */

static void add_round_json(const LpRegionRound *round, LpJsonOut *out) {
    lp_json_break(out);
    lp_json_open(out, NULL, '{');
    lp_json_put_count(out, "from", round->a);
    lp_json_put_count(out, "to", round->b);
    lp_json_put_number(out, "demand", round->demand);
    lp_json_put_number(out, "time", round->time);
    lp_json_put_bool(out, "given", round->given);
    lp_json_close(out, '}');
}

/* Each circuit with the NUMA nodes at which it ends. */
static void add_ends_json(const LpRegion *r, const LpRegionResult *result, LpJsonOut *out) {
    lp_json_open(out, "ends", '[');
    for (uint32_t a = 0; a < r->servers; a++)
        for (uint32_t b = a + 1; b < r->servers; b++)
            for (uint32_t i = 0; i < result->circuits[(size_t)a * r->servers + b]; i++) {
                lp_json_open(out, NULL, '{');
                lp_json_put_count(out, "from", a);
                lp_json_put_count(out, "from_node", lp_region_node(r, result, a, b, i));
                lp_json_put_count(out, "to", b);
                lp_json_put_count(out, "to_node", lp_region_node(r, result, b, a, i));
                lp_json_close(out, '}');
            }
    lp_json_close(out, ']');
}

static void add_json(const LpRegion *r, const LpRegionResult *result, LpBuf *text) {
    LpJsonOut out = {.out = text};
    const LpJsonNumber times[] = {
        {"direct", result->direct}, {"split", result->split}, {"packets", result->packets}};
    lp_json_open(&out, NULL, '{');
    lp_json_put_count(&out, "lightpath", 1);
    lp_json_put_numbers(&out, times, LP_COUNTOF(times));
    lp_json_open(&out, "rounds", '[');
    for (uint32_t i = 0; i < result->rounds; i++)
        add_round_json(&result->round[i], &out);
    lp_json_close(&out, ']');
    lp_json_open(&out, "circuits", '[');
    for (uint32_t a = 0; a < r->servers; a++)
        lp_json_put_counts(&out, NULL, &result->circuits[(size_t)a * r->servers], r->servers);
    lp_json_close(&out, ']');
    if (r->nodes > 1)
        add_ends_json(r, result, &out);
    lp_json_end(&out);
}

/* ---- text ---- */

static void add_time(LpBuf *out, const char *name, double time) {
    char text[SHOWN];
    bool endless = time > 1e300;
    lp_buf_addf(out, "%-9s %s\n", name,
                endless ? "never: bytes without a circuit, and no port for packets"
                        : lp_quantity_print(time, LP_DIM_TIME, text, sizeof text));
}

/* A line for a pair that has circuits. */
static void add_circuits(const LpRegion *r, const LpRegionResult *result, uint32_t a, uint32_t b,
                         LpBuf *out) {
    uint32_t count = result->circuits[(size_t)a * r->servers + b];
    if (count == 0)
        return;
    lp_buf_addf(out, "%3" PRIu32 " %-5" PRIu32 " %" PRIu32, a, b, count);
    for (uint32_t i = 0; i < count && r->nodes > 1; i++)
        lp_buf_addf(out, "  %" PRIu32 "-%" PRIu32, lp_region_node(r, result, a, b, i),
                    lp_region_node(r, result, b, a, i));
    lp_buf_add(out, "\n");
}

static void add_text(const LpRegion *r, const LpRegionResult *result, LpBuf *out) {
    char demand[SHOWN], time[SHOWN];
    lp_buf_addf(out, "%5s  %-9s  %12s  %12s\n", "round", "servers", "demand", "its time");
    for (uint32_t i = 0; i < result->rounds; i++) {
        const LpRegionRound *round = &result->round[i];
        bool dark = round->time > 1e300;
        lp_buf_addf(
            out, "%5" PRIu32 "  %3" PRIu32 " %-5" PRIu32 "  %12s  %12s  %s\n", i + 1, round->a,
            round->b, lp_quantity_print(round->demand, LP_DIM_BYTES, demand, sizeof demand),
            dark ? "no circuit" : lp_quantity_print(round->time, LP_DIM_TIME, time, sizeof time),
            round->given ? "one more circuit" : "no free port");
    }
    lp_buf_add(out,
               r->nodes > 1 ? "\ncircuits, and the nodes at which they end\n" : "\ncircuits\n");
    for (uint32_t a = 0; a < r->servers; a++)
        for (uint32_t b = a + 1; b < r->servers; b++)
            add_circuits(r, result, a, b, out);
    lp_buf_add(out, "\nall-to-all\n");
    add_time(out, "direct", result->direct);
    add_time(out, "split", result->split);
    add_time(out, "packets", result->packets);
}

LpErr lp_region_report(const char *text, bool json, LpBuf *out, LpDiag *diag) {
    LpArena *arena = lp_arena_new(0);
    LpRegion region = {0};
    LpRegionResult result;
    if (arena == NULL)
        return lp_fail_memory(diag, "a region");
    Reader reader = {.arena = arena, .region = &region, .diag = diag};
    LpErr err = read_region(&reader, text);
    if (err == LP_OK)
        err = lp_region_make(&region, arena, &result, diag);
    if (err == LP_OK && json)
        add_json(&region, &result, out);
    else if (err == LP_OK)
        add_text(&region, &result, out);
    lp_arena_free(arena);
    return err;
}
