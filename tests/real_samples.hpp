#pragma once
/// \file
/// A few samples of a real data set with kernels on its columns, for tests.

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "kernmix/kernmix.hpp"

namespace kernmix::testing {

/// The folder of data sets: environment variable KERNMIX_DATA, or shared/data beside the checkout.
[[nodiscard]] inline std::filesystem::path data_folder() {
  if (const char* named = std::getenv("KERNMIX_DATA")) return named;
  return std::filesystem::path(KERNMIX_SOURCE_DIR) / ".." / "shared" / "data";
}

inline const std::string kBreastCancer = "breast-cancer";  ///< the demo's data, in the project

[[nodiscard]] inline bool is_here(const std::string& set) {
  return set == kBreastCancer || std::filesystem::exists(data_folder() / set / "data.libsvm");
}

[[nodiscard]] inline Table read_samples(const std::string& set) {
  if (set != kBreastCancer) return read_table({(data_folder() / set / "data.libsvm").string()}, {});
  ReadOptions options;
  options.label_column = "diagnosis";
  options.id_column = "sample";
  return read_table({KERNMIX_SOURCE_DIR "/examples/data/breast_cancer_train.csv"}, options);
}

/// n samples, evenly spread over the file, which may be sorted by class. Twelve Gaussian kernels:
/// two widths on each third of the columns, and two single columns of each third. The last column
/// of the first third, which no kernel reads, gives numbers to learn.
struct RealSamples {
  std::vector<Matrix> kernels;
  std::vector<Index> group;  ///< the third that a kernel reads
  Vector classes, numbers;

  RealSamples(const std::string& set, Index n) {
    const Table table = read_samples(set);
    const Vector labels = BinaryLabels::find(table.labels).encode(table.labels);
    Matrix X(n, table.values.cols);
    for (Index i = 0; i < n; ++i) {
      const Index row = i * table.samples() / n;
      classes.push_back(labels[static_cast<std::size_t>(row)]);
      for (Index j = 0; j < X.cols; ++j) X(i, j) = table.values(row, j);
    }
    add_kernels(Scaling::fit(ScalingRule::standard, X).apply(X));
  }

 private:
  void add_kernels(const Matrix& X) {
    const Index width = X.cols / 3;
    for (Index i = 0; i < X.rows; ++i) numbers.push_back(X(i, width - 1));
    for (Index third = 0; third < 3; ++third) {
      const Index begin = third * width;
      const Index end = begin + (third == 0 ? width - 1 : width);
      for (const double gamma : {0.1, 1.0}) {
        kernels.push_back(gaussian(X, begin, end, gamma / static_cast<double>(width)));
      }
      for (const Index column : {begin, begin + (width - 1) / 2}) {
        kernels.push_back(gaussian(X, column, column + 1, 0.5));
      }
      group.insert(group.end(), 4, third);
    }
  }

  /// exp(-gamma |x - z|^2) over the columns from `begin` to before `end`.
  static Matrix gaussian(const Matrix& X, Index begin, Index end, double gamma) {
    Matrix K(X.rows, X.rows);
    for (Index i = 0; i < X.rows; ++i) {
      for (Index j = 0; j < X.rows; ++j) {
        double square = 0.0;
        for (Index c = begin; c < end; ++c) square += std::pow(X(i, c) - X(j, c), 2);
        K(i, j) = std::exp(-gamma * square);
      }
    }
    return K;
  }
};

}  // namespace kernmix::testing
