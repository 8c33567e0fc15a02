#include "weights/whole_products.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace kernmix {

WholeProducts::WholeProducts(const KernelBank& bank, std::vector<Index> some, Vector dual,
                             const Context& context)
    : a(std::move(dual)), kernels(std::move(some)), rows(length(kernels), length(a)) {
  bank.apply_each(kernels, a, rows.values, context);
}

void WholeProducts::forms(MutableSpan q) const {
  for (Index k = 0; k < rows.rows; ++k) {
    const ConstSpan u = rows.row(k);
    const double form = std::inner_product(u.begin(), u.end(), a.begin(), 0.0);
    q[static_cast<std::size_t>(kernels[static_cast<std::size_t>(k)])] = std::max(form, 0.0);
  }
}

Vector WholeProducts::product(ConstSpan d) const {
  Vector z(a.size(), 0.0);
  for (Index k = 0; k < rows.rows; ++k) {
    const double weight = d[static_cast<std::size_t>(kernels[static_cast<std::size_t>(k)])];
    if (weight == 0.0) continue;
    const ConstSpan u = rows.row(k);
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += weight * u[i];
  }
  return z;
}

Vector WholeProducts::product(ConstSpan d, const KernelBank& bank, const Context& context) const {
  Vector z = product(d);
  Vector others(d.begin(), d.end());
  for (const Index m : kernels) others[static_cast<std::size_t>(m)] = 0.0;
  if (with_weight(others).empty()) return z;
  Vector more(z.size());
  bank.apply(others, a, more, context);
  std::ranges::transform(z, more, z.begin(), std::plus<>());
  return z;
}

std::vector<Index> with_weight(ConstSpan d) {
  std::vector<Index> kernels;
  for (Index m = 0; m < length(d); ++m) {
    if (d[static_cast<std::size_t>(m)] > 0.0) kernels.push_back(m);
  }
  return kernels;
}

}  // namespace kernmix
