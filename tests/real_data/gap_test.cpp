// Every regularizer reaches its gap on real data, and `verify` finds the same numbers again.
// Needs the folder of data sets; the demo's data are in the project.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <ostream>

#include "kernmix/kernmix.hpp"
#include "real_samples.hpp"

namespace kernmix {
namespace {

namespace fs = std::filesystem;
using testing::data_folder;

/// A data set as a two-class problem, with the bank that is natural for it.
struct Set {
  std::string name;
  std::vector<std::string> kernels;
  std::string positive;  ///< this class against the others; empty: the file has two classes
};

std::ostream& operator<<(std::ostream& out, const Set& set) { return out << set.name; }

std::vector<Set> sets() {
  const std::vector<std::string> protocol = {
      "rbf(width={0.5; 2; 8}) on all", "rbf(width={0.5; 2; 8}) on all, each",
      "poly(degree=1..3, coef0=1) on all", "poly(degree=1..3, coef0=1) on all, each"};
  return {{"demo", {"rbf(gamma=2^-6..2^3) on *", "rbf(width={0.5; 2; 8}) on all, each"}, ""},
          {"ionosphere", protocol, ""},
          {"sonar", protocol, ""},
          {"heart", protocol, ""},
          {"tcga-breast", {"rbf(gamma=2^-12..2^-4) on *", "linear on *"}, "1"},
          {"texas-k", {"precomputed"}, "3"}};
}

std::vector<std::string> one_against_the_rest(std::vector<std::string> labels,
                                              const std::string& positive) {
  if (positive.empty()) return labels;
  for (std::string& label : labels) label = label == positive ? "yes" : "no";
  return labels;
}

Dataset read_demo() {
  Dataset data;
  data.table = testing::read_samples(testing::kBreastCancer);
  data.views = resolve_views({"mean=mean_*", "error=error_*", "worst=worst_*"}, data.table);
  return data;
}

Dataset read_texas(const fs::path& folder) {
  Dataset data;
  std::ifstream labels(folder / "y.txt");
  for (std::string label; labels >> label;) data.table.labels.push_back(label);
  data.table.values = Matrix(length(data.table.labels), 0);
  int index = 0;
  for (Matrix& matrix : read_matrices((folder / "kernels.npy").string())) {
    data.matrices.push_back({"K" + std::to_string(index++), KernelInput::gram,
                             std::make_shared<const Matrix>(std::move(matrix))});
  }
  return data;
}

Dataset read_set(const Set& set) {
  if (set.name == "demo") return read_demo();
  const fs::path folder = data_folder() / set.name;
  if (set.name == "texas-k") return read_texas(folder);
  std::vector<std::string> files;
  for (const char* view : {"data.libsvm", "view01.libsvm", "view02.libsvm"}) {
    if (fs::exists(folder / view)) files.push_back((folder / view).string());
  }
  Dataset data;
  data.table = read_table(files, {});
  data.views = resolve_views({}, data.table);
  return data;
}

class RealData : public ::testing::TestWithParam<Set> {
 protected:
  void SetUp() override {
    if (GetParam().name != "demo" && !fs::exists(data_folder() / GetParam().name)) {
      GTEST_SKIP() << GetParam().name
                   << " is not here: set KERNMIX_DATA to the folder of data sets";
    }
    data_ = read_set(GetParam());
    data_.table.labels = one_against_the_rest(data_.table.labels, GetParam().positive);
  }

  void expect_certified(const std::string& regularizer, double C, double tolerance) const {
    TrainOptions options;
    options.kernels = GetParam().kernels;
    options.regularizer = regularizer;
    options.C = C;
    options.solver.tolerance = tolerance;
    const TrainResult result = train(data_, options, Context{});
    const Bounds& reported = result.model.certificate;
    EXPECT_LE(reported.relative_gap(), tolerance) << regularizer << ", C = " << C;
    EXPECT_EQ(result.status, Status::converged) << regularizer << ", C = " << C;
    const Verification again = verify(result.model, data_, Context{});
    EXPECT_TRUE(again.agrees) << regularizer << ", C = " << C << ": " << again.difference;
  }

  Dataset data_;
};

/// Other costs below, to gaps that are smaller.
TEST_P(RealData, EveryRegularizerReachesTheDefaultGap) {
  for (const char* regularizer : {"l1", "lp:p=1.1", "lp:p=1.333", "lp:p=2", "lp:p=4", "average"}) {
    expect_certified(regularizer, 1.0, 1e-3);
  }
}

TEST_P(RealData, AndOneInAMillionWhenAsked) {
  for (const char* regularizer : {"l1", "lp:p=1.1", "lp:p=1.333", "lp:p=2", "lp:p=4", "average"}) {
    for (const double C : {0.01, 1.0, 100.0}) expect_certified(regularizer, C, 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, RealData, ::testing::ValuesIn(sets()), [](const auto& set) {
  std::string name = set.param.name;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace kernmix
