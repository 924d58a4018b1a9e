/* SPDX-License-Identifier: GPL-3.0-or-later */
/* VGG-16 (Simonyan, Zisserman, arXiv 1409.1556, configuration D): thirteen 3 x 3 convolutions,
 * three linear layers, 224 x 224 images, 1000 classes. */
#include "model/zoo/zoo_impl.h"

enum { POOL = 0 };

static const uint32_t CHANNELS[] = {64,   64,  POOL, 128, 128,  POOL, 256, 256, 256,
                                    POOL, 512, 512,  512, POOL, 512,  512, 512, POOL};

void lp_zoo_vgg16(LpZoo *zoo) {
    const LpZooWindow same = {.kernel = 3, .stride = 1, .pad = 1};
    LpZooTensor x = lp_zoo_input(zoo, "Input", 3, 224, 224, zoo->value_bytes);
    for (size_t i = 0; i < LP_COUNTOF(CHANNELS); i++)
        x = CHANNELS[i] == POOL ? lp_zoo_max_pool(zoo, x, (LpZooWindow){.kernel = 2, .stride = 2})
                                : lp_zoo_relu(zoo, lp_zoo_conv(zoo, x, CHANNELS[i], same, true));
    x = lp_zoo_flatten(zoo, x);
    for (int i = 0; i < 2; i++)
        x = lp_zoo_dropout(zoo, lp_zoo_relu(zoo, lp_zoo_linear(zoo, x, 4096)));
    lp_zoo_linear(zoo, x, 1000);
}
