#include "weights/tasks/combined_kernel.hpp"

#include <algorithm>

#include "base/blas_threads.hpp"
#include "base/parallel.hpp"

namespace kernmix {
namespace {

std::vector<Index> each_sample(Index n) {
  std::vector<Index> all;
  for (Index i = 0; i < n; ++i) all.push_back(i);
  return all;
}

}  // namespace

void CombinedKernel::remember(ConstSpan d) {
  if (std::ranges::equal(d, d_)) return;
  d_.assign(d.begin(), d.end());
  dense_.rows = factor_.rows = 0;
}

const Matrix& CombinedKernel::dense(ConstSpan d, const Context& context) {
  const std::lock_guard lock(forming_);
  remember(d);
  if (dense_.rows == 0) {
    const Index n = bank_.samples();
    dense_.values.resize(static_cast<std::size_t>(n * n));
    bank_.combine_block(d, each_sample(n), dense_.values, context);
    dense_.rows = dense_.cols = n;
  }
  return dense_;
}

const Matrix& CombinedKernel::factor(ConstSpan d, const Context& context) {
  const std::lock_guard lock(forming_);
  remember(d);
  if (factor_.rows == 0) factor_ = bank_.combined_factor(d, context);
  return factor_;
}

Matrix CombinedKernel::product(ConstSpan d, const Matrix& A, const Context& context) {
  if (by_factor(d)) return bank_.panel_product(d, A, context);
  const Matrix& K = dense(d, context);
  const SerialBlas serial;
  constexpr Index columns_at_once = 256;
  Matrix Z(A.rows, A.cols);
  parallel_for(context, (A.cols + columns_at_once - 1) / columns_at_once, [&](Index block) {
    const Index begin = block * columns_at_once;
    const Index count = std::min(columns_at_once, A.cols - begin);
    as_matrix(Z).middleCols(begin, count).noalias() =
        as_matrix(A) * as_matrix(K).middleRows(begin, count).transpose();
  });
  return Z;
}

TaskBank::TaskBank(CombinedKernel& kernel, const SharedTask& task)
    : kernel_(kernel), bank_(kernel.bank()), task_(task) {}

std::vector<Index> TaskBank::rows(std::span<const Index> index) const {
  std::vector<Index> result;
  for (const Index i : index) result.push_back(row(i));
  return result;
}

void TaskBank::quadratic_forms(ConstSpan a, MutableSpan q, const Context& context) const {
  bank_.quadratic_forms(on_all_samples(task_, a, bank_.samples()), q, context);
}

Matrix TaskBank::forms_and_products(std::span<const Index> subset, ConstSpan a, MutableSpan q,
                                    const Context& context) const {
  return bank_.forms_and_products(subset, on_all_samples(task_, a, bank_.samples()), q, context);
}

void TaskBank::apply(ConstSpan d, ConstSpan a, MutableSpan z, const Context& context) const {
  if (kernel_.by_factor(d)) {
    Vector all(static_cast<std::size_t>(bank_.samples()));
    bank_.apply(d, on_all_samples(task_, a, bank_.samples()), all, context);
    std::ranges::copy(on_rows(task_, all), z.begin());
    return;
  }
  const Matrix& K = kernel_.dense(d, context);
  const SerialBlas serial;
  constexpr Index rows_at_once = 256;
  const Vector all = on_all_samples(task_, a, bank_.samples());
  parallel_for(context, (samples() + rows_at_once - 1) / rows_at_once, [&](Index block) {
    const Index end = std::min((block + 1) * rows_at_once, samples());
    for (Index i = block * rows_at_once; i < end; ++i) {
      z[static_cast<std::size_t>(i)] = as_vector(K.row(row(i))).dot(as_vector(ConstSpan(all)));
    }
  });
}

void TaskBank::apply_each(std::span<const Index> subset, ConstSpan a, MutableSpan u,
                          const Context& context) const {
  const Vector all = on_all_samples(task_, a, bank_.samples());
  if (task_.rows.empty()) return bank_.apply_each(subset, all, u, context);
  Vector products(subset.size() * all.size());
  bank_.apply_each(subset, all, products, context);
  for (std::size_t k = 0; k < subset.size(); ++k) {
    const Vector own = on_rows(task_, ConstSpan(products).subspan(k * all.size(), all.size()));
    std::ranges::copy(own, u.begin() + static_cast<Index>(k) * samples());
  }
}

void TaskBank::combine(ConstSpan d, std::span<float> out, const Context& context) const {
  const Matrix& K = kernel_.dense(d, context);
  const Index n = samples();
  parallel_for(context, n, [&](Index i) {
    const ConstSpan entries = K.row(row(i));
    for (Index j = 0; j < n; ++j) {
      out[static_cast<std::size_t>(i * n + j)] =
          static_cast<float>(entries[static_cast<std::size_t>(row(j))]);
    }
  });
}

void TaskBank::combine_block(ConstSpan d, std::span<const Index> index, MutableSpan out,
                             const Context& context) const {
  if (length(index) < samples()) return bank_.combine_block(d, rows(index), out, context);
  const Matrix& K = kernel_.dense(d, context);
  const std::vector<Index> all = rows(index);
  as_vector(out) = RowMatrix(as_matrix(K)(all, all)).reshaped<Eigen::RowMajor>();
}

Index TaskBank::factor_columns(ConstSpan d) const { return bank_.factor_columns(d); }

Matrix TaskBank::combined_factor(ConstSpan d, const Context& context) const {
  const Matrix& Z = kernel_.factor(d, context);
  if (task_.rows.empty()) return Z;
  Matrix own(samples(), Z.cols);
  as_matrix(own) = as_matrix(Z)(task_.rows, Eigen::all);
  return own;
}

void TaskBank::block(Index m, std::span<const Index> row_index, std::span<const Index> col_index,
                     MutableSpan out) const {
  bank_.block(m, rows(row_index), rows(col_index), out);
}

}  // namespace kernmix
