#pragma once
/// \file
/// Small data of K classes or T labels.

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

inline TrainOptions toy_task_options(const std::string& sharing = "sum",
                                     TaskScheme scheme = TaskScheme::one_vs_rest) {
  TrainOptions options = toy_options();
  options.scheme = scheme;
  options.coupling = sharing;
  return options;
}

/// The scheme fits the data: with labels it is `labels`.
struct SchemeCase {
  TaskScheme scheme;
  std::string sharing;
};
inline std::vector<SchemeCase> scheme_cases() {
  std::vector<SchemeCase> cases;
  for (const TaskScheme scheme :
       {TaskScheme::one_vs_rest, TaskScheme::one_vs_one, TaskScheme::labels}) {
    for (const char* sharing : {"sum", "minimax", "separate"}) cases.push_back({scheme, sharing});
  }
  cases.push_back({TaskScheme::joint, "sum"});
  return cases;
}
inline Dataset data_for(TaskScheme scheme, Index n, std::uint32_t seed) {
  return scheme == TaskScheme::labels ? toy_labels(n, seed) : toy_classes(n, 4, seed);
}
inline std::string name_of(const SchemeCase& c) { return scheme_name(c.scheme) + " " + c.sharing; }

}  // namespace kernmix::testing
