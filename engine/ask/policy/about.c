/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks a name up in the interface of policies. */
#include <string.h>

#include "ask/policy/tools.h"
#include "script/policy/api_table.h"

/* "cluster:predict", "cluster.predict", "predict" and "cluster" all mean the row
 * (cluster, predict). */
static bool means(const LpApiRow *row, const char *topic) {
    size_t group = strlen(row->group);
    if (strcmp(topic, row->name) == 0 || strcmp(topic, row->group) == 0)
        return true;
    return strncmp(topic, row->group, group) == 0 && (topic[group] == ':' || topic[group] == '.') &&
           strcmp(topic + group + 1, row->name) == 0;
}

uint32_t lp_policy_tool_about(const char *topic, LpBuf *out) {
    size_t count;
    uint32_t found = 0;
    const LpApiRow *rows = lp_api_table(&count);
    const char *group = "";
    for (size_t i = 0; i < count; i++) {
        if (!means(&rows[i], topic))
            continue;
        if (strcmp(group, rows[i].group) != 0)
            lp_buf_addf(out, "# %s\n", group = rows[i].group);
        lp_buf_addf(out, "%s\t", rows[i].name);
        lp_api_describe(out, &rows[i]);
        lp_buf_addf(out, "\n\t%s\n", rows[i].doc);
        found++;
    }
    return found;
}

void lp_policy_tool_topics(LpBuf *out) {
    size_t count;
    const LpApiRow *rows = lp_api_table(&count);
    const char *group = "";
    for (size_t i = 0; i < count; i++) {
        if (strcmp(group, rows[i].group) != 0)
            lp_buf_addf(out, "%s\n", group = rows[i].group);
        lp_buf_addf(out, "%s.%s\n", rows[i].group, rows[i].name);
    }
}
