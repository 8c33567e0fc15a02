
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "bank/as_given.hpp"
#include "bank/checks.hpp"
#include "bank/family/incomplete_cholesky.hpp"
#include "bank/lanczos.hpp"
#include "bank/packed/tiles.hpp"
#include "base/blas_threads.hpp"
#include "base/lapack.hpp"
#include "base/samples.hpp"
#include "base/symmetric.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr Index most_eigenvalues = 1500;
constexpr double single_rounding = 0x1p-24;
constexpr const char* remedy_of_given =
    "--repair clip, shift or flip makes given matrices positive semidefinite";
constexpr const char* remedy_of_columns =
    "use other parameters, or a kernel that is always positive semidefinite, such as rbf or poly";

/// A matrix by its entries.
struct Entries {
  Vector diagonal;
  std::function<void(std::span<const Index>, std::span<const Index>, MutableSpan)> block;
  const KernelSource& source;
  const std::string& name;

  [[nodiscard]] const char* remedy() const {
    return source.is_repairable() ? remedy_of_given : remedy_of_columns;
  }
  [[nodiscard]] bool on_differences() const { return source.definite_on_differences_only(); }
  [[nodiscard]] Index samples() const { return length(diagonal); }
};

/// H K H with H = I - 11'/n: the same form on vectors of sum 0, and zero on constant vectors.
template <typename Square>
void centre(Square& K) {
  const Eigen::VectorXd means = K.template cast<double>().rowwise().mean();
  const double grand = means.mean();
  for (Index i = 0; i < K.rows(); ++i) {
    for (Index j = 0; j < K.cols(); ++j) {
      const double moved = static_cast<double>(K(i, j)) + (grand - (means[i] + means[j]));
      K(i, j) = static_cast<typename Square::Scalar>(moved);
    }
  }
}

/// K / scale, both triangles.
RowMatrixF rounded(const Entries& entries, double scale, const Context& context) {
  const Index n = entries.samples();
  RowMatrixF K(n, n);
  const std::vector<Index> all = all_samples(n);
  fill_symmetric(n, std::span(K.data(), static_cast<std::size_t>(K.size())), context,
                 [&](const Tile& tile, MutableSpan sum) {
                   stop_if_asked(context);
                   entries.block(slice(all, tile.row_begin, tile.row_end),
                                 slice(all, tile.col_begin, tile.col_end), sum);
                   for (double& value : sum) value *= 1.0 / scale;
                 });
  if (entries.on_differences()) centre(K);
  return K;
}

/// A lower bound on the largest eigenvalue, of the right size: x'K x / x'x of an x close to a
/// vector of ones, max K_ii and sum K_ij^2 / trace K, the mean of the eigenvalues weighted by
/// themselves. The last one is a bound if none is negative; if some are, the trace is small by
/// cancellation, and limits it.
double size_of(const RowMatrixF& K) {
  const double greatest = static_cast<double>(K.diagonal().maxCoeff());
  const double trace = K.diagonal().cast<double>().sum();
  const Eigen::VectorXf x = Eigen::VectorXf::Ones(K.rows()) + 0.5F * K.diagonal();
  const double form = static_cast<double>(x.dot(K * x)) / static_cast<double>(x.squaredNorm());
  const double squares = static_cast<double>(K.squaredNorm());
  return std::max({greatest, form, trace > 0.0 ? std::min(squares / trace, trace) : 0.0, 0.0});
}

/// Replaces the upper triangle by L' of K = L L', in blocks. False if there is no factor.
bool factor(RowMatrixF& K, const Context& context) {
  constexpr Index side = 384;
  const Index n = K.rows();
  const Index blocks = blocks_of(n, side);
  const auto begin = [&](Index b) { return b * side; };
  const auto size = [&](Index b) { return std::min(side, n - b * side); };
  // Column by column what is above the diagonal by rows is below it: LAPACK's lower triangle.
  Eigen::Map<Eigen::MatrixXf> A(K.data(), n, n);
  for (Index k = 0; k < blocks; ++k) {
    stop_if_asked(context);
    auto diagonal = A.block(begin(k), begin(k), size(k), size(k));
    const int order = lapack::size(size(k));
    const int stride = lapack::stride(n);
    int info = 0;
    spotrf_("L", &order, diagonal.data(), &stride, &info, 1);
    if (info != 0 || !diagonal.diagonal().allFinite()) return false;
    parallel_for(context, blocks - k - 1, [&](Index b) {
      const Index i = k + 1 + b;
      auto below = A.block(begin(i), begin(k), size(i), size(k));
      diagonal.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(below);
    });
    const Index left = blocks - k - 1;
    parallel_for(context, left * left, [&](Index pair) {
      const Index i = k + 1 + pair / left;
      const Index j = k + 1 + pair % left;
      const auto L = [&](Index b) { return A.block(begin(b), begin(k), size(b), size(k)); };
      auto update = A.block(begin(i), begin(j), size(i), size(j));
      if (i == j) {
        update.selfadjointView<Eigen::Lower>().rankUpdate(L(i), -1.0F);
      } else if (i > j) {
        update.noalias() -= L(i) * L(j).transpose();
      }
    });
  }
  return true;
}

/// The norm of the rounding of a matrix that was kept in single precision, 2 sqrt(n) 2^-24 max |K|;
/// of others 0. \param K  as it was kept: where it is centred later its entries may be much larger
double kept_rounding(const Eigen::MatrixXd& K) {
  const bool single = (K.cast<float>().cast<double>().array() == K.array()).all();
  return single ? 2.0 * single_rounding * std::sqrt(static_cast<double>(K.rows())) *
                      K.cwiseAbs().maxCoeff()
                : 0.0;
}

/// Test by all eigenvalues for few samples; the tolerance for rounding is 1e-8 of the largest
/// eigenvalue plus kept_rounding.
void check_eigenvalues(const Entries& entries) {
  constexpr double tolerance = 1e-8;
  const std::vector<Index> all = all_samples(entries.samples());
  Matrix values(entries.samples(), entries.samples());
  entries.block(all, all, values.values);
  Eigen::MatrixXd K = as_matrix(values);
  const double rounding = kept_rounding(K);
  if (entries.on_differences()) centre(K);
  const Eigen::VectorXd eigenvalues = symmetric_eigenvalues(K);
  const double smallest = eigenvalues[0];
  const double greatest = eigenvalues[eigenvalues.size() - 1];
  if (smallest >= -(tolerance * greatest + rounding)) return;
  throw DataError(fmt::format(
      "kernel '{}' is not positive semidefinite: its smallest eigenvalue is {:.6g} and its largest "
      "{:.6g}; {}",
      entries.name, smallest, greatest, entries.remedy()));
}

/// For many samples, by Lanczos' method.
[[noreturn]] void refuse(const Entries& entries, const RowMatrixF& K, double shift, double scale,
                         const Context& context) {
  constexpr Index products = 64;
  const auto ends = lanczos(K.rows(), products, [&](ConstSpan x, MutableSpan Kx) {
    stop_if_asked(context);
    const Eigen::VectorXf single = as_vector(x).cast<float>();
    as_vector(Kx) = (K.selfadjointView<Eigen::Lower>() * single).eval().cast<double>();
  });
  const std::string smallest =
      ends.smallest < -shift
          ? fmt::format("its smallest eigenvalue is at most {:.6g}", scale * ends.smallest)
          : fmt::format("it has no Cholesky factor, so an eigenvalue is below {:.6g}",
                        -scale * shift);
  throw DataError(fmt::format(
      "kernel '{}' is not positive semidefinite: {} and its largest at least {:.6g}; {}",
      entries.name, smallest, scale * ends.largest, entries.remedy()));
}

void check_definite(const Entries& entries, const Context& context) {
  constexpr double relative = 1e-6;
  const SerialBlas serial;
  const Index n = entries.samples();
  const double largest = *std::ranges::max_element(entries.diagonal);
  const double scale = largest > 0.0 ? largest : 1.0;
  RowMatrixF K = rounded(entries, scale, context);
  if (K.isZero(0.0F)) return;
  const Eigen::VectorXf diagonal = K.diagonal();
  // Entries were rounded before centring, which may cancel most of them.
  const double greatest = largest > 0.0 ? 1.0 : 0.0;
  const double shift = relative * size_of(K) + single_rounding * static_cast<double>(n) * greatest;
  K.diagonal().array() += static_cast<float>(shift);
  if (factor(K, context)) return;
  if (n <= most_eigenvalues) return check_eigenvalues(entries);
  K.diagonal() = diagonal;
  refuse(entries, K, shift, scale, context);
}

}  // namespace

namespace {

void check_source(const KernelSource& source, const std::string& name, const Context& context) {
  Vector diagonal(static_cast<std::size_t>(source.rows()));
  source.left_diagonal(diagonal);
  const auto block = [&](std::span<const Index> rows, std::span<const Index> cols,
                         MutableSpan out) { source.block(rows, cols, out); };
  check_definite({std::move(diagonal), block, source, name}, context);
}

}  // namespace

void check_definite(const KernelSource& source, const std::string& name, const Context& context) {
  check_as_given(
      source, [&] { check_source(source, name, context); },
      [&](const KernelSource& given) { check_source(given, name, context); });
}

void check_definite(const KernelBank& bank, Index m, const KernelSource& source,
                    const std::string& name, const Context& context) {
  Vector diagonal;
  for (Index i = 0; i < bank.samples(); ++i) {
    bank.block(m, {&i, 1}, {&i, 1}, {&diagonal.emplace_back(), 1});
  }
  const auto block = [&](std::span<const Index> rows, std::span<const Index> cols,
                         MutableSpan out) { bank.block(m, rows, cols, out); };
  check_definite({std::move(diagonal), block, source, name}, context);
}

std::size_t definiteness_bytes(Index n, Index count, const Context& context) {
  const Index at_once = n <= most_samples_side_by_side ? context.workers() : 1;
  return static_cast<std::size_t>(std::min(at_once, count) * n * n) * sizeof(float);
}

}  // namespace kernmix
