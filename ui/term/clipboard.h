/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a terminal is told to put into its clipboard. */
#ifndef LP_UI_TERM_CLIPBOARD_H
#define LP_UI_TERM_CLIPBOARD_H

#include <stddef.h>

#include "base/str.h"

/* Appends the command OSC 52 with the text in base64 (RFC 4648). */
void lp_clipboard_command(const char *text, size_t len, LpBuf *out);

#endif
