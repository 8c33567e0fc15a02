// Kernel functions of features and of given matrices, as sources of entries.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/shape.hpp"
#include "kernel/feature_rows.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {
namespace {

/// A kernel function with its definition looked up.
struct BoundKernel {
  KernelFunction function;
  const KernelDefinition& definition;

  explicit BoundKernel(const KernelFunction& f)
      : function(make_kernel_function(f.name, f.parameters)), definition(find_kernel(f.name)) {}

  void finish(MutableSpan values) const {
    if (definition.finish != nullptr) definition.finish(function, values);
  }
};

class FeatureSource final : public KernelSource {
 public:
  FeatureSource(BoundKernel kernel, FeatureRows left, FeatureRows right)
      : kernel_(std::move(kernel)), left_(std::move(left)), right_(std::move(right)) {}

  Index rows() const override { return left_.rows(); }
  Index cols() const override { return right_.rows(); }

  void block(std::span<const Index> row_index, std::span<const Index> col_index,
             MutableSpan out) const override {
    compare(row_index, col_index, out);
    kernel_.finish(out);
  }
  std::optional<SampleComparison> comparison() const override {
    return SampleComparison{left_.address(), right_.address(), left_.cols(), left_.stride(),
                            static_cast<int>(kernel_.definition.comparison)};
  }
  void compare(std::span<const Index> row_index, std::span<const Index> col_index,
               MutableSpan out) const override {
    kernmix::compare(kernel_.definition.comparison, left_, row_index, right_, col_index, out);
  }
  void finish(std::span<const Index> /*row_index*/, std::span<const Index> /*col_index*/,
              MutableSpan values) const override {
    kernel_.finish(values);
  }

  void left_diagonal(MutableSpan out) const override { diagonal(left_, out); }
  void right_diagonal(MutableSpan out) const override { diagonal(right_, out); }
  bool always_psd() const override { return kernel_.definition.info.always_psd; }
  bool is_repairable() const override { return false; }

  Index rank_bound() const override {
    if (kernel_.definition.rank == nullptr) return rows();
    const double bound =
        kernel_.definition.rank(kernel_.function, static_cast<double>(left_.cols()));
    return bound < static_cast<double>(rows()) ? static_cast<Index>(bound) : rows();
  }

 private:
  void diagonal(const FeatureRows& samples, MutableSpan out) const {
    for (Index i = 0; i < samples.rows(); ++i) {
      out[to_size(i)] = compare_with_itself(kernel_.definition.comparison, samples, i);
    }
    kernel_.finish(out);
  }

  BoundKernel kernel_;
  FeatureRows left_;
  FeatureRows right_;
};

enum class Values { finite, nonnegative };

/// \param row_word, column_word  "sample" and "column" of a message, as in "sample 3, column 2"
[[noreturn]] void refuse_value(Values rule, const std::string& kernel, const char* row_word,
                               Index row, const char* column_word, Index column, double value) {
  throw DataError(fmt::format("{} needs {}values, but {} {}, {} {} is {}", kernel,
                              rule == Values::nonnegative ? "finite non-negative " : "finite ",
                              row_word, row + 1, column_word, column + 1, value));
}

/// The diagonal of a square matrix.
Vector diagonal_of(const GivenMatrix& matrix) {
  Vector diagonal;
  for (Index i = 0; i < matrix.rows(); ++i) {
    matrix.block({&i, 1}, {&i, 1}, {&diagonal.emplace_back(), 1});
  }
  return diagonal;
}

/// A Gram matrix as given, or a kernel of the distances in a given matrix.
class MatrixSource final : public KernelSource {
 public:
  MatrixSource(BoundKernel kernel, GivenMatrix matrix, Vector diagonal, std::string subject)
      : kernel_(std::move(kernel)),
        matrix_(std::move(matrix)),
        diagonal_(std::move(diagonal)),
        subject_(std::move(subject)) {
    if (!of_distances() && rows() == cols() && length(diagonal_) != rows()) {
      diagonal_ = diagonal_of(matrix_);
    }
  }

  Index rows() const override { return matrix_.rows(); }
  Index cols() const override { return matrix_.cols(); }
  bool read_each_time() const override { return !matrix_.in_memory(); }

  void block(std::span<const Index> row_index, std::span<const Index> col_index,
             MutableSpan out) const override {
    matrix_.block(row_index, col_index, out);
    if (of_distances()) require_distances(row_index, col_index, out);
    turn_into_kernel(out);
  }
  std::optional<Stored> stored() const override {
    const ConstMatrix* const matrix = matrix_.in_memory();
    if (matrix == nullptr || of_distances() || kernel_.definition.finish != nullptr) {
      return std::nullopt;
    }
    return Stored{matrix->values.data(), matrix->stride, 1.0};
  }

  void left_diagonal(MutableSpan out) const override { diagonal(out); }
  void right_diagonal(MutableSpan out) const override { diagonal(out); }

 private:
  bool of_distances() const { return kernel_.definition.comparison != Comparison::given; }

  void turn_into_kernel(MutableSpan values) const {
    if (kernel_.definition.comparison == Comparison::squared_distance) {
      for (double& value : values) value *= value;
    }
    kernel_.finish(values);
  }

  void diagonal(MutableSpan out) const {
    std::fill(out.begin(), out.end(), 0.0);
    if (of_distances()) return turn_into_kernel(out);
    if (rows() != cols()) {
      throw DataError(
          fmt::format("a Gram matrix between {} and {} samples does not contain k(x, x): use a "
                      "normalization other than cosine",
                      rows(), cols()));
    }
    std::ranges::copy(diagonal_, out.begin());
  }

  void require_distances(std::span<const Index> row_index, std::span<const Index> col_index,
                         ConstSpan values) const {
    if (values.empty() || *std::ranges::min_element(values) >= 0.0) return;
    const Index at = std::ranges::min_element(values) - values.begin();
    refuse_value(Values::nonnegative, subject_, "row", row_index[to_size(at / length(col_index))],
                 "column", col_index[to_size(at % length(col_index))], values[to_size(at)]);
  }

  BoundKernel kernel_;
  GivenMatrix matrix_;
  Vector diagonal_;      ///< of a Gram matrix
  std::string subject_;  ///< subject of messages
};

void require(Values rule, const std::string& kernel, const ConstMatrix& matrix,
             const char* row_word, const char* column_word) {
  const double least = rule == Values::nonnegative ? 0.0 : -HUGE_VAL;
  for (Index i = 0; i < matrix.rows; ++i) {
    const ConstSpan row = matrix.row(i);
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (std::isfinite(row[j]) && row[j] >= least) continue;
      refuse_value(rule, kernel, row_word, i, column_word, static_cast<Index>(j), row[j]);
    }
  }
}

void require(Values rule, const std::string& kernel, const FeatureRows& samples) {
  if (samples.sparse() == nullptr) {
    return require(rule, kernel, samples.dense(), "sample", "column");
  }
  const SparseMatrix& numbers = samples.sparse()->numbers();
  const double least = rule == Values::nonnegative ? 0.0 : -HUGE_VAL;
  for (Index i = 0; i < numbers.rows; ++i) {
    const ConstSpan values = numbers.values_of(i);
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (std::isfinite(values[k]) && values[k] >= least) continue;
      refuse_value(rule, kernel, "sample", i, "column", numbers.columns_of(i)[k], values[k]);
    }
  }
}

}  // namespace

KernelSourcePtr feature_source(const KernelFunction& function, ConstMatrix left,
                               ConstMatrix right) {
  require_shape("the left samples", left);
  require_shape("the right samples", right);
  return feature_source(function, FeatureRows(std::move(left)), FeatureRows(std::move(right)));
}

KernelSourcePtr feature_source(const KernelFunction& function, FeatureRows left,
                               FeatureRows right) {
  BoundKernel kernel(function);
  const KernelInput input = kernel.definition.info.input;
  if (input != KernelInput::features && input != KernelInput::nonnegative) {
    throw ParameterError(fmt::format("{} reads a given matrix, not columns", function.name));
  }
  if (left.cols() != right.cols()) {
    throw ParameterError(fmt::format("{}: the left samples have {} columns, the right ones {}",
                                     function.name, left.cols(), right.cols()));
  }
  if ((left.sparse() == nullptr) != (right.sparse() == nullptr)) {
    throw ParameterError(fmt::format("{}: only one side is sparse", function.name));
  }
  const Values rule = input == KernelInput::nonnegative ? Values::nonnegative : Values::finite;
  require(rule, function.name, left);
  if (right.address() != left.address() || right.rows() != left.rows()) {
    require(rule, function.name, right);
  }
  return std::make_shared<FeatureSource>(std::move(kernel), std::move(left), std::move(right));
}

KernelSourcePtr matrix_source(const KernelFunction& function, GivenMatrix matrix, Vector diagonal,
                              const std::string& name) {
  BoundKernel kernel(function);
  const bool of_distances = kernel.definition.info.on_distances;
  if (!of_distances && kernel.definition.info.input != KernelInput::gram) {
    throw ParameterError(
        fmt::format("{} reads columns; it cannot be applied to a given matrix", function.name));
  }
  const std::string subject =
      name.empty() ? function.name : fmt::format("matrix '{}': {}", name, function.name);
  if (const ConstMatrix* const values = matrix.in_memory()) {
    require_shape(subject, *values);
    require(of_distances ? Values::nonnegative : Values::finite, subject, *values, "row", "column");
  }
  return std::make_shared<MatrixSource>(std::move(kernel), std::move(matrix), std::move(diagonal),
                                        subject);
}

}  // namespace kernmix
