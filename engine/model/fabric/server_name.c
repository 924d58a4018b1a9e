/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a server is called. Apart from cluster.c, since fabrics ask it and cluster.c asks fabrics.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/str.h"
#include "model/fabric/cluster.h"

const char *lp_cluster_server(const LpCluster *cluster, uint32_t server, char buf[LP_SERVER_TEXT]) {
    if (server < cluster->names)
        return lp_str_show(buf, LP_SERVER_TEXT, cluster->name[server]);
    snprintf(buf, LP_SERVER_TEXT, "%" PRIu32, server);
    return buf;
}
