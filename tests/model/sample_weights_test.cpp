/// \file
/// A sample of weight w is w equal samples that no fold parts: in what kernels learn, in what is
/// trained on them, and in verification.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "kernmix/fitted_kernels.hpp"
#include "model/file/model_container.hpp"
#include "model/fits/train_again.hpp"
#include "model/kernel_choice.hpp"
#include "model/pipeline.hpp"
#include "model/task_set.hpp"
#include "model/thresholds/folds.hpp"
#include "model/toy_tasks.hpp"

namespace kernmix::sample_weights {
namespace {

constexpr ScalingRule kRules[] = {
    ScalingRule::automatic, ScalingRule::none, ScalingRule::standard,     ScalingRule::minmax,
    ScalingRule::common,    ScalingRule::root, ScalingRule::standard_root};
constexpr const char* kNormalizations[] = {
    "none",         "trace",           "unit-trace",      "variance",         "center",
    "center+trace", "cosine+variance", "center+variance", "center+unit-trace"};
constexpr Index kFresh = 9;

/// The same samples with a Gram matrix and distances beside their columns, which are not negative.
Dataset with_matrices(Dataset data) {
  Table& table = data.table;
  table.ids.clear();
  for (double& value : table.values.values) value = std::abs(value);
  const Index n = table.samples();
  auto gram = std::make_shared<Matrix>(n, n);
  auto distance = std::make_shared<Matrix>(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const ConstSpan x = table.values.row(i);
      const ConstSpan z = table.values.row(j);
      (*gram)(i, j) = x[1] * z[1] + x[2] * z[2];
      (*distance)(i, j) = std::abs(x[0] - z[0]) + std::abs(x[3] - z[3]);
    }
  }
  data.matrices = {{"gram", KernelInput::gram, std::shared_ptr<const Matrix>(gram)},
                   {"distance", KernelInput::distance, std::shared_ptr<const Matrix>(distance)}};
  return data;
}

/// Samples with whole weights 0 .. 3, and the same samples repeated, in some order.
struct Repetition {
  std::vector<Index> rows;   ///< of weight > 0, in the whole data
  Vector weights;            ///< of these
  std::vector<Index> place;  ///< among them of each repeated sample
  Dataset once, repeated;
  Dataset fresh_of_once, fresh_of_repeated;  ///< new samples, with matrices for either
};

/// \param data  the last kFresh samples are new
Repetition repetition_of(const Dataset& data, std::uint32_t seed) {
  Numbers numbers(seed);
  Repetition all;
  const Index n = data.table.samples() - kFresh;
  for (Index i = 0; i < n; ++i) {
    const double weight = std::floor(4.0 * numbers.uniform());
    if (weight == 0.0) continue;
    all.place.insert(all.place.end(), static_cast<std::size_t>(weight), length(all.rows));
    all.rows.push_back(i);
    all.weights.push_back(weight);
  }
  for (std::size_t i = all.place.size(); i > 1; --i) {
    const double other = numbers.uniform() * static_cast<double>(i);
    std::swap(all.place[i - 1], all.place[static_cast<std::size_t>(other)]);
  }
  const std::vector<Index> repeated = entries_at(all.rows, all.place);
  const std::vector<Index> fresh = index_range(n, n + kFresh);
  const std::vector<Index> labels = all_samples(length(data.table.multi_labels.names));
  all.once = part_of(data, all.rows, all.rows, labels);
  all.repeated = part_of(data, repeated, repeated, labels);
  all.fresh_of_once = part_of(data, fresh, all.rows, labels);
  all.fresh_of_repeated = part_of(data, fresh, repeated, labels);
  return all;
}

TrainOptions kernel_options_of(const char* normalization, ScalingRule rule) {
  TrainOptions options;
  options.kernels = {"rbf(width=near*{0.7; 2.8}) on a|b|all",
                     "laplacian(width=median) on a",
                     "spherical_rbf(width=median) on a",
                     "chi2(width=median*2) on b",
                     "linear on a, each",
                     "exponential(width=median) on distance",
                     "precomputed on gram, normalize=variance"};
  options.normalization = parse_normalization(normalization);
  options.scaling = rule;
  return options;
}

TrainOptions weighted(TrainOptions options, const Repetition& data) {
  options.sample_weights = data.weights;
  return options;
}

void expect_close(double own, double same, double size, const std::string& what) {
  EXPECT_NEAR(own, same, 1e-11 * (std::abs(same) + size)) << what;
}

void expect_same_kernels(const Repetition& data, const TrainOptions& options) {
  const FittedKernels own(std::make_shared<const Dataset>(data.once), weighted(options, data), {});
  const FittedKernels same(std::make_shared<const Dataset>(data.repeated), options, {});
  for (std::size_t m = 0; m < same.descriptions().size(); ++m) {
    const KernelDescription& kernel = same.descriptions()[m];
    for (const auto& [name, value] : kernel.function.parameters) {
      expect_close(own.descriptions()[m].function.parameters.at(name), value, 0.0, kernel.name());
    }
    const double scale = same.normalizations()[m].scale;
    expect_close(own.normalizations()[m].scale, scale, 0.0, kernel.name());
    EXPECT_EQ(own.normalizations()[m].rule, same.normalizations()[m].rule) << kernel.name();
  }
  const Vector fresh = all_entries(own.between(data.fresh_of_once), {});
  const Vector fresh_same = all_entries(same.between(data.fresh_of_repeated), {});
  const auto rows = data.rows.size();
  const auto repeats = data.place.size();
  for (std::size_t r = 0; r * repeats < fresh_same.size(); ++r) {
    for (std::size_t j = 0; j < repeats; ++j) {
      const double size = std::abs(same.normalizations()[r / kFresh].scale) * 1e3;
      expect_close(fresh[r * rows + to_size(data.place[j])], fresh_same[r * repeats + j], size,
                   same.descriptions()[r / kFresh].name());
    }
  }
}

TEST(SampleWeights, AreRepetitionsInWhatKernelsLearn) {
  std::uint32_t seed = 0;
  for (const char* const normalization : kNormalizations) {
    for (const ScalingRule rule : kRules) {
      SCOPED_TRACE(std::string(normalization) + " " + scaling_name(rule));
      ++seed;
      const Dataset data = with_matrices(toy_data(24 + kFresh, seed));
      expect_same_kernels(repetition_of(data, seed), kernel_options_of(normalization, rule));
    }
  }
}

/// Decision values differ by the root of the gap, which the tolerance leaves open.
constexpr double kTolerance = 1e-9;
constexpr double kAgreement = 5e-4;

TrainOptions exact(TrainOptions options) {
  options.solver.tolerance = kTolerance;
  options.solver.max_iterations = 300;
  return options;
}

std::string failing_claims(const Verification& verification) {
  std::string all;
  for (const Claim& claim : verification.claims) {
    if (!claim.agrees) all += claim.name + ": " + claim.finding + "\n";
  }
  return all;
}

/// \returns the model of the weighted samples, which has been in a file
Model expect_same_predictions(const Repetition& data, const TrainOptions& options,
                              TrainOptions of_repeated) {
  const TrainResult trained = train(data.once, weighted(options, data), {});
  const Model own = decode_model(encode_model(trained.model));
  const Model same = train(data.repeated, of_repeated, {}).model;
  const Prediction found = predict(own, data.fresh_of_once, {});
  const Prediction expected = predict(same, data.fresh_of_repeated, {});
  const Vector& values = expected.decision.values;
  double size = 1e-3;
  for (const double value : values) size = std::max(size, std::abs(value));
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(found.decision.values[i], values[i], kAgreement * size) << i;
  }
  EXPECT_EQ(found.probability.values.size(), expected.probability.values.size());
  for (std::size_t i = 0; i < expected.probability.values.size(); ++i) {
    EXPECT_NEAR(found.probability.values[i], expected.probability.values[i], kAgreement) << i;
  }
  EXPECT_EQ(failing_claims(verify(own, data.once, {})), "");
  return own;
}

Model expect_same_predictions(const Repetition& data, const TrainOptions& options) {
  return expect_same_predictions(data, options, options);
}

TrainOptions one_loss(const char* loss, std::uint32_t turn) {
  TrainOptions options = exact(kernel_options_of(kNormalizations[turn % std::size(kNormalizations)],
                                                 kRules[turn % std::size(kRules)]));
  options.loss = loss;
  const bool on_distances = std::string(loss).starts_with("svdd");
  if (on_distances) options.kernels.pop_back();  // k(x, x) of new samples is not known
  options.regularizer = turn % 2 == 0 || on_distances ? "l1" : "lp:p=2";
  if (uses_cost(parse_loss(loss))) options.C = 0.7;
  return options;
}

TEST(SampleWeights, AreRepetitionsForEveryLoss) {
  std::uint32_t seed = 100;
  for (const LossInfo& info : losses()) {
    const Loss loss = parse_loss(info.example);
    if (joins_classes(loss)) continue;
    for (int turn = 0; turn < 3; ++turn) {
      SCOPED_TRACE(info.example + " " + std::to_string(++seed));
      Dataset data = with_matrices(toy_data(30 + kFresh, seed));
      if (loss_target(loss) == Target::numbers) {
        data.table.labels.clear();
        for (Index i = 0; i < data.table.samples(); ++i) {
          data.table.labels.push_back(fmt::format("{}", data.table.values(i, 1)));
        }
      }
      if (loss_target(loss) == Target::none) data.table.labels.clear();
      (void)expect_same_predictions(repetition_of(data, seed),
                                    one_loss(info.example.c_str(), seed));
    }
  }
}

TEST(SampleWeights, AreRepetitionsForEveryScheme) {
  std::uint32_t seed = 200;
  for (const testing::SchemeCase& own : testing::scheme_cases()) {
    SCOPED_TRACE(scheme_name(own.scheme) + " " + own.sharing + " " + std::to_string(++seed));
    const Dataset data = with_matrices(testing::data_for(own.scheme, 40 + kFresh, seed));
    TrainOptions options = exact(testing::toy_task_options(own.sharing, own.scheme));
    const bool classes = own.scheme != TaskScheme::labels && own.scheme != TaskScheme::targets;
    options.balanced_classes = classes;
    (void)expect_same_predictions(repetition_of(data, seed), options);
  }
}

/// Copies stay in one fold where the repeated samples of a sample are a group.
TEST(SampleWeights, AreRepetitionsInFoldsOfCalibrationAndThresholds) {
  std::uint32_t seed = 300;
  for (const CalibrationMethod method : {CalibrationMethod::none, CalibrationMethod::platt,
                                         CalibrationMethod::isotonic, CalibrationMethod::beta}) {
    SCOPED_TRACE(calibration_name(method));
    const bool of_labels = method == CalibrationMethod::none;
    const TaskScheme scheme = of_labels ? TaskScheme::labels : TaskScheme::one_vs_rest;
    ++seed;
    const Dataset whole = with_matrices(testing::data_for(scheme, 60 + kFresh, seed));
    const Repetition data = repetition_of(whole, seed);
    TrainOptions options = exact(testing::toy_task_options("sum", scheme));
    options.calibration = method;
    options.calibration_folds = 3;
    options.threshold_folds = of_labels ? 3 : 0;
    TrainOptions repeated = options;
    options.groups = all_samples(length(data.rows));
    repeated.groups = data.place;
    const Model own = expect_same_predictions(data, options, repeated);
    const Model same = train(data.repeated, repeated, {}).model;
    for (std::size_t k = 0; k < own.tasks.size(); ++k) {
      EXPECT_NEAR(own.tasks[k].threshold, same.tasks[k].threshold, kAgreement) << k;
    }
  }
}

TEST(SampleWeights, CountInWhetherAViewIsSparse) {
  Dataset data;
  data.views = {{"words", {}}};
  for (int j = 0; j < 16; ++j) {
    data.table.columns.push_back(fmt::format("c{}", j));
    data.views[0].columns.push_back(data.table.columns.back());
  }
  data.table.values = Matrix(2, 16);
  std::ranges::fill(data.table.values.row(1), 1.0);
  EXPECT_FALSE(is_sparse(data.table, data.views[0]));
  EXPECT_TRUE(is_sparse(data.table, data.views[0], Vector{4.0, 1.0}));
}

/// What weights decide changes little where they change little, down to 0; a factor of all weights
/// changes neither scaling nor kernels.
TEST(SampleWeights, OfAnySizeAreContinuous) {
  const Dataset data = with_matrices(toy_data(20, 7));
  const TrainOptions options = kernel_options_of("variance", ScalingRule::standard);
  Numbers numbers(8);
  Vector weights;
  for (int i = 0; i < 20; ++i) weights.push_back(0.1 + 3.0 * numbers.uniform());
  const auto entries = [&](const std::vector<Index>& rows, const Vector& own) {
    TrainOptions asked = options;
    asked.sample_weights = entries_at(own, rows);
    const auto part = std::make_shared<const Dataset>(part_of(data, rows, rows, {}));
    return all_entries(FittedKernels(part, asked, {}).between(part_of(data, {0, 1, 2}, rows, {})),
                       {});
  };
  const std::vector<Index> all = all_samples(20);
  const Vector first = entries(all, weights);
  for (std::size_t i = 3; i < weights.size(); ++i) {
    Vector moved = weights;
    moved[i] *= 1.0 + 1e-9;
    const Vector other = entries(all, moved);
    for (std::size_t k = 0; k < first.size(); ++k) ASSERT_NEAR(other[k], first[k], 1e-6);
  }
  Vector vanishing = weights;
  vanishing.back() = 1e-12;
  const Vector nearly = entries(all, vanishing);
  const Vector without = entries(index_range<Index>(0, 19), weights);
  for (std::size_t r = 0; r * 19 < without.size(); ++r) {
    for (std::size_t j = 0; j < 19; ++j) {
      ASSERT_NEAR(nearly[r * 20 + j], without[r * 19 + j], 1e-6);
    }
  }
  Vector equal(20, 0.01);
  const Vector scaled = entries(all, equal);
  const Vector alike = entries(all, {});
  for (std::size_t k = 0; k < alike.size(); ++k) ASSERT_NEAR(scaled[k], alike[k], 1e-9);
}

TEST(SampleWeights, OfZeroLeaveSamplesOut) {
  Dataset data = with_matrices(toy_data(30, 11));
  TrainOptions options = kernel_options_of("variance", ScalingRule::automatic);
  std::vector<Index> kept;
  for (Index i = 0; i < 30; ++i) {
    data.table.ids.push_back("s" + std::to_string(i));
    options.sample_weights.push_back(static_cast<double>(i % 4));
    options.groups.push_back(i / 3);
    if (i % 4 != 0) kept.push_back(i);
  }
  data.table.labels[0] = "a class of its own";
  TrainOptions own = options;
  own.sample_weights = entries_at(options.sample_weights, kept);
  own.groups = entries_at(options.groups, kept);
  const Dataset part = samples_at(data, kept);
  const Model model = train(data, options, {}).model;
  EXPECT_EQ(encode_model(model), encode_model(train(part, own, {}).model));
  EXPECT_TRUE(verify(model, part, {}).agrees);
  EXPECT_THROW((void)Training(data).fit(options, {}), ParameterError);
  options.sample_weights.assign(30, 0.0);
  EXPECT_THROW((void)train(data, options, {}), DataError);
  options.sample_weights.assign(29, 0.0);
  EXPECT_THROW((void)train(data, options, {}), ParameterError);
}

/// Files of version 0.1, whose weights were factors of C alone, say nothing of it.
TEST(SampleWeights, OfOlderModelsAreFactorsOfTheLoss) {
  const Dataset data = with_matrices(toy_data(40, 9));
  for (const char* const normalization : {"variance", "center+trace"}) {
    for (const char* const loss : {"hinge", "nu-svc:nu=0.2"}) {
      TrainOptions options = kernel_options_of(normalization, ScalingRule::standard);
      options.loss = loss;
      for (int i = 0; i < 40; ++i) options.sample_weights.push_back(i % 3 == 0 ? 3.0 : 0.5);
      const auto kernels = choose_kernels(data, options, parse_loss(loss));
      const auto views = views_to_scale(data.views, kernels, options.scaling);
      const Model old = train_again(data, options, {kernels, views, false}, {}).model;
      ASSERT_FALSE(to_container(old).header.contains("weights_repeat"));
      const Model loaded = decode_model(encode_model(old));
      EXPECT_FALSE(loaded.weights_repeat);
      EXPECT_EQ(failing_claims(verify(loaded, data, {})), "");
      EXPECT_EQ(predict(loaded, data, {}).decision.values, predict(old, data, {}).decision.values);
      Model other = loaded;
      other.weights_repeat = true;
      EXPECT_FALSE(verify(other, data, {}).agrees);
      const TrainResult now = train(data, options, {});
      EXPECT_NE(predict(now.model, data, {}).decision.values,
                predict(old, data, {}).decision.values);
    }
  }
}

}  // namespace
}  // namespace kernmix::sample_weights
