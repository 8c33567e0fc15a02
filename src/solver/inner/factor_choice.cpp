#include "solver/inner/factor_choice.hpp"

namespace kernmix {
namespace {

/// Seconds of one core, measured by benchmarks/low_rank.cpp on the weights' second vector (warm).
/// For each of n^2 entries of K(d): SMO's passes over its rows, and for each column of the factor
/// the matrix product that combines them in single precision.
constexpr double kSmoEntry = 3.5e-9;
constexpr double kCombineEntry = 3e-11;
/// For each of n r entries of Z: some forty products, and for each of its r columns the Gram
/// matrices of Newton's steps and of the columns.
constexpr double kProductEntry = 5e-8;
constexpr double kGramEntry = 1.5e-10;

bool fits(const KernelBank& bank, double bytes, const Context& context) {
  return context.memory_bytes == 0 ||
         static_cast<double>(bank.bytes()) + bytes <= static_cast<double>(context.memory_bytes);
}

}  // namespace

bool prefers_factor(const Problem& problem, ConstSpan d, const Context& context) {
  const Index columns = problem.bank.factor_columns(d);
  if (columns < 0) return false;
  const auto n = static_cast<double>(problem.samples());
  const auto r = static_cast<double>(columns);
  constexpr double dense_bytes = 1.5 * sizeof(float);  // with a shrunken copy
  if (!fits(problem.bank, dense_bytes * n * n, context)) return true;
  const double dense = n * n * (kSmoEntry + kCombineEntry * r);
  return n * r * (kProductEntry + kGramEntry * r) < dense;
}

}  // namespace kernmix
