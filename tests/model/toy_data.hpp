#pragma once
/// \file
/// Two noisy views of two classes, and their exact kernels for comparison.

#include <fmt/format.h>

#include <cmath>
#include <random>

#include "kernmix/train.hpp"

namespace kernmix {

/// Reproducible on every platform, which std::normal_distribution is not.
class Numbers {
 public:
  explicit Numbers(std::uint32_t seed) : engine_(seed) {}
  double uniform() { return static_cast<double>(engine_()) / 4294967296.0; }
  double normal() {
    double sum = 0.0;
    for (int k = 0; k < 12; ++k) sum += uniform();
    return sum - 6.0;
  }

 private:
  std::mt19937 engine_;
};

/// n samples, columns a1 a2 a3 (informative) and b1 b2 (noise), labels "no" and "yes".
inline Dataset toy_data(Index n, std::uint32_t seed) {
  Numbers numbers(seed);
  Dataset data;
  Table& table = data.table;
  table.source = "toy.csv";
  table.columns = {"a1", "a2", "a3", "b1", "b2"};
  table.values = Matrix(n, 5);
  for (Index i = 0; i < n; ++i) {
    const bool yes = i % 2 == 0;
    table.labels.push_back(yes ? "yes" : "no");
    table.ids.push_back(fmt::format("s{}", i));
    for (Index j = 0; j < 5; ++j) {
      const double shift = j < 3 && yes ? 1.2 : 0.0;
      table.values(i, j) = 10.0 + (numbers.normal() + shift) * (1.0 + static_cast<double>(j));
    }
  }
  data.views = {{"a", {"a1", "a2", "a3"}}, {"b", {"b1", "b2"}}};
  return data;
}

inline TrainOptions toy_options() {
  TrainOptions options;
  options.kernels = {"rbf(gamma=2^-4..2^0) on a|b", "linear on a, each"};
  options.C = 2.0;
  return options;
}

/// The dual vector of a single task on all training samples.
inline Vector dual_vector(const Model& model) {
  Vector a(static_cast<std::size_t>(model.training_samples), 0.0);
  const Matrix coefficients = coefficients_of(model);
  for (std::size_t s = 0; s < model.support.size(); ++s) {
    a[static_cast<std::size_t>(model.support[s])] = coefficients.values[s];
  }
  return a;
}

/// The class that a sample is predicted, by name.
inline std::string label_of(const Model& model, const Prediction& prediction, std::size_t i) {
  return model.names[static_cast<std::size_t>(prediction.winner.at(i))];
}

/// Rows `order` of a data set without matrices.
inline Dataset rows_of(const Dataset& data, const std::vector<Index>& order) {
  Dataset chosen = data;
  chosen.table.values = Matrix(length(order), data.table.values.cols);
  chosen.table.labels.clear();
  chosen.table.ids.clear();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto from = static_cast<std::size_t>(order[i]);
    const ConstSpan row = data.table.values.row(order[i]);
    std::copy(row.begin(), row.end(), chosen.table.values.row(static_cast<Index>(i)).begin());
    if (!data.table.labels.empty()) chosen.table.labels.push_back(data.table.labels[from]);
    if (!data.table.ids.empty()) chosen.table.ids.push_back(data.table.ids[from]);
  }
  return chosen;
}

}  // namespace kernmix
