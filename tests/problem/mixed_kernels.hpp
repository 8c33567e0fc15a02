#pragma once
/// \file
/// Kernels in families of small rank and one without, for certificates from bounds.

#include "bank/reference.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix::test {

/// Gaussians of three widths and a polynomial on each of two columns, and one of full rank.
inline std::vector<KernelSourcePtr> mixed_kernels(Index n, unsigned seed) {
  const auto samples = [n](Index columns, unsigned s) {
    auto x = std::make_shared<Matrix>(n, columns);
    x->values = random_vector(n * columns, s);
    return std::shared_ptr<const Matrix>(std::move(x));
  };
  std::vector<KernelSourcePtr> sources;
  for (unsigned c = 0; c < 2; ++c) {
    const auto x = samples(1, seed + c);
    for (const double gamma : {0.05, 0.5, 4.0}) {
      sources.push_back(feature_source(make_kernel_function("rbf", {{"gamma", gamma}}), x, x));
    }
    sources.push_back(
        feature_source(make_kernel_function("poly", {{"degree", 2.0}, {"coef0", 1.0}}), x, x));
  }
  const auto wide = samples(8, seed + 9);
  sources.push_back(feature_source(make_kernel_function("rbf", {{"gamma", 0.5}}), wide, wide));
  return sources;
}

}  // namespace kernmix::test
