/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AlexNet in its one-tower form (Krizhevsky, arXiv 1404.5997): five convolutions, three linear
 * layers, 224 x 224 images, 1000 classes. */
#include "model/zoo/zoo_impl.h"

static const struct {
    uint32_t channels;
    LpZooWindow window;
    bool pool;
} CONV[] = {
    {64, {11, 4, 2, false}, true},  {192, {5, 1, 2, false}, true}, {384, {3, 1, 1, false}, false},
    {256, {3, 1, 1, false}, false}, {256, {3, 1, 1, false}, true},
};

void lp_zoo_alexnet(LpZoo *zoo) {
    LpZooTensor x = lp_zoo_input(zoo, "Input", 3, 224, 224, zoo->value_bytes);
    for (size_t i = 0; i < LP_COUNTOF(CONV); i++) {
        x = lp_zoo_relu(zoo, lp_zoo_conv(zoo, x, CONV[i].channels, CONV[i].window, true));
        if (CONV[i].pool)
            x = lp_zoo_max_pool(zoo, x, (LpZooWindow){.kernel = 3, .stride = 2});
    }
    x = lp_zoo_flatten(zoo, x);
    for (int i = 0; i < 2; i++)
        x = lp_zoo_relu(zoo, lp_zoo_linear(zoo, lp_zoo_dropout(zoo, x), 4096));
    lp_zoo_linear(zoo, x, 1000);
}
