/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ResNet-18 (He et al., arXiv 1512.03385, table 1): four stages of two basic blocks, projection
 * shortcuts where the shape changes, 224 x 224 images, 1000 classes. */
#include "model/zoo/zoo_impl.h"

static LpZooTensor conv_norm(LpZoo *zoo, LpZooTensor x, uint32_t channels, LpZooWindow window) {
    return lp_zoo_batch_norm(zoo, lp_zoo_conv(zoo, x, channels, window, false));
}

static LpZooTensor block(LpZoo *zoo, LpZooTensor x, uint32_t channels, uint32_t stride) {
    LpZooTensor y = conv_norm(zoo, x, channels, (LpZooWindow){3, stride, 1, false});
    y = conv_norm(zoo, lp_zoo_relu(zoo, y), channels, (LpZooWindow){3, 1, 1, false});
    LpZooTensor shortcut = x;
    if (stride != 1)
        shortcut = conv_norm(zoo, x, channels, (LpZooWindow){1, stride, 0, false});
    return lp_zoo_relu(zoo, lp_zoo_add(zoo, y, shortcut));
}

void lp_zoo_resnet18(LpZoo *zoo) {
    LpZooTensor x = lp_zoo_input(zoo, "Input", 3, 224, 224, zoo->value_bytes);
    x = lp_zoo_relu(zoo, conv_norm(zoo, x, 64, (LpZooWindow){7, 2, 3, false}));
    x = lp_zoo_max_pool(zoo, x, (LpZooWindow){3, 2, 1, false});
    for (uint32_t stage = 0; stage < 4; stage++) {
        x = block(zoo, x, 64u << stage, stage == 0 ? 1 : 2);
        x = block(zoo, x, 64u << stage, 1);
    }
    x = lp_zoo_flatten(zoo, lp_zoo_average_pool(zoo, x));
    lp_zoo_linear(zoo, x, 1000);
}
