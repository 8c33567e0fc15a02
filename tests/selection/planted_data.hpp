#pragma once
/// \file
/// Samples of which some columns matter and others do not.

#include <fmt/format.h>

#include "kernmix/train.hpp"
#include "model/toy_data.hpp"

namespace kernmix {

/// n samples of two classes, alternating, and `columns` columns of noise, the first `informative`
/// of which are moved by `shift` for the class "yes". Each column is a view.
inline Dataset planted_data(Index n, Index columns, Index informative, double shift,
                            std::uint32_t seed) {
  Numbers numbers(seed);
  Dataset data;
  data.table.source = "planted.csv";
  data.table.values = Matrix(n, columns);
  for (Index j = 0; j < columns; ++j) {
    const std::string name = fmt::format("x{}", j + 1);
    data.table.columns.push_back(name);
    data.views.push_back({name, {name}});
  }
  for (Index i = 0; i < n; ++i) {
    const bool yes = i % 2 == 0;
    data.table.labels.push_back(yes ? "yes" : "no");
    for (Index j = 0; j < columns; ++j) {
      data.table.values(i, j) = numbers.normal() + (yes && j < informative ? shift : 0.0);
    }
  }
  return data;
}

inline TrainOptions linear_options() {
  TrainOptions options;
  options.kernels = {"linear"};
  return options;
}

}  // namespace kernmix
