/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a network or a cluster of others. The first byte says of which format, whether
 * servers forward, and whether a host is two servers. A refusal has a sentence and a place; what is
 * read has a report, and what is written of it is a scenario that loads. */
#include "fuzz.h"

#include "base/mem.h"
#include "import/import.h"
#include "import/nets/net.h"
#include "io/json/json.h"
#include "io/scenario/scenario.h"

static const char *const formats[] = {"slurm-topology", "topograph",    "graphml", "gml",
                                      "edges",          "astra-network"};
enum { FORMATS = 8, FORWARD = 8, SPLIT = 16 };

static LpErr keep(void *user, const char *bytes, size_t len, LpDiag *diag) {
    lp_buf_add_bytes(user, bytes, len);
    return lp_buf_ok(user, diag);
}

/* Each node of a level has something, and everything below is in one node. */
static void check_levels(const LpNet *net) {
    const LpNetLevel *level;
    uint32_t levels = lp_net_levels(net, &level), below = lp_net_servers(net);
    for (uint32_t l = 0; l < levels; l++) {
        uint32_t children = 0;
        for (uint32_t n = 0; n < level[l].nodes; n++) {
            lp_fuzz_must(level[l].node[n].children > 0);
            for (uint32_t i = 0; i < level[l].node[n].children; i++)
                lp_fuzz_must(level[l].node[n].child[i] < below);
            children += level[l].node[n].children;
        }
        lp_fuzz_must(children == below);
        below = level[l].nodes;
    }
}

static void check_import(const LpImport *import) {
    LpBuf text = {0};
    LpJson *json = NULL;
    LpScenario *scenario = NULL;
    LpDiag diag = {0};
    check_levels(import->reading.net);
    lp_fuzz_must(lp_import_json(import, true, &text, &diag) == LP_OK);
    lp_fuzz_must(lp_json_parse("out", lp_buf_text(&text), text.len, &json, &diag) == LP_OK);
    lp_json_free(json);
    lp_buf_clear(&text);
    lp_fuzz_must(lp_import_text(import, &text, &diag) == LP_OK);
    lp_buf_clear(&text);
    if (lp_import_write(import, NULL, keep, &text, &diag) == LP_OK) {
        const LpLoadOptions options = {.max_input = 1 << 28};
        LpErr err = lp_scenario_parse(lp_buf_text(&text), text.len, "/nowhere/s.json", &options,
                                      &scenario, &diag);
        /* a level's name may be longer than a scenario's */
        lp_fuzz_must(err == LP_OK || err == LP_ELIMIT);
        lp_scenario_free(scenario);
    }
    lp_buf_fini(&text);
}

FUZZ_TARGET(nets)(const uint8_t *data, size_t size) {
    LpImportOptions options = {0};
    LpImport import;
    LpDiag diag = {0};
    if (size == 0)
        return false;
    const LpFormat *format = lp_format_find(formats[data[0] % FORMATS % LP_COUNTOF(formats)]);
    options.servers_forward = data[0] & FORWARD;
    options.gpus_per_node = data[0] & SPLIT ? 2 : 0;
    const char *file[] = {lp_fuzz_file(data + 1, size - 1)};
    LpErr err = lp_import_read(format, file, 1, &options, &import, &diag);
    if (err == LP_OK)
        check_import(&import);
    else
        lp_fuzz_must(diag.text[0] != '\0' && diag.code == err);
    lp_import_free(&import);
    return err == LP_OK;
}
