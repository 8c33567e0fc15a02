#include "weights/combined_kernel.hpp"

#include <algorithm>
#include <utility>

#include "base/blas_threads.hpp"
#include "base/memory/huge_pages.hpp"
#include "base/memory/zeros.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "problem/without_end.hpp"

namespace kernmix {

void CombinedKernel::remember(ConstSpan d) {
  if (std::ranges::equal(d, d_)) return;
  d_.assign(d.begin(), d.end());
  dense_.rows = factor_.rows = 0;
  has_single_ = false;
}

std::span<const float> CombinedKernel::single(ConstSpan d, const Context& context) {
  const std::lock_guard lock(forming_);
  remember(d);
  const auto entries = static_cast<std::size_t>(bank_.samples() * bank_.samples());
  if (single_ == nullptr) single_ = huge_array<float>(entries);
  const std::span<float> K(single_.get(), entries);
  if (!has_single_) {
    if (dense_.rows > 0) {
      std::ranges::transform(dense_.values, K.begin(),
                             [](double entry) { return static_cast<float>(entry); });
    } else {
      triangles_.combine(d, K, context);
    }
    has_single_ = true;
  }
  return K;
}

const Matrix& CombinedKernel::dense(ConstSpan d, const Context& context) {
  const std::lock_guard lock(forming_);
  remember(d);
  if (dense_.rows == 0) {
    const Index n = bank_.samples();
    const auto entries = static_cast<std::size_t>(n * n);
    if (dense_.values.empty()) dense_.values = zeros(entries, without_end(context));
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

bool CombinedKernel::has_dense(ConstSpan d) {
  const std::lock_guard lock(forming_);
  return dense_.rows > 0 && std::ranges::equal(d, d_);
}

Matrix CombinedKernel::product(ConstSpan d, const Matrix& A, const Context& context) {
  const auto combined = bank_.combined(d);
  if (combined->columns() >= 0) return combined->times(A, context);
  const Matrix& K = dense(d, context);
  const SerialBlas serial;
  constexpr Index columns_at_once = 256;
  Matrix Z(A.rows, A.cols);
  parallel_blocks(context, A.cols, columns_at_once, [&](Index, Index begin, Index end) {
    as_matrix(Z).middleCols(begin, end - begin).noalias() =
        as_matrix(A) * as_matrix(K).middleRows(begin, end - begin).transpose();
  });
  return Z;
}

TaskBank::TaskBank(CombinedKernel& kernel, const Task& task)
    : kernel_(kernel), bank_(kernel.bank()), task_(task) {}

std::vector<Index> TaskBank::rows(std::span<const Index> index) const {
  if (task_.rows.empty()) return {index.begin(), index.end()};
  return entries_at(task_.rows, index);
}

Products TaskBank::products(std::span<const Index> subset, const Panel& A, Reach reach,
                            const Context& context) const {
  if (task_.rows.empty()) return bank_.products(subset, A, reach, context);
  Products result = bank_.products(subset, everywhere(A), reach, context);
  if (reach == Reach::everywhere) result.rows = on_own(result.rows);
  return result;
}

Matrix TaskBank::everywhere(const Panel& A) const {
  Matrix all(A.rows, bank_.samples());
  for (Index t = 0; t < A.rows; ++t) {
    std::ranges::copy(on_all_samples(task_, A.row(t), all.cols), all.row(t).begin());
  }
  return all;
}

Matrix TaskBank::on_own(const Matrix& all) const {
  Matrix own(all.rows, samples());
  for (Index t = 0; t < own.rows; ++t) {
    std::ranges::copy(on_rows(task_, all.row(t)), own.row(t).begin());
  }
  return own;
}

class TaskBank::Combination final : public Combined {
 public:
  Combination(const TaskBank& bank, ConstSpan d) : bank_(bank), d_(d.begin(), d.end()) {}

  [[nodiscard]] Index samples() const override { return bank_.samples(); }
  [[nodiscard]] Matrix times(const Panel& A, const Context& context) const override {
    const Matrix all = bank_.everywhere(A);
    if (columns() >= 0) return bank_.on_own(bank_.bank_.combined(d_)->times(all, context));
    return times_dense(all, context);
  }
  void matrix(std::span<const Index> on, std::span<float> out,
              const Context& context) const override {
    const std::span<const float> K = kernel().single(d_, context);
    const std::vector<Index> rows = bank_.rows(on);
    const Index n = length(rows);
    if (n == bank_.bank_.samples()) {
      constexpr Index rows_at_once = 64;
      return parallel_blocks(context, n, rows_at_once, [&](Index, Index begin, Index end) {
        std::copy_n(K.data() + begin * n, (end - begin) * n, out.data() + begin * n);
      });
    }
    parallel_for(context, n, [&](Index i) {
      const float* entries = K.data() + rows[static_cast<std::size_t>(i)] * bank_.bank_.samples();
      float* own = out.data() + i * n;
      for (Index j = 0; j < n; ++j) own[j] = entries[rows[static_cast<std::size_t>(j)]];
    });
  }
  void matrix(std::span<const Index> on, MutableSpan out, const Context& context) const override {
    const std::vector<Index> rows = bank_.rows(on);
    if (!kernel().has_dense(d_) && length(on) < samples()) {
      return bank_.bank_.combined(d_)->matrix(rows, out, context);
    }
    as_vector(out) =
        RowMatrix(as_matrix(kernel().dense(d_, context))(rows, rows)).reshaped<Eigen::RowMajor>();
  }
  [[nodiscard]] Index columns() const override { return bank_.bank_.combined(d_)->columns(); }
  [[nodiscard]] Matrix factor(const Context& context) const override {
    const Matrix& Z = kernel().factor(d_, context);
    if (bank_.task_.rows.empty()) return Z;
    Matrix own(samples(), Z.cols);
    as_matrix(own) = as_matrix(Z)(bank_.task_.rows, Eigen::indexing::all);
    return own;
  }

  [[nodiscard]] std::vector<StoredColumns> stored_columns() const override {
    if (!bank_.task_.rows.empty()) return {};
    return bank_.bank_.combined(d_)->stored_columns();
  }

 private:
  [[nodiscard]] CombinedKernel& kernel() const { return bank_.kernel_; }
  [[nodiscard]] Matrix times_dense(const Matrix& all, const Context& context) const {
    const Matrix& K = kernel().dense(d_, context);
    const SerialBlas serial;
    constexpr Index rows_at_once = 256;
    Matrix Z(all.rows, samples());
    parallel_blocks(context, samples(), rows_at_once, [&](Index, Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        as_matrix(Z).col(i).noalias() =
            as_matrix(all) * as_vector(K.row(sample_of(bank_.task_, to_size(i))));
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
