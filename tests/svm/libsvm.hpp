#pragma once
/// \file
/// LIBSVM on a precomputed kernel, as a second opinion.

#include <libsvm/svm.h>

#include <vector>

#include "kernmix/types.hpp"

namespace kernmix::test {

/// The dual vector at eps = 1e-8 of the problem that `parameter` describes (type, C, nu, p and
/// class weights): LIBSVM's coefficients, 0 where a sample is no support vector.
/// \param entry  K_ij for samples i and j
template <typename Entry>
Vector libsvm_dual(Index n, const Entry& entry, Vector y, svm_parameter parameter) {
  std::vector<svm_node> nodes(static_cast<std::size_t>(n * (n + 2)));
  std::vector<svm_node*> rows;
  for (Index i = 0; i < n; ++i) {
    svm_node* row = nodes.data() + i * (n + 2);
    row[0] = {0, static_cast<double>(i + 1)};
    for (Index j = 0; j < n; ++j) row[j + 1] = {static_cast<int>(j + 1), entry(i, j)};
    row[n + 1] = {-1, 0.0};
    rows.push_back(row);
  }
  const svm_problem data{static_cast<int>(n), y.data(), rows.data()};
  parameter.kernel_type = PRECOMPUTED;
  parameter.cache_size = 100;
  parameter.eps = 1e-8;
  parameter.shrinking = 1;
  svm_set_print_string_function([](const char*) {});
  svm_model* model = svm_train(&data, &parameter);
  Vector a(y.size(), 0.0);
  for (int k = 0; k < model->l; ++k) a[model->sv_indices[k] - 1] = model->sv_coef[0][k];
  svm_free_and_destroy_model(&model);
  return a;
}

}  // namespace kernmix::test
