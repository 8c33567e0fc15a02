#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "kernmix/kernmix.hpp"

namespace kernmix {
namespace {

Dataset breast_cancer(const std::string& part) {
  ReadOptions options;
  options.label_column = "diagnosis";
  options.id_column = "sample";
  Dataset data;
  data.table =
      read_table({KERNMIX_SOURCE_DIR "/examples/data/breast_cancer_" + part + ".csv"}, options);
  data.views = resolve_views({"mean=mean_*", "error=error_*", "worst=worst_*"}, data.table);
  return data;
}

TEST(BreastCancer, TrainSaveLoadPredictEvaluateVerify) {
  const Dataset training = breast_cancer("train");
  const Dataset held_out = breast_cancer("test");
  TrainOptions options;
  options.C = 10.0;
  const TrainResult result = train(training, options, {});
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.model.kernels.size(), 15U);

  const auto file = std::filesystem::temp_directory_path() /
                    ("kernmix-bc-" + std::to_string(::getpid()) + ".kmx");
  save_model(result.model, file.string());
  const Model model = load_model(file.string());
  std::filesystem::remove(file);

  EXPECT_TRUE(verify(model, training, {}).agrees);
  const Vector y = BinaryLabels{model.names[0], model.names[1]}.encode(held_out.table.labels);
  const Vector decision = predict(model, held_out, {}).decision.values;
  EXPECT_GE(*auc(y, decision).value, 0.98);
  EXPECT_GE(*evaluate(y, decision).metrics.front().value, 0.94);
}

/// A dual vector inside its box proves as much, and would make every sample a part of the model.
TEST(BreastCancer, ModelsKeepFewOfTheSamples) {
  TrainOptions options;
  options.kernels = {"rbf(gamma=2^-4..2^1) on mean|error|worst, each"};
  options.C = 100.0;
  const TrainResult result = train(breast_cancer("train"), options, {});
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_LE(4 * length(result.model.support), result.model.training_samples);
}

}  // namespace
}  // namespace kernmix
