#include "bank/packed/stack.hpp"

#include <algorithm>
#include <functional>

namespace kernmix {

void KernelStack::quadratic_forms(std::span<const Index> chosen, const DualVector& a, MutableSpan q,
                                  const Context& context) const {
  std::ranges::copy(panel_forms(chosen, a.dense, context).values, q.begin());
}

void KernelStack::add_product(std::span<const Term> terms, const DualVector& a, MutableSpan z,
                              const Context& context) const {
  Matrix Z(1, length(z));
  add_panel_product(terms, a.dense, Z, context);
  std::ranges::transform(z, Z.values, z.begin(), std::plus<>());
}

void KernelStack::block(Index kernel, std::span<const Index> rows, std::span<const Index> cols,
                        MutableSpan out) const {
  std::ranges::fill(out, 0.0);
  const Term term{kernel, 1.0};
  add_block({&term, 1}, rows, cols, out);
}

}  // namespace kernmix
