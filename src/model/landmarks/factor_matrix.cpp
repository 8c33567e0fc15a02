#include "model/landmarks/factor_matrix.hpp"

#include <memory>
#include <utility>

#include "base/blas_threads.hpp"
#include "base/linear_algebra.hpp"

namespace kernmix {
namespace {

class MatrixOfFactor final : public MatrixReader {
 public:
  explicit MatrixOfFactor(MatrixFactor factor) : factor_(std::move(factor)) {}

  [[nodiscard]] Index rows() const override { return factor_.F.rows; }
  [[nodiscard]] Index cols() const override { return factor_.F.rows; }
  [[nodiscard]] const MatrixFactor* factor() const override { return &factor_; }
  void block(std::span<const Index> rows, std::span<const Index> cols,
             MutableSpan out) const override {
    const SerialBlas serial;
    const RowMatrix left = rows_of(rows);
    const RowMatrix right = rows_of(cols);
    Eigen::Map<RowMatrix>(out.data(), left.rows(), right.rows()).noalias() =
        left * right.transpose();
  }

 private:
  [[nodiscard]] RowMatrix rows_of(std::span<const Index> index) const {
    RowMatrix some(length(index), factor_.F.cols);
    for (Index i = 0; i < some.rows(); ++i) {
      some.row(i) = as_vector(factor_.F.row(index[to_size(i)])).transpose();
    }
    return some;
  }

  MatrixFactor factor_;
};

}  // namespace

GivenMatrix matrix_of_factor(MatrixFactor factor) {
  return std::shared_ptr<const MatrixReader>(
      std::make_shared<const MatrixOfFactor>(std::move(factor)));
}

}  // namespace kernmix
