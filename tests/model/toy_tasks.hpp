#pragma once
/// \file
/// Small data of K classes, T labels or T targets.

#include <gtest/gtest.h>

#include "kernmix/train.hpp"
#include "model/toy_data.hpp"

namespace kernmix::testing {

/// n samples of K classes "c0", "c1", ...: columns a1 a2 a3 depend on the class, b1 b2 are noise.
inline Dataset toy_classes(Index n, Index K, std::uint32_t seed) {
  Dataset data = toy_data(n, seed);
  for (Index i = 0; i < n; ++i) {
    const Index k = (i * 7 + i / 5) % K;
    data.table.labels[static_cast<std::size_t>(i)] = fmt::format("c{}", k);
    for (Index j = 0; j < 3; ++j) {
      if (k % 3 == j) data.table.values(i, j) += 1.5 * static_cast<double>(1 + k / 3 + j);
    }
  }
  return data;
}

/// n samples with any of the labels "left", "low" and "odd"; the last is mostly noise.
inline Dataset toy_labels(Index n, std::uint32_t seed) {
  Dataset data = toy_data(n, seed);
  data.table.labels.clear();
  MultiLabels& labels = data.table.multi_labels;
  labels.names = {"left", "low", "odd"};
  Numbers numbers(seed + 100);
  for (Index i = 0; i < n; ++i) {
    labels.values.push_back(data.table.values(i, 0) + numbers.normal() < 10.0 ? 1 : 0);
    labels.values.push_back(data.table.values(i, 1) + data.table.values(i, 2) < 20.0 ? 1 : 0);
    labels.values.push_back(numbers.uniform() < 0.3 ? 1 : 0);
  }
  return data;
}

/// n samples with the numbers "sum", "product" and "wave" of columns a1 a2 a3, with some noise.
inline Dataset toy_targets(Index n, std::uint32_t seed) {
  Dataset data = toy_data(n, seed);
  data.table.labels.clear();
  TargetNumbers& targets = data.table.targets;
  targets.names = {"sum", "product", "wave"};
  targets.values = Matrix(n, 3);
  Numbers noise(seed + 200);
  for (Index i = 0; i < n; ++i) {
    const ConstSpan x = data.table.values.row(i);
    targets.values(i, 0) = x[0] + 0.5 * x[1] + 0.1 * noise.normal();
    targets.values(i, 1) = 0.05 * x[0] * x[2] + 0.2 * noise.normal();
    targets.values(i, 2) = 20.0 + 3.0 * std::sin(0.5 * x[1]) + 0.3 * noise.normal();
  }
  return data;
}

inline TrainOptions toy_task_options(const std::string& sharing = "sum",
                                     TaskScheme scheme = TaskScheme::one_vs_rest) {
  TrainOptions options = toy_options();
  options.scheme = scheme;
  options.coupling = sharing;
  if (scheme == TaskScheme::targets) options.loss = "squared";
  return options;
}

/// The scheme fits the data: with labels it is `labels`, with targets `targets`.
struct SchemeCase {
  TaskScheme scheme;
  std::string sharing;
};
inline std::vector<SchemeCase> scheme_cases() {
  std::vector<SchemeCase> cases;
  for (const TaskScheme scheme :
       {TaskScheme::one_vs_rest, TaskScheme::one_vs_one, TaskScheme::labels, TaskScheme::targets}) {
    for (const char* sharing : {"sum", "minimax", "separate"}) cases.push_back({scheme, sharing});
  }
  cases.push_back({TaskScheme::joint, "sum"});
  return cases;
}
inline Dataset data_for(TaskScheme scheme, Index n, std::uint32_t seed) {
  if (scheme == TaskScheme::targets) return toy_targets(n, seed);
  return scheme == TaskScheme::labels ? toy_labels(n, seed) : toy_classes(n, 4, seed);
}
/// Whether every sample has one of several classes.
inline bool has_classes(TaskScheme scheme) {
  return scheme != TaskScheme::labels && scheme != TaskScheme::targets;
}
inline std::string name_of(const SchemeCase& c) { return scheme_name(c.scheme) + " " + c.sharing; }
/// The same as the name of a test.
inline std::string test_name_of(const ::testing::TestParamInfo<SchemeCase>& test) {
  std::string name = name_of(test.param);
  for (char& letter : name) {
    if (letter == ' ' || letter == '-') letter = '_';
  }
  return name;
}

}  // namespace kernmix::testing
