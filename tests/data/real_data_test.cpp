#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "data/temporary_file.hpp"
#include "kernmix/data.hpp"

namespace kernmix {
namespace {

const std::string kDemo = std::string(KERNMIX_SOURCE_DIR) + "/examples/data/";

ReadOptions demo_options() {
  ReadOptions options;
  options.label_column = "diagnosis";
  options.id_column = "sample";
  return options;
}

TEST(DemoData, HasThreeViewsOfTenColumns) {
  const Table table = read_table({kDemo + "breast_cancer.csv"}, demo_options());
  EXPECT_EQ(table.samples(), 569);
  EXPECT_EQ(table.values(0, 0), 17.99);
  const auto views = resolve_views({"mean=mean_*", "error=error_*", "worst=worst_*"}, table);
  for (const View& view : views) EXPECT_EQ(view.columns.size(), 10u) << view.name;
  const Vector y = BinaryLabels::find(table.labels).encode(table.labels);
  EXPECT_EQ(std::count(y.begin(), y.end(), 1.0), 212) << "malignant";
}

TEST(DemoData, TheSplitIsAPartition) {
  const Table all = read_table({kDemo + "breast_cancer.csv"}, demo_options());
  std::vector<std::string> ids;
  for (const char* part : {"train", "test"}) {
    const Table table = read_table({kDemo + "breast_cancer_" + part + ".csv"}, demo_options());
    ids.insert(ids.end(), table.ids.begin(), table.ids.end());
  }
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(ids, all.ids);
}

/// The folder of real data sets that are not part of the project; empty when absent.
std::string data_folder() {
  const char* const named = std::getenv("KERNMIX_DATA");
  const std::string folder =
      named != nullptr ? named : std::string(KERNMIX_SOURCE_DIR) + "/../shared/data";
  return std::filesystem::exists(folder) ? folder + "/" : "";
}

TEST(RealData, MultiFeatureDigitsHaveSixViews) {
  const std::string folder = data_folder();
  if (folder.empty()) GTEST_SKIP() << "set KERNMIX_DATA to the folder of data sets";
  std::vector<std::string> files;
  for (int k = 1; k <= 6; ++k)
    files.push_back(folder + "mfeat/view0" + std::to_string(k) + ".libsvm");
  const Table table = read_table(files, {});
  EXPECT_EQ(table.samples(), 2000);
  EXPECT_EQ(table.labels.size(), 2000u);
  EXPECT_EQ(resolve_views({}, table).size(), 6u);
}

TEST(RealData, EmotionsHasSixLabels) {
  const std::string folder = data_folder();
  if (folder.empty()) GTEST_SKIP() << "set KERNMIX_DATA to the folder of data sets";
  ReadOptions options;
  options.label_columns = {"*"};
  const Table table =
      read_table({folder + "emotions/view01.libsvm", folder + "emotions/view02.libsvm"}, options);
  EXPECT_EQ(table.samples(), 593);
  EXPECT_EQ(table.columns.size(), 72u);
  EXPECT_EQ(resolve_views({}, table).size(), 2u);
  EXPECT_EQ(table.multi_labels.names, (std::vector<std::string>{"0", "1", "2", "3", "4", "5"}));
  const auto& flags = table.multi_labels.values;
  EXPECT_EQ(std::count(flags.begin(), flags.end(), 1), 1108) << "1.87 labels a sample";
}

TEST(RealData, GramStacksAreRead) {
  const std::string folder = data_folder();
  if (folder.empty()) GTEST_SKIP() << "set KERNMIX_DATA to the folder of data sets";
  const std::vector<Matrix> stack = read_matrices(folder + "texas-k/kernels.npy");
  ASSERT_EQ(stack.size(), 2u);
  for (const Matrix& matrix : stack) {
    EXPECT_EQ(matrix.rows, 187);
    EXPECT_EQ(matrix.cols, 187);
    EXPECT_NEAR(matrix(3, 5), matrix(5, 3), 1e-9 * std::abs(matrix(3, 5)));
  }
}

}  // namespace
}  // namespace kernmix
