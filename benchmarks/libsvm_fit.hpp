#pragma once
/// \file
/// One fit of LIBSVM on a precomputed Gram matrix, timed.

#include <libsvm/svm.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

struct LibsvmFit {
  Vector a;
  long iterations = 0;
  double seconds = 0.0;
};

/// Processor seconds of one call: the best of several, so that small problems can be compared.
template <typename Call>
double best_seconds(const Call& call) {
  double best = std::numeric_limits<double>::infinity();
  double total = 0.0;
  for (int repetition = 0; repetition < 20 && total < 1.0; ++repetition) {
    const std::clock_t start = std::clock();
    call();
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best = std::min(best, seconds);
    total += seconds;
  }
  return best;
}

inline long libsvm_iterations = 0;

/// LIBSVM reports its iterations in words only: "optimization finished, #iter = 1234".
inline void listen_to_libsvm(const char* text) {
  const char* mark = "#iter = ";
  if (const std::string line = text; line.find(mark) != std::string::npos) {
    libsvm_iterations = std::atol(line.c_str() + line.find(mark) + 8);
  }
}

/// \param K  n x n;  \param y  +1 or -1.  LIBSVM stops at its default eps = 1e-3.
inline LibsvmFit fit_libsvm(std::span<const float> K, const Vector& y, double C) {
  const Index n = length(y);
  const Index width = n + 2;
  std::vector<svm_node> nodes(static_cast<std::size_t>(n * width));
  std::vector<svm_node*> rows(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    svm_node* row = nodes.data() + i * width;
    rows[static_cast<std::size_t>(i)] = row;
    row[0] = {0, static_cast<double>(i + 1)};
    for (Index j = 0; j < n; ++j) {
      row[j + 1] = {static_cast<int>(j + 1), K[static_cast<std::size_t>(i * n + j)]};
    }
    row[n + 1] = {-1, 0.0};
  }
  Vector labels = y;
  svm_problem problem{static_cast<int>(n), labels.data(), rows.data()};
  svm_parameter parameter{};
  parameter.svm_type = C_SVC;
  parameter.kernel_type = PRECOMPUTED;
  parameter.cache_size = 4096;
  parameter.eps = 1e-3;
  parameter.C = C;
  parameter.shrinking = 1;
  svm_set_print_string_function(listen_to_libsvm);
  svm_model* model = nullptr;
  LibsvmFit fit{Vector(y.size(), 0.0)};
  fit.seconds = best_seconds([&] {
    if (model != nullptr) svm_free_and_destroy_model(&model);
    model = svm_train(&problem, &parameter);
  });
  fit.iterations = libsvm_iterations;
  for (int k = 0; k < model->l; ++k) {
    fit.a[static_cast<std::size_t>(model->sv_indices[k] - 1)] = model->sv_coef[0][k];
  }
  svm_free_and_destroy_model(&model);
  return fit;
}

}  // namespace kernmix
