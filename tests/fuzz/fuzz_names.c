/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as the names, notes, reasons and messages of a whole run (stage.h says what must hold).
 * The first byte chooses the screen that is drawn, and a command or the reports. */
#include "app/app_impl.h"
#include "stage.h"

FUZZ_TARGET(names)(const uint8_t *data, size_t size) {
    static const uint8_t one = 'x';
    LpFuzzStage stage;
    char text[LP_FUZZ_TEXT + 1];
    uint8_t first = size > 0 ? data[0] : 0;
    size_t second = first % (LP_FUZZ_COMMANDS + 1);
    lp_fuzz_line(size > 0 ? data + 1 : data, size > 0 ? size - 1 : 0, text);
    lp_fuzz_open(&stage, text[0] ? data + 1 : &one, text[0] ? size - 1 : 1);
    if (stage.open) {
        lp_fuzz_key(&stage.app, first % LP_FUZZ_KEYS);
        if (second < LP_FUZZ_COMMANDS)
            lp_fuzz_command(&stage.app, second, text);
        else
            lp_fuzz_reports(stage.session);
    }
    lp_fuzz_close(&stage);
    return true;
}
