/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The live driver: plays the program in a terminal, with motion on, and compares what is seen there
 * with what the same keys draw without one.
 *   live tour|lessons|demos|motion|random... */
#include <stdio.h>
#include <string.h>

#include "live/walk.h"

static const struct {
    const char *name;
    void (*add)(LiveWalks *walks);
} kinds[] = {{"tour", live_walks_tour},
             {"lessons", live_walks_lessons},
             {"demos", live_walks_demos},
             {"motion", live_walks_motion},
             {"random", live_walks_random}};

int main(int argc, char **argv) {
    LiveWalks walks = {0};
    for (int i = 1; i < argc; i++) {
        size_t k = 0;
        while (k < sizeof kinds / sizeof kinds[0] && strcmp(kinds[k].name, argv[i]) != 0)
            k++;
        if (k == sizeof kinds / sizeof kinds[0]) {
            fprintf(stderr, "%s is no kind of walk\n", argv[i]);
            return 2;
        }
        kinds[k].add(&walks);
    }
    if (walks.walks == 0) {
        printf("not ok live: there is nothing to walk through\n");
        return 1;
    }
    return live_walks_play(walks.walk, walks.walks);
}
