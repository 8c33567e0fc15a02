#include "weights/tasks/combined_kernel.hpp"

#include <algorithm>
#include <utility>

#include "base/blas_threads.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"

namespace kernmix {
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
    bank_.combined(d)->matrix(all_samples(n), MutableSpan(dense_.values), context);
    dense_.rows = dense_.cols = n;
  }
  return dense_;
}

const Matrix& CombinedKernel::factor(ConstSpan d, const Context& context) {
  const std::lock_guard lock(forming_);
  remember(d);
  if (factor_.rows == 0) factor_ = bank_.combined(d)->factor(context);
  return factor_;
}

Matrix CombinedKernel::product(ConstSpan d, const Matrix& A, const Context& context) {
  if (by_factor(d)) return bank_.combined(d)->times(A, context);
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

TaskBank::TaskBank(CombinedKernel& kernel, const Task& task)
    : kernel_(kernel), bank_(kernel.bank()), task_(task) {}

std::vector<Index> TaskBank::rows(std::span<const Index> index) const {
  std::vector<Index> result;
  for (const Index i : index) result.push_back(row(i));
  return result;
}

Products TaskBank::products(std::span<const Index> subset, const Panel& A, Reach reach,
                            const Context& context) const {
  const Index n = bank_.samples();
  Matrix all(A.rows, n);
  for (Index t = 0; t < A.rows; ++t) {
    std::ranges::copy(on_all_samples(task_, A.row(t), n), all.row(t).begin());
  }
  Products result = bank_.products(subset, all, reach, context);
  if (reach != Reach::everywhere || task_.rows.empty()) return result;
  Matrix own(result.rows.rows, samples());
  for (Index r = 0; r < own.rows; ++r) {
    std::ranges::copy(on_rows(task_, std::as_const(result).rows.row(r)), own.row(r).begin());
  }
  result.rows = std::move(own);
  return result;
}

class TaskBank::Combination final : public Combined {
 public:
  Combination(const TaskBank& bank, ConstSpan d) : bank_(bank), d_(d.begin(), d.end()) {}

  [[nodiscard]] Index samples() const override { return bank_.samples(); }
  [[nodiscard]] Matrix times(const Panel& A, const Context& context) const override {
    const Task& task = bank_.task_;
    const Index n = bank_.bank_.samples();
    Matrix all(A.rows, n);
    for (Index t = 0; t < A.rows; ++t) {
      std::ranges::copy(on_all_samples(task, A.row(t), n), all.row(t).begin());
    }
    if (kernel().by_factor(d_)) {
      const Matrix Z = bank_.bank_.combined(d_)->times(all, context);
      Matrix own(A.rows, samples());
      for (Index t = 0; t < A.rows; ++t) {
        std::ranges::copy(on_rows(task, Z.row(t)), own.row(t).begin());
      }
      return own;
    }
    return times_dense(all, context);
  }
  void matrix(std::span<const Index> on, std::span<float> out,
              const Context& context) const override {
    const Matrix& K = kernel().dense(d_, context);
    const Index n = length(on);
    parallel_for(context, n, [&](Index i) {
      const ConstSpan entries = K.row(bank_.row(on[static_cast<std::size_t>(i)]));
      for (Index j = 0; j < n; ++j) {
        const Index column = bank_.row(on[static_cast<std::size_t>(j)]);
        out[static_cast<std::size_t>(i * n + j)] =
            static_cast<float>(entries[static_cast<std::size_t>(column)]);
      }
    });
  }
  void matrix(std::span<const Index> on, MutableSpan out, const Context& context) const override {
    const std::vector<Index> rows = bank_.rows(on);
    if (length(on) < samples()) return bank_.bank_.combined(d_)->matrix(rows, out, context);
    as_vector(out) =
        RowMatrix(as_matrix(kernel().dense(d_, context))(rows, rows)).reshaped<Eigen::RowMajor>();
  }
  [[nodiscard]] Index columns() const override { return bank_.bank_.combined(d_)->columns(); }
  [[nodiscard]] Matrix factor(const Context& context) const override {
    const Matrix& Z = kernel().factor(d_, context);
    if (bank_.task_.rows.empty()) return Z;
    Matrix own(samples(), Z.cols);
    as_matrix(own) = as_matrix(Z)(bank_.task_.rows, Eigen::all);
    return own;
  }

 private:
  [[nodiscard]] CombinedKernel& kernel() const { return bank_.kernel_; }
  [[nodiscard]] Matrix times_dense(const Matrix& all, const Context& context) const {
    const Matrix& K = kernel().dense(d_, context);
    const SerialBlas serial;
    constexpr Index rows_at_once = 256;
    Matrix Z(all.rows, samples());
    parallel_for(context, (samples() + rows_at_once - 1) / rows_at_once, [&](Index block) {
      const Index end = std::min((block + 1) * rows_at_once, samples());
      for (Index i = block * rows_at_once; i < end; ++i) {
        as_matrix(Z).col(i).noalias() = as_matrix(all) * as_vector(K.row(bank_.row(i)));
      }
    });
    return Z;
  }

  const TaskBank& bank_;
  Vector d_;
};

std::unique_ptr<Combined> TaskBank::combined(ConstSpan d) const {
  return std::make_unique<Combination>(*this, d);
}

void TaskBank::block(Index m, std::span<const Index> row_index, std::span<const Index> col_index,
                     MutableSpan out) const {
  bank_.block(m, rows(row_index), rows(col_index), out);
}

}  // namespace kernmix
