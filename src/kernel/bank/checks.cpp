#include "kernel/bank/checks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "blas_threads.hpp"
#include "cholesky.hpp"
#include "kernel/bank/incomplete_cholesky.hpp"
#include "kernel/bank/lanczos.hpp"
#include "kernel/bank/tiles.hpp"
#include "kernmix/error.hpp"
#include "parallel.hpp"
#include "symmetric.hpp"

namespace kernmix {
namespace {

constexpr double kCheckTolerance = 1e-8;
constexpr Index eigenvalue_samples = 1500;

/// What a tile of the lower triangle and its mirror image have to say.
struct TileFinding {
  bool finite = true;
  double largest = 0.0;     ///< max |K_ij|
  double difference = 0.0;  ///< max |K_ij - K_ji|
  Index row = 0, col = 0;   ///< of that difference, or of the entry that is not finite
  double value = 0.0, mirror = 0.0;
};

TileFinding examine(const KernelSource& source, const std::vector<Index>& samples,
                    const Tile& tile) {
  const auto range = [&](Index begin, Index end) {
    return std::span(samples).subspan(static_cast<std::size_t>(begin),
                                      static_cast<std::size_t>(end - begin));
  };
  const auto rows = range(tile.row_begin, tile.row_end);
  const auto cols = range(tile.col_begin, tile.col_end);
  Matrix lower(tile.rows(), tile.cols());
  Matrix upper(tile.cols(), tile.rows());
  source.block(rows, cols, lower.values);
  source.block(cols, rows, upper.values);
  TileFinding found;
  for (Index i = 0; i < tile.rows(); ++i) {
    for (Index j = 0; j < tile.cols(); ++j) {
      const double value = lower(i, j);
      const double mirror = upper(j, i);
      const Index row = tile.row_begin + i;
      const Index col = tile.col_begin + j;
      if (!std::isfinite(value)) return {false, 0.0, 0.0, row, col, value, mirror};
      if (!std::isfinite(mirror)) return {false, 0.0, 0.0, col, row, mirror, value};
      found.largest = std::max({found.largest, std::abs(value), std::abs(mirror)});
      if (std::abs(value - mirror) <= found.difference) continue;
      found.difference = std::abs(value - mirror);
      found.row = row;
      found.col = col;
      found.value = value;
      found.mirror = mirror;
    }
  }
  return found;
}

/// H K H with H = I - 11'/n: the same form on vectors of sum 0, and zero beside them.
Eigen::MatrixXd on_differences(Eigen::MatrixXd K) {
  K.rowwise() -= K.colwise().mean().eval();
  K.colwise() -= K.rowwise().mean().eval();
  return K;
}

/// A lower bound on the largest eigenvalue of a positive semidefinite K, close to it: the power
/// method from the vector of ones.
double largest_eigenvalue(const Eigen::MatrixXd& K) {
  constexpr int steps = 10;
  Eigen::VectorXd x = Eigen::VectorXd::Ones(K.rows()) + 0.5 * K.diagonal();
  double value = K.diagonal().cwiseAbs().maxCoeff();
  for (int step = 0; step < steps && x.norm() > 0.0; ++step) {
    x /= x.norm();
    const Eigen::VectorXd y = K * x;
    value = std::max(value, x.dot(y));
    x = y;
  }
  return value;
}

/// How far below zero rounding may have pushed the eigenvalues of K: 1e-8 of the largest and, for a
/// matrix that was kept in single precision, the norm of such rounding, 2 sqrt(n) 2^-24 max |K|.
double allowed_negative(const Eigen::MatrixXd& K, double greatest) {
  const bool single = (K.cast<float>().cast<double>().array() == K.array()).all();
  const double rounding =
      0x1p-23 * std::sqrt(static_cast<double>(K.rows())) * K.cwiseAbs().maxCoeff();
  return kCheckTolerance * greatest + (single ? rounding : 0.0);
}

}  // namespace

void stop_if_asked(const Context& context) {
  if (!context.should_stop()) return;
  throw ResourceError(
      context.is_cancelled()
          ? "interrupted before the kernels were computed: there is no answer to "
            "write"
          : "stopped by the time limit before the kernels were computed: there is no "
            "answer to write; allow more time or use fewer kernels");
}

void refuse_entry(const std::string& name, Index row, Index col, double value) {
  throw DataError(
      fmt::format("kernel '{}' has the value {} at row {}, column {}: kernel values must be finite",
                  name, value, row + 1, col + 1));
}

void check_symmetric(const KernelSource& source, const std::string& name, const Context& context) {
  const std::vector<Index> samples = all_samples(source.rows());
  const std::vector<Tile> tiles = lower_tiles(source.rows());
  std::vector<TileFinding> findings(tiles.size());
  parallel_for(context, length(tiles), [&](Index t) {
    stop_if_asked(context);
    const auto at = static_cast<std::size_t>(t);
    findings[at] = examine(source, samples, tiles[at]);
  });
  TileFinding worst;
  double largest = 0.0;
  for (const TileFinding& found : findings) {
    if (!found.finite) refuse_entry(name, found.row, found.col, found.value);
    largest = std::max(largest, found.largest);
    if (found.difference > worst.difference) worst = found;
  }
  if (worst.difference > kCheckTolerance * largest) {
    throw DataError(
        fmt::format("kernel '{}' is not symmetric: row {}, column {} is {} but row {}, column {} "
                    "is {}; pass (K + K') / 2 if that is what you mean",
                    name, worst.row + 1, worst.col + 1, worst.value, worst.col + 1, worst.row + 1,
                    worst.mirror));
  }
}

void check_definite(const KernelSource& source, const std::string& name) {
  const SerialBlas serial;
  const std::vector<Index> samples = spaced_samples(source.rows(), eigenvalue_samples);
  const Index count = length(samples);
  Matrix values(count, count);
  source.block(samples, samples, values.values);
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < count; ++j) {
      if (std::isfinite(values(i, j))) continue;
      refuse_entry(name, samples[static_cast<std::size_t>(i)], samples[static_cast<std::size_t>(j)],
                   values(i, j));
    }
  }
  const Eigen::MatrixXd K = source.definite_on_differences_only()
                                ? on_differences(as_matrix(values))
                                : Eigen::MatrixXd(as_matrix(values));
  if (K.isZero(0.0)) return;
  // A Cholesky factorisation of the shifted matrix proves the bound at a fraction of the price of
  // the eigenvalues, which are only needed when it breaks down.
  RowMatrix shifted = K;
  shifted.diagonal().array() += allowed_negative(K, largest_eigenvalue(K));
  if (Cholesky::of(std::move(shifted))) return;
  const Eigen::VectorXd eigenvalues = symmetric_eigenvalues(K);
  const double smallest = eigenvalues[0];
  const double greatest = eigenvalues[count - 1];
  if (smallest >= -allowed_negative(K, greatest)) return;
  throw DataError(fmt::format(
      "kernel '{}' is not positive semidefinite: its smallest eigenvalue is {:.6g} and its largest "
      "{:.6g} on {} samples; clip or shift its spectrum beforehand",
      name, smallest, greatest, count));
}

void check_definite(const KernelBank& bank, Index m, bool on_differences, const std::string& name,
                    const Context& context) {
  constexpr Index products = 64;
  constexpr double single_precision = 1e-6;  // what it may take from an eigenvalue of 0
  const Index n = bank.samples();
  if (n <= eigenvalue_samples) return;
  Vector one(static_cast<std::size_t>(bank.kernels()), 0.0);
  one[static_cast<std::size_t>(m)] = 1.0;
  const auto without_mean = [=](MutableSpan v) {
    if (on_differences) as_vector(v).array() -= as_vector(v).mean();
  };
  const auto [smallest, largest] = lanczos(n, products, [&](ConstSpan x, MutableSpan Kx) {
    stop_if_asked(context);
    Vector difference(x.begin(), x.end());
    without_mean(difference);
    bank.apply(one, difference, Kx, context);
    without_mean(Kx);
  });
  if (smallest >= -single_precision * largest) return;
  throw DataError(fmt::format(
      "kernel '{}' is not positive semidefinite: its smallest eigenvalue is at most {:.6g} and its "
      "largest at least {:.6g}; clip or shift its spectrum beforehand",
      name, smallest, largest));
}

}  // namespace kernmix
