// Misuses the library in ways that only a sanitizer sees, each inside of compiled library code:
// scripts/test runs it to know that the sanitizers are awake, and silent where nothing is wrong.
// usage: planted_defects [overflow | arithmetic | race]
#include <limits>
#include <string>

#include "kernmix/bank/plan.hpp"
#include "kernmix/context.hpp"
#include "kernmix/types.hpp"
#include "svm/newton/weighted_columns.hpp"

int main(int count, char** arguments) {
  using namespace kernmix;
  const std::string defect = count > 1 ? arguments[1] : "none";
  constexpr Index n = 1024;
  const WeightedColumns matrix{Matrix(n, n)};
  Context context;
  context.threads = 4;

  Vector factors(n, 1.0);
  Vector product(defect == "overflow" ? n - 1 : n);
  // In place, blocks of rows overwrite what others still read. On a loaded machine one thread might
  // do all the work of a product, though not of fifty.
  const MutableSpan result = defect == "race" ? MutableSpan(factors) : MutableSpan(product);
  for (int times = 0; times < 50; ++times) matrix.multiply(factors, result, context);
  const Index samples = defect == "arithmetic" ? std::numeric_limits<Index>::max() : n;
  return packed_bytes(samples, true) > 0 ? 0 : 1;
}
