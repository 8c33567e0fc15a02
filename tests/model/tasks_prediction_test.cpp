/// \file
/// Predictions of many tasks.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "kernmix/error.hpp"
#include "model/pair_votes.hpp"
#include "model/targets.hpp"
#include "model/toy_tasks.hpp"

namespace kernmix::testing {
namespace {

Matrix matrix_of(const nlohmann::json& rows) {
  Matrix matrix(length(rows), length(rows.at(0)));
  matrix.values.clear();
  for (const auto& row : rows) {
    for (const double value : row) matrix.values.push_back(value);
  }
  return matrix;
}

/// reference/votes.json, which reference/generate.py writes with scikit-learn.
TEST(PredictTasks, VotesOfPairsAreThoseOfScikitLearn) {
  std::ifstream stream(KERNMIX_SOURCE_DIR "/tests/model/reference/votes.json");
  for (const auto& reference : nlohmann::json::parse(stream)) {
    const Index K = reference.at("classes");
    std::vector<std::string> names;
    for (Index k = 0; k < K; ++k) names.push_back(std::to_string(k));
    const Matrix expected = matrix_of(reference.at("decision"));
    const Matrix votes = pair_votes(outline_tasks(TaskScheme::one_vs_one, names), K,
                                    matrix_of(reference.at("pairs")));
    ASSERT_EQ(votes.values.size(), expected.values.size());
    for (std::size_t i = 0; i < votes.values.size(); ++i) {
      EXPECT_NEAR(votes.values[i], expected.values[i], 1e-14) << K << " classes, " << i;
    }
  }
}

TEST(PredictTasks, EqualDecisionsGoToTheFirstClass) {
  TrainOptions options = toy_task_options();
  const Dataset data = toy_classes(60, 3, 41);
  Model model = train(data, options, {}).model;
  for (TaskModel& task : model.tasks) {
    task.coefficients.assign(task.coefficients.size(), 0.0);
    task.bias = &task == &model.tasks[0] ? -1.0 : 0.5;
  }
  for (const Index winner : predict(model, data, {}).winner) EXPECT_EQ(winner, 1);
}

TEST(PredictTasks, LearnsTheClasses) {
  const Dataset data = toy_classes(200, 4, 42);
  const Dataset fresh = toy_classes(100, 4, 43);
  for (const SchemeCase& c : scheme_cases()) {
    if (!has_classes(c.scheme)) continue;
    const Model model = train(data, toy_task_options(c.sharing, c.scheme), {}).model;
    const Prediction prediction = predict(model, fresh, {});
    Index right = 0;
    for (std::size_t i = 0; i < 100; ++i) {
      const auto winner = static_cast<std::size_t>(prediction.winner[i]);
      right += model.names[winner] == fresh.table.labels[i] ? 1 : 0;
    }
    EXPECT_GE(right, 50) << name_of(c);
    EXPECT_EQ(prediction.decision.cols, 4);
    EXPECT_TRUE(prediction.has_label.empty());
  }
}

TEST(PredictTasks, LabelsAreThereFromTheirThresholdsOn) {
  const Dataset data = toy_labels(80, 44);
  TrainOptions options = toy_task_options();
  options.loss = "logistic";
  Model model = train(data, options, {}).model;
  const Matrix decision = predict(model, data, {}).decision;
  model.tasks[1].threshold = decision(5, 1);
  const Prediction prediction = predict(model, data, {});
  EXPECT_TRUE(prediction.winner.empty());
  for (Index i = 0; i < 80; ++i) {
    for (Index t = 0; t < 3; ++t) {
      const auto at = static_cast<std::size_t>(3 * i + t);
      const double threshold = t == 1 ? decision(5, 1) : 0.0;
      EXPECT_EQ(prediction.has_label[at] == 1, decision(i, t) >= threshold);
      EXPECT_DOUBLE_EQ(prediction.probability.values[at], 1.0 / (1.0 + std::exp(-decision(i, t))));
    }
  }
  EXPECT_EQ(prediction.has_label[16], 1);
}

TEST(PredictTasks, NamesTheSampleWhoseDecisionIsNotFinite) {
  const Dataset data = toy_classes(60, 4, 45);
  TrainOptions options = toy_task_options();
  options.kernels = {"linear on all"};
  const Model model = train(data, options, {}).model;
  Dataset far = data;
  far.table.values(3, 0) = 1e308;
  far.table.values(3, 1) = -1e308;
  try {
    (void)predict(model, far, {});
    FAIL();
  } catch (const DataError& failure) {
    EXPECT_NE(std::string(failure.what()).find("sample 4 is not finite"), std::string::npos);
  }
}

}  // namespace
}  // namespace kernmix::testing
