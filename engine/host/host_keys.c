/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of keys, for those above. */
#include "host/host_keys.h"

#include "io/io_keys.h"

LpErr lp_run_keys_load(const char *path, LpArena *arena, LpBindings *out, LpDiag *diag) {
    return lp_keys_load(path, arena, out, diag);
}
