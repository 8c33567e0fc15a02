/// \file
/// Thresholds by cross-fitting, against all thresholds tried one by one.

#include "model/thresholds/thresholds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "model/file/model_container.hpp"
#include "model/thresholds/folds.hpp"
#include "model/toy_tasks.hpp"

namespace kernmix::testing {
namespace {

double f1_at(const Vector& y, const Vector& decision, double threshold) {
  double hits = 0.0;
  double wrong = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const bool predicted = decision[i] >= threshold;
    if (predicted && y[i] > 0.0) hits += 1.0;
    if (predicted != (y[i] > 0.0)) wrong += 1.0;
  }
  return 2.0 * hits / (2.0 * hits + wrong);
}

TEST(Thresholds, AreThoseOfTheLargestF1) {
  Numbers numbers(31);
  for (int trial = 0; trial < 200; ++trial) {
    Vector y = {1.0};
    Vector decision = {0.0};
    for (int i = 0; i < 12; ++i) {
      y.push_back(numbers.uniform() < 0.4 ? 1.0 : -1.0);
      decision.push_back(std::floor(4.0 * numbers.normal()) / 4.0);
    }
    double best = 0.0;
    for (const double value : decision) best = std::max(best, f1_at(y, decision, value));
    EXPECT_DOUBLE_EQ(f1_at(y, decision, best_f1_threshold(y, decision)), best) << trial;
  }
}

TEST(Thresholds, FoldsAreEvenAndDependOnTheSeedAlone) {
  const std::vector<Index> fold = random_folds(23, 4, 5);
  for (Index f = 0; f < 4; ++f) {
    const auto size = std::ranges::count(fold, f);
    EXPECT_TRUE(size == 5 || size == 6) << f;
  }
  EXPECT_EQ(random_folds(23, 4, 5), fold);
  EXPECT_NE(random_folds(23, 4, 6), fold);
}

TrainOptions cross_fitting(Index folds) {
  TrainOptions options = toy_task_options();
  options.threshold_folds = folds;
  return options;
}

TEST(Thresholds, ChangeNothingElse) {
  const Dataset data = toy_labels(80, 32);
  const Model plain = train(data, cross_fitting(0), {}).model;
  Model fitted = train(data, cross_fitting(4), {}).model;
  std::set<double> thresholds;
  for (TaskModel& task : fitted.tasks) {
    thresholds.insert(task.threshold);
    task.threshold = 0.0;
  }
  EXPECT_EQ(thresholds.size(), 3U);
  EXPECT_EQ(encode_model(fitted), encode_model(plain));
}

/// By hand: models of each fold's other samples, trained and asked one after the other.
TEST(Thresholds, ComeFromSamplesThatTheModelsWereNotTrainedOn) {
  const Dataset data = toy_labels(60, 33);
  Context context;
  context.seed = 7;
  const Model model = train(data, cross_fitting(3), context).model;
  const std::vector<Index> fold = random_folds(60, 3, 7);
  Matrix decision(60, 3);
  for (Index f = 0; f < 3; ++f) {
    std::vector<Index> trained;
    std::vector<Index> others;
    for (Index i = 0; i < 60; ++i) {
      (fold[static_cast<std::size_t>(i)] == f ? others : trained).push_back(i);
    }
    const auto part = [&](const std::vector<Index>& rows) {
      Dataset some = rows_of(data, rows);
      some.table.multi_labels.values.clear();
      for (const Index i : rows) {
        for (Index t = 0; t < 3; ++t) {
          some.table.multi_labels.values.push_back(data.table.multi_labels.has(i, t) ? 1 : 0);
        }
      }
      return some;
    };
    const Model own = train(part(trained), cross_fitting(0), context).model;
    const Matrix values = predict(own, part(others), context).decision;
    for (Index i = 0; i < values.rows; ++i) {
      for (Index t = 0; t < 3; ++t) decision(others[static_cast<std::size_t>(i)], t) = values(i, t);
    }
  }
  for (Index t = 0; t < 3; ++t) {
    Vector column;
    for (Index i = 0; i < 60; ++i) column.push_back(decision(i, t));
    EXPECT_EQ(model.tasks[static_cast<std::size_t>(t)].threshold,
              best_f1_threshold(data.table.multi_labels.signs(t), column));
  }
}

TEST(Thresholds, OfRareLabelsStayZeroAndTheLogSaysSo) {
  Dataset data = toy_labels(60, 34);
  for (std::size_t i = 2; i < data.table.multi_labels.values.size(); i += 3) {
    data.table.multi_labels.values[i] = i == 2 ? 1 : 0;
  }
  std::string log;
  Context context;
  context.log = [&](std::string_view line) { log += std::string(line) + "\n"; };
  const Model model = train(data, cross_fitting(3), context).model;
  EXPECT_EQ(model.tasks[2].threshold, 0.0);
  EXPECT_NE(model.tasks[0].threshold, 0.0);
  EXPECT_NE(log.find("all samples or no samples have label 'odd': its threshold is 0"),
            std::string::npos)
      << log;
}

TEST(Thresholds, WorkWithGivenMatrices) {
  const Dataset data = toy_labels(60, 35);
  Dataset given;
  given.table.source = "labels.csv";
  given.table.multi_labels = data.table.multi_labels;
  auto gram = std::make_shared<Matrix>(60, 60);
  for (Index i = 0; i < 60; ++i) {
    for (Index j = 0; j < 60; ++j) {
      double distance = 0.0;
      for (Index c = 0; c < 5; ++c) {
        const double d = data.table.values(i, c) - data.table.values(j, c);
        distance += d * d;
      }
      (*gram)(i, j) = std::exp(-0.02 * distance);
    }
  }
  given.matrices = {{"K", KernelInput::gram, gram}};
  TrainOptions of_features = cross_fitting(3);
  of_features.kernels = {"rbf(gamma=0.02) on all"};
  of_features.scaling = ScalingRule::none;
  TrainOptions of_matrix = of_features;
  of_matrix.kernels = {"precomputed on K"};
  const Model expected = train(data, of_features, {}).model;
  const Model model = train(given, of_matrix, {}).model;
  EXPECT_TRUE(verify(model, given, {}).agrees);
  for (std::size_t t = 0; t < 3; ++t) {
    EXPECT_NEAR(model.tasks[t].threshold, expected.tasks[t].threshold, 1e-6);
  }
  const Prediction prediction = predict(model, given, {});
  EXPECT_EQ(prediction.has_label.size(), 180U);
}

/// Entry (i, j) is 10 i + j, wherever that lies.
class CountedMatrix final : public MatrixReader {
 public:
  [[nodiscard]] Index rows() const override { return 6; }
  [[nodiscard]] Index cols() const override { return 6; }
  void block(std::span<const Index> rows, std::span<const Index> cols,
             MutableSpan out) const override {
    auto* entry = out.data();
    for (const Index i : rows) {
      for (const Index j : cols) *entry++ = static_cast<double>(10 * i + j);
    }
  }
};

/// A fold of a stack larger than memory takes none.
TEST(Thresholds, ReadMatricesOfTheirFoldsWhereTheyLie) {
  Dataset data;
  data.matrices.push_back({"K", KernelInput::gram,
                           std::shared_ptr<const MatrixReader>(std::make_shared<CountedMatrix>())});
  const GivenMatrix part = part_of(data, {1, 4}, {0, 2, 5}, {}).matrices.front().matrix;
  EXPECT_EQ(part.in_memory(), nullptr);
  ASSERT_EQ(part.rows(), 2);
  ASSERT_EQ(part.cols(), 3);
  EXPECT_EQ(part.whole().values, (Vector{10, 12, 15, 40, 42, 45}));
}

}  // namespace
}  // namespace kernmix::testing
