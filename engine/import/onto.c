/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clusters for jobs of traces. Whatever they come from, they are read as a scenario's, so that what
 * is written is known to be good and levels are those of the cluster itself. */
#include "import/onto.h"

#include <string.h>

#include "base/mem.h"
#include "host/paths.h"
#include "import/nets/net.h"
#include "io/files/file.h"
#include "io/json/json.h"
#include "io/scenario/scenario.h"
#include "model/fabric/fabric.h"

void lp_import_onto_free(LpImportOnto *onto) {
    lp_import_free(&onto->net);
    lp_buf_fini(&onto->cluster);
    *onto = (LpImportOnto){0};
}

static LpErr find_level(const LpTree *tree, const char *required, uint32_t *most, LpDiag *diag) {
    char shown[64];
    int level = lp_tree_level_find(tree, required);
    if (level < 0 || (uint32_t)level == tree->levels) {
        LpBuf names = {0};
        for (uint32_t l = 0; l < tree->levels; l++)
            lp_buf_addf(&names, "%s%s", l > 0 ? ", " : "", tree->level_name[l]);
        LpErr err = lp_fail(diag, LP_EINVAL, "--required is \"%s\", but the cluster has %s",
                            lp_str_show(shown, sizeof shown, required),
                            tree->levels > 0 ? lp_buf_text(&names) : "no levels");
        lp_buf_fini(&names);
        return err;
    }
    *most = 0;
    for (uint32_t n = tree->level_begin[level]; n < tree->level_begin[level + 1]; n++)
        if (tree->size[n] > *most)
            *most = tree->size[n];
    return LP_OK;
}

/* Takes the cluster of a scenario's text. */
static LpErr take_cluster(const char *file, const char *text, size_t len,
                          const LpImportOptions *options, LpImportOnto *out, LpDiag *diag) {
    LpPaths paths;
    LpLoadOptions load = {.data_dirs = lp_paths_dirs(&paths), .traces = &lp_import_source};
    LpScenario *scenario;
    LpJson *doc;
    LP_TRY(lp_scenario_parse(text, len, file, &load, &scenario, diag));
    out->servers = lp_cluster_servers(&scenario->cluster);
    out->slices = lp_fabric_ops(scenario->cluster.fabric)->slices;
    LpErr err = options->required == NULL ? LP_OK
                                          : find_level(scenario->cluster.tree, options->required,
                                                       &out->level_servers, diag);
    lp_scenario_free(scenario);
    LP_TRY(err);
    LP_TRY(lp_json_parse(file, text, len, &doc, diag));
    lp_json_print(lp_json_member(lp_json_root(doc), "cluster"), &out->cluster);
    lp_json_free(doc);
    return lp_buf_ok(&out->cluster, diag);
}

static LpErr read_net(const LpFormat *format, const char *const *file,
                      const LpImportOptions *options, LpImportOnto *out, LpDiag *diag) {
    const LpNetLevel *level;
    LpBuf text = {0};
    LpJsonOut json = {.out = &text};
    LP_TRY(lp_import_read(format, file, 1, options, &out->net, diag));
    const LpReading *reading = &out->net.reading;
    out->hosts = lp_net_levels(reading->net, &level) > 0 && options->gpus_per_node <= 1;
    lp_json_open(&json, NULL, '{');
    lp_json_put_count(&json, "lightpath", 1);
    LpErr err = lp_net_cluster(reading->net, reading, &json, diag);
    lp_json_put_raw(&json, "jobs", "[{\"servers\":1,\"duration\":1}]");
    lp_json_close(&json, '}');
    if (err == LP_OK)
        err = lp_buf_ok(&text, diag);
    if (err == LP_OK)
        err = take_cluster(file[0], lp_buf_text(&text), text.len, options, out, diag);
    lp_buf_fini(&text);
    return err;
}

LpErr lp_import_onto(const char *const *file, const LpImportOptions *options, LpImportOnto *out,
                     LpDiag *diag) {
    const LpFormat *format;
    char *text;
    size_t len;
    *out = (LpImportOnto){0};
    LP_TRY(lp_format_of(file[0], &format, diag));
    if (format != NULL && format->makes != LP_MAKES_CLUSTER)
        return lp_fail_at(diag, LP_EINVAL, file[0], 0, 0,
                          "this is %s (%s), which holds no cluster: expected a scenario, or a file "
                          "of slurm-topology, topograph, graphml, gml or astra-network",
                          format->name, format->what);
    if (format != NULL)
        return read_net(format, file, options, out, diag);
    LP_TRY(lp_file_read(file[0], (size_t)options->max_input, &text, &len, diag));
    LpErr err = take_cluster(file[0], text, len, options, out, diag);
    lp_free(text);
    return err;
}
