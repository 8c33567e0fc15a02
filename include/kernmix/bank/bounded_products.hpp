#pragma once
/// \file
/// Products with kernels that have too many entries to evaluate, with bounds of their errors.
///
/// A family of kernels has pivots P and coefficients X, phi_i ~ sum_p X_ip phi_p in the feature
/// space of each kernel, with errors delta_i whose squared lengths are bounded by E_i (see
/// src/bank/family/family_build.hpp). For a dual vector a let v = X'a, w^ = sum_p v_p phi_p and
/// g = w - w^ = sum_i a_i delta_i for w = sum_i a_i phi_i, so |g|^2 <= |a|^2 sum_i E_i =: gamma^2.
/// From the rows K[P, :] only,
///
///   f^_i = <w^, phi_i> = (v'K[P, :])_i
///   h_p  = <g, phi_p>  = (K[P, :] a)_p - f^_p
///
/// are exact, and so are all terms of the following sums except the last, which are of second
/// order,
///
///   (K a)_i = <w, phi_i> = f^_i + sum_p X_ip h_p + <g, delta_i>
///   a'K a   = |w|^2      = v'K[P, P]v + 2 v'h + |g|^2
///
/// with |<g, delta_i>| <= gamma sqrt(E_i) and |g|^2 <= gamma^2.

#include <memory>
#include <vector>

#include "kernmix/bank/plan.hpp"
#include "kernmix/context.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

/// The products with a bank that a certificate needs.
struct BankProducts {
  Vector z;        ///< K(d) a, length n, with an error of at most
  Vector z_error;  ///< z_error, length n, >= 0
  Vector q;        ///< length M: q <= a' K_m a <= q + q_error
  Vector q_error;  ///< length M, >= 0
};

/// The arguments of one product.
struct ProductRequest {
  ConstSpan d;  ///< length M, >= 0; zeros if only q is needed
  ConstSpan a;  ///< length n
};

/// Products from all entries, each as the kernel evaluates it, in sums of twice the working
/// precision; their bounds are those of rounding. Entries are read once for all
/// requests, and only at samples where some `a` is not zero.
[[nodiscard]] std::vector<BankProducts> entry_products(const std::vector<KernelSourcePtr>& sources,
                                                       std::span<const ProductRequest> requests,
                                                       const Context& context);

/// Memory of entry_products() of n samples.
[[nodiscard]] std::size_t entry_products_bytes(Index n, Index kernels, Index requests);

/// Products with kernels of landmarks in one pass for each of the two, K_m[P, :] a and
/// K_m[:, P] w_m, in blocks of samples; n R entries of each kernel are evaluated.
/// With A = K[P, P] + jitter I, u = K[P, :] a and any w (here A^-1 u up to rounding), r = u - A w:
///
///   a'K a = u'A^-1 u = 2 w'u - w'A w + r'A^-1 r,   0 <= r'A^-1 r <= |r|^2 / jitter,
///
/// and f = sum_p w_p k(x_p, .) has f(x_i) = (K[:, P] w)_i and the norm w'A w at most.
struct LandmarkProducts {
  std::vector<BankProducts> products;  ///< of each request
  std::vector<Matrix> w;               ///< of each request, M x R
};
/// \param sources  by_landmarks(), all of the same ones
[[nodiscard]] LandmarkProducts landmark_products(const std::vector<KernelSourcePtr>& sources,
                                                 std::span<const ProductRequest> requests,
                                                 const Context& context);

/// The families of these kernels, for bounded_products().
/// \param tolerance  residual trace of a family, relative
[[nodiscard]] std::shared_ptr<const MemoryPlan::Families> bounding_families(
    const std::vector<KernelSourcePtr>& sources, double tolerance, const Context& context);

/// Products from all entries of kernels outside of `families`, otherwise from n r entries.
/// \param tolerance  of the families; the bounds include rounding
[[nodiscard]] std::vector<BankProducts> bounded_products(
    const std::vector<KernelSourcePtr>& sources, const MemoryPlan::Families& families,
    double tolerance, std::span<const ProductRequest> requests, const Context& context);

/// Memory of bounding_families() and of bounded_products(), which follow each other, where kernels
/// have the families of this plan.
[[nodiscard]] std::size_t bounded_products_bytes(const MemoryPlan& plan, Index n, Index requests,
                                                 const Context& context);

}  // namespace kernmix
