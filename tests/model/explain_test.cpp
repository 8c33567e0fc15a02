/// \file
/// What matters inside a model, against finite differences of its predictions, exact linear algebra
/// and planted columns.

#include "kernmix/explain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

#include "kernmix/error.hpp"
#include "model/toy_tasks.hpp"

namespace kernmix::testing {
namespace {

/// Columns >= 0 that no two samples share.
Dataset positive_data(Index n, std::uint32_t seed) {
  Dataset data = toy_data(n, seed);
  for (double& value : data.table.values.values) value = std::abs(value) + 0.5;
  return data;
}

Index column_at(const Dataset& data, const std::string& name) {
  const auto& columns = data.table.columns;
  return std::ranges::find(columns, name) - columns.begin();
}

/// What the kernels of a view add to the decision values of a task.
Vector added_by(const Model& model, const Dataset& data, const std::string& view, Index task) {
  const Prediction found = predict(model, data, {}, true);
  const Index kernels = length(found.contributing);
  Vector sum(to_size(found.decision.rows), 0.0);
  for (Index i = 0; i < found.decision.rows; ++i) {
    for (Index k = 0; k < kernels; ++k) {
      const Index m = found.contributing[to_size(k)];
      if (model.kernels[to_size(m)].description.view != view) continue;
      sum[to_size(i)] += found.contributions(i, task * kernels + k);
    }
  }
  return sum;
}

/// By central differences of predictions.
Vector differences(const Model& model, const Dataset& data, const FeatureEffect& effect) {
  const Index column = column_at(data, effect.feature);
  constexpr double step = 1e-4;
  Dataset up = data;
  Dataset down = data;
  for (Index i = 0; i < data.table.values.rows; ++i) {
    up.table.values(i, column) += step;
    down.table.values(i, column) -= step;
  }
  Vector high = added_by(model, up, effect.view, effect.task);
  const Vector low = added_by(model, down, effect.view, effect.task);
  for (std::size_t i = 0; i < high.size(); ++i) high[i] = (high[i] - low[i]) / (2.0 * step);
  return high;
}

double deviation_of_column(const Dataset& data, Index column) {
  double mean = 0.0;
  double squares = 0.0;
  const Index n = data.table.values.rows;
  for (Index i = 0; i < n; ++i) mean += data.table.values(i, column) / static_cast<double>(n);
  for (Index i = 0; i < n; ++i) {
    squares += std::pow(data.table.values(i, column) - mean, 2) / static_cast<double>(n);
  }
  return std::sqrt(squares);
}

void expect_derivatives(const Model& model, const Dataset& data) {
  const Explanation found = explain(model, data, {}, true);
  const Index n = data.table.values.rows;
  ASSERT_EQ(found.gradients.rows, n);
  ASSERT_EQ(found.gradients.cols, length(found.features));
  for (std::size_t r = 0; r < found.features.size(); ++r) {
    const FeatureEffect& effect = found.features[r];
    const Vector expected = differences(model, data, effect);
    double largest = 1e-3;
    for (const double g : expected) largest = std::max(largest, std::abs(g));
    double size = 0.0;
    for (Index i = 0; i < n; ++i) {
      EXPECT_NEAR(found.gradients(i, static_cast<Index>(r)), expected[to_size(i)], 1e-5 * largest)
          << effect.view << " " << effect.feature << " sample " << i;
      size += std::abs(expected[to_size(i)]) / static_cast<double>(n);
    }
    const double deviation = deviation_of_column(data, column_at(data, effect.feature));
    EXPECT_NEAR(effect.importance, size * deviation, 1e-5 * largest * deviation);
    EXPECT_LE(std::abs(effect.direction), 1.0 + 1e-12);
  }
}

TEST(Explain, GradientsAreThoseOfEveryKernelInEveryNormalization) {
  for (const KernelFunctionInfo& info : kernel_functions()) {
    if (info.input == KernelInput::gram) continue;
    for (const char* rule : {"trace", "cosine", "center+trace", "cosine+center+unit-trace"}) {
      SCOPED_TRACE(info.name + " " + rule);
      TrainOptions options;
      const std::string parameters = info.name == "poly" ? "(degree=3, coef0=0.5)" : "";
      options.kernels = {info.name + parameters + " on all, normalize=" + rule};
      options.assume_psd = true;
      options.regularizer = "lp:p=2";
      const Dataset data = positive_data(24, 61);
      expect_derivatives(train(data, options, {}).model, positive_data(6, 62));
    }
  }
}

TEST(Explain, GradientsAreThoseOfSeveralViewsAndTasks) {
  for (const SchemeCase& c : scheme_cases()) {
    SCOPED_TRACE(name_of(c));
    TrainOptions options = toy_task_options(c.sharing, c.scheme);
    options.regularizer = "lp:p=2";
    options.normalization = parse_normalization("center+trace");
    options.bias = c.scheme == TaskScheme::joint ? Bias::none : Bias::penalised;
    const Model model = train(data_for(c.scheme, 40, 63), options, {}).model;
    expect_derivatives(model, data_for(c.scheme, 7, 64));
  }
}

/// dx / d sqrt(x) = 2 sqrt(x), in kernels that read roots and in those that read numbers as they
/// are.
TEST(Explain, ColumnsOfRootsAreThoseRoots) {
  for (const ScalingRule rule : {ScalingRule::root, ScalingRule::standard_root}) {
    TrainOptions options;
    options.kernels = {"rbf(gamma=0.1) on a", "chi2 on a", "linear on all", "rbf(gamma=0.1) on b"};
    options.regularizer = "lp:p=2";
    options.scaling.of_view = {{"a", rule}};
    const Model model = train(positive_data(24, 69), options, {}).model;
    const Dataset data = positive_data(6, 70);
    Dataset roots = data;
    for (double& value : roots.table.values.values) value = std::sqrt(value);
    const Explanation found = explain(model, data, {}, true);
    ASSERT_EQ(found.features.size(), 3U + 5U + 2U);
    for (std::size_t r = 0; r < found.features.size(); ++r) {
      const FeatureEffect& effect = found.features[r];
      SCOPED_TRACE(scaling_name(rule) + ", " + effect.feature + " of " + effect.view);
      const Index column = column_at(data, effect.feature);
      const bool is_root = effect.feature.starts_with("a");
      Vector expected = differences(model, data, effect);
      double size = 0.0;
      for (Index i = 0; i < 6; ++i) {
        double& g = expected[to_size(i)];
        if (is_root) g *= 2.0 * roots.table.values(i, column);
        size += std::abs(g) / 6.0;
      }
      const double deviation = deviation_of_column(is_root ? roots : data, column);
      for (Index i = 0; i < 6; ++i) {
        EXPECT_NEAR(found.gradients(i, static_cast<Index>(r)), expected[to_size(i)],
                    1e-5 * std::max(1e-3, size));
      }
      EXPECT_NEAR(effect.importance, size * deviation, 1e-5 * std::max(1e-3, size) * deviation);
    }
  }
}

/// f = sum_j w_j x_j + b with w_j = d scale sum_s a_s z_sj: every sample has the same gradient.
TEST(Explain, OfALinearKernelIsItsWeightVector) {
  const Dataset data = toy_data(50, 65);
  TrainOptions options;
  options.kernels = {"linear on all"};
  options.scaling = ScalingRule::none;
  const Model model = train(data, options, {}).model;
  const Explanation found = explain(model, data, {}, true);
  const Vector a = dual_vector(model);
  const double factor = model.kernels[0].weight * model.kernels[0].normalization.scale;
  for (std::size_t r = 0; r < found.features.size(); ++r) {
    const Index column = column_at(data, found.features[r].feature);
    double w = 0.0;
    for (Index i = 0; i < 50; ++i) w += factor * a[to_size(i)] * data.table.values(i, column);
    for (Index i = 0; i < 50; ++i) {
      EXPECT_NEAR(found.gradients(i, static_cast<Index>(r)), w, 1e-10 * (1.0 + std::abs(w)));
    }
    EXPECT_NEAR(found.features[r].direction, w > 0.0 ? 1.0 : -1.0, 1e-12);
    EXPECT_NEAR(found.features[r].importance, std::abs(w) * deviation_of_column(data, column),
                1e-9);
  }
}

/// The shares of the views add up to the whole variance of the decision value.
TEST(Explain, SharesOfViewsAddUpToOne) {
  for (const SchemeCase& c : scheme_cases()) {
    const Dataset data = data_for(c.scheme, 40, 66);
    TrainOptions options = toy_task_options(c.sharing, c.scheme);
    options.kernels = {"rbf(gamma=0.1) on a", "rbf(gamma=0.5) on b", "linear on b, each"};
    options.regularizer = "lp:p=2";
    const Model model = train(data, options, {}).model;
    const Explanation found = explain(model, data, {});
    EXPECT_EQ(found.gradients.rows, 0);
    Vector sums(model.tasks.size(), 0.0);
    for (const ViewEffect& effect : found.views) sums[to_size(effect.task)] += effect.share;
    for (const double sum : sums) EXPECT_NEAR(sum, 1.0, 1e-9) << name_of(c);
    EXPECT_EQ(found.views.front().view, "a");
    EXPECT_EQ(found.views[1].kernels, 3);
  }
}

TEST(Explain, FindsThePlantedColumn) {
  Dataset data = toy_data(120, 67);
  Numbers numbers(68);
  for (Index i = 0; i < 120; ++i) {
    for (Index j = 0; j < 5; ++j) data.table.values(i, j) = numbers.normal();
    data.table.labels[to_size(i)] = data.table.values(i, 3) < 0.0 ? "yes" : "no";
  }
  TrainOptions options;
  options.kernels = {"rbf(width=median) on all"};
  const Explanation found = explain(train(data, options, {}).model, data, {});
  EXPECT_EQ(found.features.front().feature, "b1");
  EXPECT_LT(found.features.front().direction, -0.9);
  EXPECT_GT(found.features.front().importance, 3.0 * found.features[1].importance);
}

TEST(Explain, DoesNotDependOnTheNumberOfThreads) {
  const Dataset data = toy_data(70, 69);
  const Model model = train(data, toy_options(), {}).model;
  Context four;
  four.threads = 4;
  const Explanation one = explain(model, data, {}, true);
  const Explanation other = explain(model, data, four, true);
  EXPECT_EQ(one.gradients.values, other.gradients.values);
  for (std::size_t r = 0; r < one.features.size(); ++r) {
    EXPECT_EQ(one.features[r].importance, other.features[r].importance);
  }
}

TEST(Explain, GivenMatricesHaveViewsAndNoColumns) {
  const Dataset data = toy_data(30, 70);
  Dataset both = data;
  auto gram = std::make_shared<Matrix>(30, 30);
  for (Index i = 0; i < 30; ++i) {
    for (Index j = 0; j < 30; ++j) {
      (*gram)(i, j) = std::exp(-std::abs(data.table.values(i, 0) - data.table.values(j, 0)));
    }
  }
  both.matrices = {{"K", KernelInput::gram, gram}};
  TrainOptions options;
  options.kernels = {"precomputed on K", "linear on b"};
  options.regularizer = "average";
  const Explanation found = explain(train(both, options, {}).model, both, {});
  ASSERT_EQ(found.views.size(), 2U);
  EXPECT_EQ(found.views[0].view, "K");
  EXPECT_GT(found.views[0].deviation, 0.0);
  ASSERT_EQ(found.features.size(), 2U);
  EXPECT_EQ(found.features[0].view, "b");
}

TEST(Explain, StopsWhereTheContextSaysSo) {
  const Dataset data = toy_data(30, 71);
  const Model model = train(data, toy_options(), {}).model;
  const std::atomic<bool> cancelled = true;
  Context interrupted;
  interrupted.cancelled = &cancelled;
  EXPECT_THROW((void)explain(model, data, interrupted), ResourceError);
  Context late;
  late.deadline = std::chrono::steady_clock::now();
  EXPECT_THROW((void)explain(model, data, late), ResourceError);
}

TEST(Explain, StopsAlreadyWhereSamplesArePredicted) {
  const Dataset data = toy_data(30, 71);
  const Model model = train(data, toy_options(), {}).model;
  Context late;
  late.deadline = std::chrono::steady_clock::now();
  try {
    (void)explain(model, data, late);
    ADD_FAILURE();
  } catch (const ResourceError& failure) {
    EXPECT_STREQ(failure.what(),
                 "explain: the time limit was reached while samples were predicted: there is no "
                 "result to write; explain fewer samples or allow more time");
  }
}

TEST(Explain, RefusesWhatItCannotExplain) {
  const Dataset data = toy_data(30, 71);
  const Model model = train(data, toy_options(), {}).model;
  EXPECT_THROW((void)explain(model, rows_of(data, {3}), {}), ParameterError);
  TrainOptions options = toy_options();
  options.loss = "svdd:nu=0.5";
  try {
    (void)explain(train(data, options, {}).model, data, {});
    ADD_FAILURE();
  } catch (const ParameterError& failure) {
    EXPECT_NE(std::string(failure.what()).find("svdd:nu=0.5"), std::string::npos);
  }
}

}  // namespace
}  // namespace kernmix::testing
