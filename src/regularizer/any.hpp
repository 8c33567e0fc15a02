#pragma once
/// \file
/// The closed set of regularizers. A new regularizer is a file here, its include and its name
/// below.

#include <memory>
#include <utility>
#include <variant>

#include "base/closed.hpp"
#include "kernmix/regularizer.hpp"
#include "regularizer/balls/elastic_net_bach.hpp"
#include "regularizer/balls/lp.hpp"
#include "regularizer/balls/sgmkl.hpp"
#include "regularizer/balls/sgmkl_norm.hpp"
#include "regularizer/balls/ufo.hpp"
#include "regularizer/concepts.hpp"
#include "regularizer/groups/ckl.hpp"
#include "regularizer/groups/mixed_norm.hpp"
#include "regularizer/penalties/elastic_net.hpp"
#include "regularizer/penalties/l1_unsquared.hpp"
#include "regularizer/penalties/lp_tikhonov.hpp"
#include "regularizer/penalties/soft_margin_square_loss.hpp"
#include "regularizer/points/average.hpp"
#include "regularizer/points/fixed.hpp"
#include "regularizer/points/sum.hpp"
#include "regularizer/points/two_stage.hpp"
#include "regularizer/simplex/entropy.hpp"
#include "regularizer/simplex/l1.hpp"
#include "regularizer/simplex/soft_margin.hpp"
#include "regularizer/simplex/soft_margin_power.hpp"
#include "regularizer/simplex/soft_margin_squared.hpp"

namespace kernmix {

using RegularizerTypes =
    std::variant<L1, Lp, Average, Sum, Fixed,                                            //
                 L1Unsquared, LpTikhonov, ElasticNet, ElasticNetBach, Sgmkl, SgmklNorm,  //
                 SoftMargin, SoftMarginSquared, SoftMarginPower, SoftMarginSquareLoss,   //
                 MixedNorm, MixedNormSaddle, Ckl, Ufo, TwoStage, Entropy>;

struct AnyRegularizer : RegularizerTypes {
  using RegularizerTypes::RegularizerTypes;
};

template <PresentsRegularizer R>
Regularizer::Regularizer(R regularizer)
    : any_(std::make_shared<const AnyRegularizer>(std::move(regularizer))) {}

}  // namespace kernmix
