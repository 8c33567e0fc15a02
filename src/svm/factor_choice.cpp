#include "svm/factor_choice.hpp"

#include <algorithm>

#include "base/memory/room.hpp"
#include "svm/newton/conjugate_gradients.hpp"

namespace kernmix {
namespace {

/// Seconds of one core, measured by benchmarks/low_rank.cpp on warm starts. For each of n^2 entries
/// of K(d): the passes of SMO over its rows (a lower bound, for small C), and the combination of
/// each column of the factor in single precision.
constexpr double kSmoEntry = 3.5e-9;
constexpr double kMoveEntry = 1e-9;  ///< for each of the n entries of a move
constexpr double kCombineEntry = 3e-11;
/// For each of n^3: about three Cholesky factorisations, for losses with a smooth dual.
constexpr double kCholeskyEntry = 5e-11;
/// For each of the n r entries of Z: about forty products, and for each of its r columns the Gram
/// matrices of Newton's steps and of the columns.
constexpr double kProductEntry = 5e-8;
constexpr double kGramEntry = 1.5e-10;
/// For each of the n r entries of many columns: sketches and conjugate gradients instead of them.
constexpr double kIterationEntry = 3e-8;

bool matrix_fits(double n, std::size_t bank_bytes, const Context& context) {
  constexpr double entry_bytes = 1.5 * sizeof(float);  // with a shrunken copy
  return has_room(context, static_cast<double>(bank_bytes) + entry_bytes * n * n);
}

double factor_seconds(double n, double r) {
  // With fewer samples most systems have too few rows for conjugate gradients.
  constexpr double many_samples = 8.0 * static_cast<double>(many_rows);
  const bool many = r > static_cast<double>(WeightedColumns::many) && n > many_samples;
  return n * r * (kProductEntry + (many ? kIterationEntry : kGramEntry * r));
}

}  // namespace

bool factor_is_faster(const Loss& loss, Index samples, Index columns, Index moves) {
  const auto n = static_cast<double>(samples);
  const auto r = static_cast<double>(columns);
  const double solving = has_smooth_dual(loss)
                             ? n * n * n * kCholeskyEntry
                             : n * std::max(n * kSmoEntry, static_cast<double>(moves) * kMoveEntry);
  return factor_seconds(n, r) < solving + n * n * r * kCombineEntry;
}

bool prefers_factor(const Loss& loss, Index samples, Index columns, Index moves,
                    std::size_t bank_bytes, const Context& context) {
  return !matrix_fits(static_cast<double>(samples), bank_bytes, context) ||
         factor_is_faster(loss, samples, columns, moves);
}

bool prefers_factor(const Problem& problem, ConstSpan d, Index moves, const Context& context) {
  const Index columns = problem.bank.combined(d)->columns();
  return columns >= 0 && prefers_factor(problem.loss, problem.samples(), columns, moves,
                                        problem.bank.bytes(), context);
}

Index moves_worth_a_factor(const Problem& problem, ConstSpan d) {
  const Index columns = problem.bank.combined(d)->columns();
  if (columns < 0) return 0;
  const auto n = static_cast<double>(problem.samples());
  const double seconds =
      factor_seconds(n, static_cast<double>(columns)) + n * n * (kSmoEntry + kMoveEntry);
  return static_cast<Index>(2.0 * seconds / (n * kMoveEntry)) + 1000;
}

}  // namespace kernmix
