// Equal samples have equal decision values, whatever stands beside them: a prediction depends on
// its sample alone, to the last bit.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "model/toy_tasks.hpp"

namespace kernmix::testing {
namespace {

/// Samples of 0, 1 and 2, so that few of them are distinct, with more columns to the right, where
/// products of samples take another path.
Dataset with_equal_samples(TaskScheme scheme, Index n, std::uint32_t seed, Index more) {
  Dataset data = data_for(scheme, n, seed);
  Numbers numbers(seed + 31);
  const Index old = data.table.values.cols;
  Matrix wide(n, old + more);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < old + more; ++j) {
      const double value = j < old ? data.table.values(i, j) / 10.0 : 3.0 * numbers.uniform();
      wide(i, j) = std::clamp(std::round(value), 0.0, 2.0) / 3.0;
    }
  }
  data.table.values = std::move(wide);
  for (Index j = 0; j < more; ++j) {
    data.table.columns.push_back(fmt::format("m{}", j));
    data.views[0].columns.push_back(data.table.columns.back());
  }
  return data;
}

class EqualSamples : public ::testing::TestWithParam<SchemeCase> {};

TEST_P(EqualSamples, HaveEqualDecisionValuesAtAnyPlace) {
  for (const Index more : {0, 30}) {
    const Dataset data = with_equal_samples(GetParam().scheme, 63, 7, more);
    const TrainOptions options = toy_task_options(GetParam().sharing, GetParam().scheme);
    const Model model = train(data, options, {}).model;
    const Prediction whole = predict(model, data, {}, true);
    std::mt19937 random(5);
    for (int k = 0; k < 6; ++k) {  // orders of repeated samples; the last one are single samples
      std::vector<Index> order(k < 5 ? 20 + random() % 300 : 1);
      for (Index& i : order) i = static_cast<Index>(random() % 63);
      Dataset repeated = rows_of(data, order);
      repeated.table.multi_labels = {};
      repeated.table.targets = {};
      const Prediction some = predict(model, repeated, {}, true);
      for (Index i = 0; i < length(order); ++i) {
        for (Index t = 0; t < whole.decision.cols; ++t) {
          ASSERT_EQ(some.decision(i, t), whole.decision(order[to_size(i)], t)) << more;
        }
        for (Index c = 0; c < whole.contributions.cols; ++c) {
          ASSERT_EQ(some.contributions(i, c), whole.contributions(order[to_size(i)], c)) << more;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, EqualSamples, ::testing::ValuesIn(scheme_cases()), test_name_of);

}  // namespace
}  // namespace kernmix::testing
