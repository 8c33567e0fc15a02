#include "model/landmarks/definite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/blas_threads.hpp"
#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "kernel/landmark_source.hpp"
#include "kernmix/bank/checks.hpp"
#include "kernmix/error.hpp"
#include "model/solving/kernel_store.hpp"

namespace kernmix {
namespace {

/// Of the largest diagonal entry, as in the check of whole matrices.
constexpr double allowed_asymmetry = 1e-8;
constexpr double allowed_indefiniteness = 1e-6;
constexpr Index rows_of_check = 256;

[[noreturn]] void refuse_indefinite(const std::string& name, const std::string& reason) {
  throw DataError(
      fmt::format("kernel '{}' is not positive semidefinite: {}; give another matrix, or use "
                  "--landmarks none with --repair clip, shift or flip",
                  name, reason));
}

/// The largest |K[i, P] - K[P, i]'| and the least residual k(i, i) - phi(i)'phi(i) of some rows.
struct CheckedRows {
  double asymmetry = 0.0;
  double residual = 0.0;
  Index row = 0;  ///< of this residual
};

CheckedRows check_rows(const LandmarkSource& source, Index begin, Index end, ConstSpan diagonal) {
  const std::vector<Index> rows = index_range(begin, end);
  const std::vector<Index>& landmarks = source.landmarks();
  RowMatrix left(length(rows), length(landmarks));
  RowMatrix right(length(landmarks), length(rows));
  source.exact()->block(rows, landmarks, as_span(left));
  source.exact()->block(landmarks, rows, as_span(right));
  CheckedRows found;
  found.asymmetry = (left - right.transpose()).cwiseAbs().maxCoeff();
  source.factor(rows, as_span(left));
  for (Index i = begin; i < end; ++i) {
    const double residual = diagonal[to_size(i)] - left.row(i - begin).squaredNorm();
    if (residual >= found.residual) continue;
    found.residual = residual;
    found.row = i;
  }
  return found;
}

void check_factor(const LandmarkSource& source, const std::string& name, const Context& context) {
  const SerialBlas serial;
  const Index n = source.rows();
  Vector diagonal(to_size(n));
  source.exact()->left_diagonal(diagonal);
  const double size = std::abs(
      *std::ranges::max_element(diagonal, {}, [](double value) { return std::abs(value); }));
  const double of_landmarks =
      source.A().trace() - source.jitter() * static_cast<double>(source.columns());
  if (of_landmarks > 0.0 && source.jitter() > allowed_indefiniteness * size) {
    refuse_indefinite(name, "its part on the landmarks is indefinite");
  }
  std::vector<CheckedRows> found(to_size((n + rows_of_check - 1) / rows_of_check));
  parallel_blocks(context, n, rows_of_check, [&](Index block, Index begin, Index end) {
    stop_if_asked(context);
    found[to_size(block)] = check_rows(source, begin, end, diagonal);
  });
  for (const CheckedRows& own : found) {
    if (!(own.asymmetry <= allowed_asymmetry * size)) {
      throw DataError(fmt::format(
          "kernel '{}' is not symmetric: its rows and columns of the landmarks differ by {:.3g}; "
          "pass (K + K') / 2 if the difference is rounding",
          name, own.asymmetry));
    }
    if (own.residual < -allowed_indefiniteness * size) {
      refuse_indefinite(
          name, fmt::format("sample {} and the landmarks have a negative eigenvalue", own.row + 1));
    }
  }
}

void check_whole(const KernelSource& kernel, const std::string& name, const Context& context) {
  const std::size_t bytes = definiteness_bytes(kernel.rows(), 1, context);
  if (!has_room(context, static_cast<double>(bytes))) {
    throw ResourceError(fmt::format(
        "bounds on the kernels as written need a test that kernel '{}' is positive semidefinite, "
        "which takes {}, more than the memory budget of {}; allow more memory, or leave the test "
        "out with --assume-psd",
        name, memory_text(bytes), memory_text(context.memory_bytes)));
  }
  check_symmetric(kernel, name, context);
  check_definite(kernel, name, context);
}

}  // namespace

void check_factors(const TrainingKernels& kernels, bool whole, const Context& context) {
  const std::vector<std::string> names = kernel_names(kernels.descriptions);
  for (std::size_t m = 0; m < kernels.exact.size(); ++m) {
    if (kernels.exact[m]->always_psd()) continue;
    check_factor(*kernels.sources[m]->by_landmarks(), names[m], context);
    if (whole) check_whole(*kernels.exact[m], names[m], context);
  }
}

}  // namespace kernmix
