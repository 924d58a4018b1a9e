/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Codes of failed calls of the system. */
#include "base/lack.h"

#include <errno.h>

LpErr lp_err_of(int error) {
    return error == ENOMEM || error == EMFILE || error == ENFILE ? LP_ENOMEM : LP_EIO;
}
