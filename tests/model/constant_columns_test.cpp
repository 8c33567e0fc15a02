/// \file
/// A column without variation among the training samples has no influence on new ones, whatever its
/// value there: every scaling rule, function and way of being constant.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernmix/train.hpp"
#include "model/toy_data.hpp"

namespace kernmix {
namespace {

/// toy_data that has square roots.
Dataset positive_data(Index n, std::uint32_t seed) {
  Dataset data = toy_data(n, seed);
  for (double& value : data.table.values.values) value = std::abs(value);
  return data;
}

/// The same, whose column a2 has one value, read by view a among others and by a view of its own.
Dataset with_a_constant(double value) {
  Dataset data = positive_data(40, 8);
  for (Index i = 0; i < 40; ++i) data.table.values(i, 1) = value;
  data.views.push_back({"alone", {data.table.columns[1]}});
  return data;
}

RC_GTEST_PROP(ConstantColumns, HaveNoInfluenceOnNewSamples, ()) {
  TrainOptions options = toy_options();
  options.scaling = *rc::gen::element(
      ScalingRule::automatic, ScalingRule::none, ScalingRule::standard, ScalingRule::minmax,
      ScalingRule::common, ScalingRule::root, ScalingRule::standard_root);
  const std::string function = *rc::gen::element<std::string>(
      "linear", "poly(degree=2)", "rbf(width=median)", "laplacian(width=near)", "cosine");
  options.kernels = {function + " on a", function + " on b"};
  if (*rc::gen::arbitrary<bool>()) options.kernels.push_back("rbf(gamma=1) on *, each");
  const double value = *rc::gen::element(0.0, 1.0, 2018.0, 1e9, 1e-9);
  const double other = *rc::gen::element(0.0, 2019.0, 1e12, 3.0, 1e-12);
  const Dataset data = with_a_constant(value);
  const TrainResult trained = train(data, options, {});
  const auto named = [](const Warning& warning) { return warning.code == "constant-columns"; };
  RC_ASSERT(std::ranges::any_of(trained.warnings, named));
  Dataset fresh = positive_data(15, 9);
  for (Index i = 0; i < 15; ++i) fresh.table.values(i, 1) = value;
  const auto at_value = predict(trained.model, fresh, {}).decision;
  for (Index i = 0; i < 15; ++i) fresh.table.values(i, 1) = other;
  RC_ASSERT(predict(trained.model, fresh, {}).decision.values == at_value.values);
}

}  // namespace
}  // namespace kernmix
