#pragma once
/// \file
/// The closed set of losses. A new loss is a file here, its include and its name below. It is a sum
/// over samples (IsSeparableLoss), a sum over samples of a function of all classes (JoinsClasses),
/// or has its own `gain`, `at` and `dual_set`.

#include <memory>
#include <utility>
#include <variant>

#include "base/closed.hpp"
#include "kernmix/loss.hpp"
#include "loss/classes/crammer_singer.hpp"
#include "loss/classes/hinge.hpp"
#include "loss/classes/huber_hinge.hpp"
#include "loss/classes/komd.hpp"
#include "loss/classes/logistic.hpp"
#include "loss/classes/nu_svc.hpp"
#include "loss/classes/squared_hinge.hpp"
#include "loss/novelty/one_class.hpp"
#include "loss/novelty/svdd.hpp"
#include "loss/numbers/epsilon.hpp"
#include "loss/numbers/expectile.hpp"
#include "loss/numbers/huber.hpp"
#include "loss/numbers/pinball.hpp"
#include "loss/numbers/squared.hpp"
#include "loss/numbers/squared_epsilon.hpp"

namespace kernmix {

using LossTypes = std::variant<Hinge, SquaredHinge, HuberHinge, Logistic, NuSvc, Komd,       //
                               CrammerSinger,                                                //
                               Squared, Epsilon, SquaredEpsilon, Huber, Pinball, Expectile,  //
                               OneClass, Svdd>;

struct AnyLoss : LossTypes {
  using LossTypes::LossTypes;
};

template <IsLoss L>
Loss::Loss(L loss) : any_(std::make_shared<const AnyLoss>(std::move(loss))) {}

}  // namespace kernmix
