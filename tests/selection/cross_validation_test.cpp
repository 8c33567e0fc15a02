/// \file
/// What cross-validation says is what training and prediction of each fold say.

#include "kernmix/selection/cross_validation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>

#include "kernmix/error.hpp"
#include "kernmix/selection/expected.hpp"
#include "model/thresholds/folds.hpp"

namespace kernmix::testing {
namespace {

constexpr Index kHeld = 40;

double fractional(Index i, double root) {
  const double x = std::sqrt(root) * static_cast<double>(i + 1);
  return 2.0 * (x - std::floor(x)) - 1.0;
}

/// Two columns; labels by a curve, three classes, numbers, and two labels of a sample.
Dataset two_columns() {
  Dataset data;
  data.table.source = "held";
  data.table.columns = {"a", "b"};
  data.table.values = Matrix(kHeld, 2);
  for (Index i = 0; i < kHeld; ++i) {
    data.table.values(i, 0) = fractional(i, 2.0);
    data.table.values(i, 1) = fractional(i, 3.0);
  }
  data.views = {{"all", {"a", "b"}}};
  return data;
}

Dataset with_classes(Index classes) {
  Dataset data = two_columns();
  for (Index i = 0; i < kHeld; ++i) {
    const double a = data.table.values(i, 0);
    const double b = data.table.values(i, 1);
    const Index own = (b > a * a - 0.3 ? 1 : 0) + (classes > 2 && a > 0.3 ? 1 : 0);
    data.table.labels.push_back("class" + std::to_string(own));
  }
  return data;
}

Dataset with_labels() {
  Dataset data = two_columns();
  data.table.multi_labels.names = {"left", "low", "never"};
  for (Index i = 0; i < kHeld; ++i) {
    data.table.multi_labels.values.push_back(data.table.values(i, 0) < 0.0 ? 1 : 0);
    data.table.multi_labels.values.push_back(data.table.values(i, 1) < 0.0 ? 1 : 0);
    data.table.multi_labels.values.push_back(0);
  }
  return data;
}

std::vector<TrainOptions> two_models() {
  TrainOptions sparse;
  TrainOptions average;
  average.regularizer = "average";
  average.C = 10.0;
  return {sparse, average};
}

/// By hand, within the tolerance: a model that begins with the weights of another may end elsewhere
/// in the gap, so the first model is compared bit by bit and the others by what the gap allows.
void expect_folds_by_hand(const Dataset& data) {
  const std::vector<Fold> folds = plain_folds(kHeld, {.folds = 4, .seed = 2});
  const auto models = two_models();
  const CrossValidation found = cross_validate(data, {models.front()}, folds, {});
  ASSERT_TRUE(found.complete);
  for (std::size_t f = 0; f < folds.size(); ++f) {
    const FoldData part = fold_data(data, folds[f], {});
    const Model model = train(part.train, models.front(), {}).model;
    const Prediction expected = predict(model, part.test, {});
    const FoldScore& fold = found.models.front()[f];
    EXPECT_EQ(fold.prediction.decision.values, expected.decision.values);
    const std::vector<Metric> metrics = scores(model, part.test.table, expected);
    ASSERT_EQ(fold.metrics.size(), metrics.size());
    for (std::size_t k = 0; k < metrics.size(); ++k) {
      EXPECT_EQ(fold.metrics[k].value, metrics[k].value) << metrics[k].name;
    }
    EXPECT_EQ(fold.status, Status::converged);
    EXPECT_LE(fold.relative_gap, models.front().solver.tolerance);
  }
}

TEST(CrossValidation, OfTwoClassesIsWhatEachFoldSays) { expect_folds_by_hand(with_classes(2)); }
TEST(CrossValidation, OfThreeClassesIsWhatEachFoldSays) { expect_folds_by_hand(with_classes(3)); }

TEST(CrossValidation, LeavesOutLabelsThatATrainPartCannotTeach) {
  expect_folds_by_hand(with_labels());
  Context context;
  std::string told;
  context.log = [&](std::string_view text) { told += text; };
  const auto folds = plain_folds(kHeld, {.folds = 4});
  const CrossValidation found = cross_validate(with_labels(), {TrainOptions()}, folds, context);
  EXPECT_EQ(found.models[0][0].learned.names, (std::vector<std::string>{"left", "low"}));
  EXPECT_NE(told.find("1 labels are left out"), std::string::npos) << told;
}

TEST(CrossValidation, ComputesKernelsOnceAFoldForAllModels) {
  const auto folds = plain_folds(kHeld, {.folds = 4});
  const CrossValidation found = cross_validate(with_classes(2), two_models(), folds, {});
  EXPECT_EQ(found.reuse.models, 8);
  EXPECT_EQ(found.reuse.kernel_builds, 4);
}

TEST(CrossValidation, ThreadsDoNotChangeABit) {
  const Dataset data = with_classes(3);
  const auto folds = plain_folds(kHeld, {.folds = 5});
  Context many;
  many.threads = 3;
  const CrossValidation one = cross_validate(data, two_models(), folds, {});
  const CrossValidation three = cross_validate(data, two_models(), folds, many);
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t f = 0; f < folds.size(); ++f) {
      EXPECT_EQ(one.models[k][f].prediction.decision.values,
                three.models[k][f].prediction.decision.values);
    }
  }
}

TEST(CrossValidation, SubBlocksOfAGramMatrixAreTheKernelsOfAFold) {
  const Dataset columns = with_classes(2);
  Dataset given;
  given.table.labels = columns.table.labels;
  given.table.source = "given";
  given.table.values.rows = kHeld;
  auto gram = std::make_shared<Matrix>(kHeld, kHeld);
  for (Index i = 0; i < kHeld; ++i) {
    for (Index j = 0; j < kHeld; ++j) {
      (*gram)(i, j) = columns.table.values(i, 0) * columns.table.values(j, 0) +
                      columns.table.values(i, 1) * columns.table.values(j, 1);
    }
  }
  given.matrices = {{"K", KernelInput::gram, GivenMatrix(std::shared_ptr<const Matrix>(gram))}};
  TrainOptions linear;
  linear.kernels = {"linear on *"};
  linear.scaling = ScalingRule::none;
  linear.normalization = parse_normalization("none");
  linear.solver.tolerance = 1e-9;
  TrainOptions matrix = linear;
  matrix.kernels = {};
  const auto folds = plain_folds(kHeld, {.folds = 4});
  const CrossValidation a = cross_validate(columns, {linear}, folds, {});
  const CrossValidation b = cross_validate(given, {matrix}, folds, {});
  for (std::size_t f = 0; f < folds.size(); ++f) {
    const Matrix& left = a.models[0][f].prediction.decision;
    const Matrix& right = b.models[0][f].prediction.decision;
    for (Index i = 0; i < left.rows; ++i) EXPECT_NEAR(left(i, 0), right(i, 0), 1e-3);
  }
}

TEST(CrossValidation, PooledScoresAreThoseOfAllHeldOutPredictions) {
  const Dataset data = with_classes(2);
  const auto folds = leave_one_out(kHeld);
  const CrossValidation found = cross_validate(data, {TrainOptions()}, folds, {});
  double right = 0.0;
  for (Index i = 0; i < kHeld; ++i) {
    const double decision = found.models[0][to_size(i)].prediction.decision(0, 0);
    right += (decision >= 0.0) == (data.table.labels[to_size(i)] == "class1") ? 1.0 : 0.0;
  }
  EXPECT_DOUBLE_EQ(
      *score_called(expected_performance(found, 0, data, folds, {})->metrics, "accuracy"),
      right / kHeld);
}

double share_of_right_labels(const FoldScore& fold, const Table& test) {
  double right = 0.0;
  for (std::size_t i = 0; i < test.labels.size(); ++i) {
    const std::string& said = fold.learned.names[to_size(fold.prediction.winner[i])];
    right += said == test.labels[i] ? 1.0 : 0.0;
  }
  return right / static_cast<double>(test.labels.size());
}

/// Rare positives, heavy weights for them: the sign of the decision and p > 0.5 often disagree.
TEST(CrossValidation, ScoresTheLabelsThatTheModelOfTheFoldGives) {
  TrainOptions options;
  options.C = 0.1;
  options.class_weights = {{"class0", 5.0}};
  options.calibration_folds = 3;
  const Dataset data = with_classes(2);
  const auto folds = plain_folds(kHeld, {.folds = 4});
  for (const auto method : {CalibrationMethod::none, CalibrationMethod::platt}) {
    options.calibration = method;
    const CrossValidation found = cross_validate(data, {options}, folds, {});
    double pooled = 0.0;
    for (std::size_t f = 0; f < folds.size(); ++f) {
      const FoldScore& fold = found.models[0][f];
      const double right = share_of_right_labels(fold, fold_data(data, folds[f], {}).test.table);
      EXPECT_DOUBLE_EQ(*score_called(fold.metrics, "accuracy"), right) << f;
      pooled += right / 4.0;
    }
    EXPECT_NEAR(*score_called(expected_performance(found, 0, data, folds, {})->metrics, "accuracy"),
                pooled, 1e-12);
  }
}

double share_of_wrong_labels(const Prediction& prediction, const MultiLabels& truth) {
  double wrong = 0.0;
  for (std::size_t i = 0; i < truth.values.size(); ++i) {
    wrong += prediction.has_label[i] != truth.values[i] ? 1.0 : 0.0;
  }
  return wrong / static_cast<double>(truth.values.size());
}

/// Each fold chooses thresholds, or fits probabilities, of its own.
TEST(CrossValidation, PoolsTheLabelsThatEachFoldGives) {
  Dataset data = with_labels();
  MultiLabels& all = data.table.multi_labels;
  for (Index i = 0; i < kHeld; ++i) all.values[to_size(3 * i + 2)] = i % 3 == 0 ? 1 : 0;
  const auto folds = plain_folds(kHeld, {.folds = 4});
  TrainOptions thresholds;
  thresholds.threshold_folds = 3;
  TrainOptions calibrated;
  calibrated.C = 0.01;
  calibrated.calibration = CalibrationMethod::platt;
  calibrated.calibration_folds = 3;
  for (const TrainOptions& options : {thresholds, calibrated}) {
    const CrossValidation found = cross_validate(data, {options}, folds, {});
    double wrong = 0.0;
    for (std::size_t f = 0; f < folds.size(); ++f) {
      const FoldScore& fold = found.models[0][f];
      const double own = share_of_wrong_labels(
          fold.prediction, fold_data(data, folds[f], {}).test.table.multi_labels);
      EXPECT_NEAR(*score_called(fold.metrics, "hamming_loss"), own, 1e-12);
      wrong += own / 4.0;
    }
    EXPECT_NEAR(
        *score_called(expected_performance(found, 0, data, folds, {})->metrics, "hamming_loss"),
        wrong, 1e-12);
  }
}

/// Whatever the deadline is, a fold that counts is that of a run without one. Solvers stop before
/// the deadline, so that the clock alone does not tell.
TEST(CrossValidation, CountsNoFoldWhoseModelTimeCutShort) {
  const Dataset data = with_classes(2);
  const auto folds = plain_folds(kHeld, {.folds = 3});
  TrainOptions options;
  options.C = 1000.0;
  options.solver.tolerance = 1e-7;
  const CrossValidation whole = cross_validate(data, {options}, folds, {});
  ASSERT_TRUE(whole.complete);
  for (int step = 1; step <= 40; ++step) {
    Context context;
    context.deadline =
        std::chrono::steady_clock::now() + std::chrono::microseconds(step * step * 20);
    CrossValidation found;
    try {
      found = cross_validate(data, {options}, folds, context);
    } catch (const ResourceError&) {
      continue;  // not one kernel was ready
    }
    std::size_t finished = 0;
    for (std::size_t f = 0; f < folds.size(); ++f) {
      const FoldScore& fold = found.models[0][f];
      if (fold.metrics.empty()) continue;
      ++finished;
      EXPECT_EQ(fold.status, whole.models[0][f].status);
      EXPECT_EQ(fold.prediction.decision.values, whole.models[0][f].prediction.decision.values);
    }
    EXPECT_EQ(found.complete, finished == folds.size());
  }
}

TEST(CrossValidation, StopsWithWhatIsFinished) {
  std::atomic<bool> stop = false;
  Context context;
  context.cancelled = &stop;
  context.progress = [&](const Progress& moment) { stop = moment.done >= 2; };
  const auto folds = plain_folds(kHeld, {.folds = 4});
  const CrossValidation found = cross_validate(with_classes(2), {TrainOptions()}, folds, context);
  EXPECT_FALSE(found.complete);
  EXPECT_FALSE(found.models[0][1].metrics.empty());
  EXPECT_TRUE(found.models[0][3].metrics.empty());
  EXPECT_EQ(found.means(0).front().values.size(), 2U);
}

std::optional<double> score_on(const FoldScore& fold, const std::string& name) {
  return score_called(fold.metrics, name);
}

/// The first fold trains on one class, which all its test samples are called.
TEST(CrossValidation, ScoresAPartOfOneClass) {
  Dataset data = two_columns();
  for (Index i = 0; i < kHeld; ++i) data.table.labels.emplace_back(i < 10 ? "early" : "late");
  const auto folds = plain_folds(kHeld, {.folds = 4, .shuffle = false});
  TrainOptions options;
  options.class_weights = {{"early", 3.0}, {"late", 1.0}};
  const CrossValidation found = cross_validate(data, {options}, folds, {});
  ASSERT_TRUE(found.complete);
  const auto& own = found.models.front();
  EXPECT_EQ(score_on(own[0], "accuracy"), 0.0);
  EXPECT_EQ(own[0].prediction.winner, std::vector<Index>(10, 1));
  for (const FoldScore& fold : own) {
    EXPECT_FALSE(score_on(fold, "auc")) << "one class is trained on or tested";
    EXPECT_EQ(fold.learned.names, (std::vector<std::string>{"early", "late"}));
  }
  for (const FoldMean& mean : found.means(0)) {
    if (mean.name == "accuracy") {
      EXPECT_EQ(mean.values.size(), 4U);
    } else if (mean.name == "auc") {
      EXPECT_FALSE(mean.mean);
    }
  }
}

/// By hand: a model of the classes that the part has, whose other test samples are wrong.
TEST(CrossValidation, CountsSamplesOfAnAbsentClassAsErrors) {
  for (const TaskScheme scheme :
       {TaskScheme::one_vs_rest, TaskScheme::one_vs_one, TaskScheme::joint}) {
    SCOPED_TRACE(scheme_name(scheme));
    Dataset data = with_classes(2);
    for (Index i = 0; i < 5; ++i) data.table.labels[to_size(i)] = "a third";
    const auto folds = plain_folds(kHeld, {.folds = 4, .shuffle = false});
    TrainOptions options;
    options.scheme = scheme;
    options.class_weights = {{"a third", 3.0}, {"class0", 2.0}};
    const CrossValidation found = cross_validate(data, {options}, folds, {});
    const FoldData part = fold_data(data, folds[0], {});
    TrainOptions without = options;
    without.class_weights.erase("a third");
    const Model model = train(part.train, without, {}).model;
    const Prediction expected = predict(model, part.test, {});
    double right = 0.0;
    for (std::size_t i = 0; i < 10; ++i) {
      const bool same = model.names[to_size(expected.winner[i])] == part.test.table.labels[i];
      right += same ? 1.0 : 0.0;
    }
    const FoldScore& first = found.models.front()[0];
    EXPECT_DOUBLE_EQ(*score_on(first, "accuracy"), right / 10.0);
    EXPECT_FALSE(score_on(first, "macro_auc"));
    EXPECT_TRUE(score_on(first, "macro_f1"));
    EXPECT_EQ(first.learned.names, (std::vector<std::string>{"a third", "class0", "class1"}));
    EXPECT_TRUE(score_on(found.models.front()[1], "macro_auc"));
    EXPECT_TRUE(found.pool(0, data, folds));
  }
}

TEST(ScoreRule, SaysWhichWayAndRefusesOtherNames) {
  EXPECT_TRUE(score_rule("macro_f1").larger_is_better);
  EXPECT_FALSE(score_rule("rmse").larger_is_better);
  EXPECT_EQ(score_rule("mean_mae").best, 0.0);
  EXPECT_FALSE(score_rule("pinball_loss").larger_is_better);
  EXPECT_THROW((void)score_rule("acuracy"), ParameterError);
  EXPECT_THROW((void)score_rule("outlier_fraction"), ParameterError);
  EXPECT_TRUE(score_rule("auc").better(0.5, std::nullopt));
  EXPECT_FALSE(score_rule("auc").better(std::nullopt, 0.5));
  EXPECT_TRUE(score_rule("rmse").better(1.0, 2.0));
}

/// Kernels of landmarks stay those of landmarks when a fold keeps kernels for later models.
TEST(CrossValidate, TrainsOnLandmarksAsTrainingDoes) {
  const Dataset data = with_classes(2);
  const std::vector<Fold> folds = plain_folds(kHeld, {.folds = 4, .seed = 2});
  TrainOptions options;
  options.landmarks = parse_landmarks("12");
  const CrossValidation found = cross_validate(data, {options, options}, folds, {});
  for (std::size_t f = 0; f < folds.size(); ++f) {
    const FoldData part = fold_data(data, folds[f], {});
    const Model model = train(part.train, options, {}).model;
    ASSERT_TRUE(model.landmarks);
    EXPECT_EQ(found.models.front()[f].prediction.decision.values,
              predict(model, part.test, {}).decision.values);
  }
}

TEST(CrossValidate, RefusesMoreLandmarksThanSamplesOfAllFolds) {
  const std::vector<Fold> folds = plain_folds(kHeld, {.folds = 4, .seed = 2});
  TrainOptions options;
  options.landmarks = parse_landmarks(std::to_string(kHeld));
  EXPECT_NO_THROW((void)cross_validate(with_classes(2), {options}, folds, {}));
  options.landmarks = parse_landmarks(std::to_string(kHeld + 1));
  EXPECT_THROW((void)cross_validate(with_classes(2), {options}, folds, {}), ParameterError);
}

/// Means of shares k / n over K folds in any order, against whole numbers.
TEST(ScoreRule, MeansOfSharesAreTiedExactlyWhereTheirSumsAreEqual) {
  const ScoreRule rule = score_rule("accuracy");
  std::uint32_t state = 1;
  const auto next = [&](std::uint32_t below) {
    state = state * 1664525U + 1013904223U;
    return (state >> 8U) % below;
  };
  int tied = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::uint32_t n = 2 + next(60);
    const std::uint32_t folds = 2 + next(12);
    std::array<std::uint32_t, 2> sums = {0, 0};
    std::array<double, 2> means = {0.0, 0.0};
    for (std::uint32_t f = 0; f < folds; ++f) {
      for (std::size_t side = 0; side < 2; ++side) {
        const std::uint32_t k = n - next(std::min(n, 4U));
        sums[side] += k;
        means[side] += static_cast<double>(k) / n;
      }
    }
    for (double& mean : means) mean /= folds;
    tied += sums[0] == sums[1] ? 1 : 0;
    EXPECT_EQ(rule.better(means[0], means[1]), sums[0] > sums[1]);
    EXPECT_EQ(rule.better(means[1], means[0]), sums[1] > sums[0]);
    EXPECT_EQ(rule.difference(means[0], means[1]) == 0.0, sums[0] == sums[1]);
  }
  EXPECT_GT(tied, 1000);
}

}  // namespace
}  // namespace kernmix::testing
