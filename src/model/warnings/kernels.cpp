// With c(x, z) = |k(x, z)| / sqrt(k(x, x) k(z, z)) for samples x and z that differ:
//
// identity  c <= 0.02 for 99 % of them   constant  max k - min k <= 1e-3 max |k|
// narrow    c <= 0.05 for 99 % of them   flat      max k - min k <= 0.05 max |k|, or 0.25 max |k|
//                                                  of kernels whose constant part has no effect

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "model/warnings/identity.hpp"
#include "model/warnings/warnings.hpp"

namespace kernmix {
namespace {

constexpr double close_to = 1e-3;
constexpr double almost = 0.05;
constexpr double almost_all = 0.99;
constexpr double almost_linear =
    0.25;  ///< a Gaussian this wide, relative to its mean, is a linear kernel
constexpr Index most_looked_at = 200;
constexpr Index least_looked_at = 20;
constexpr double most_kernel_entries = 2e8;  ///< of all kernels together

/// max k - min k over max |k|; 0 for a centred kernel that is only rounding.
double variation(const Matrix& K, const FittedNormalization& fitted) {
  constexpr double rounding = 1e-10;
  const auto [least, most] = std::ranges::minmax_element(K.values);
  const double largest = std::max(std::abs(*least), std::abs(*most));
  const double before = fitted.rule.center ? fitted.scale * std::abs(fitted.grand_mean) : 0.0;
  return largest > rounding * before ? (*most - *least) / largest : 0.0;
}

/// The same relative to the uncentred kernel, if the rule ignores the mean.
bool is_flat(const Matrix& K, const FittedNormalization& fitted) {
  const Normalization& rule = fitted.rule;
  if (!rule.center && rule.scale != Normalization::Scale::variance) return false;
  const auto [least, most] = std::ranges::minmax_element(K.values);
  const double mean = rule.center ? fitted.scale * std::abs(fitted.grand_mean) : 0.0;
  return *most - *least <= almost_linear * (mean + std::max(std::abs(*least), std::abs(*most)));
}

KernelShape shape_of(const KernelSource& source, const FittedNormalization& fitted, Index samples) {
  const Index n = source.rows();
  const std::vector<Index> some = spaced_samples(n, samples);
  if (some.size() < 2) return KernelShape::useful;
  Matrix K(length(some), length(some));
  source.block(some, some, K.values);
  const double varies = variation(K, fitted);
  if (varies <= close_to) return KernelShape::constant;
  if (varies <= almost || is_flat(K, fitted)) return KernelShape::flat;
  Vector alike = similarities(K);
  if (alike.empty()) return KernelShape::useful;
  const double centred = similarity_by_centring(fitted.rule.center, n);
  if (acts_as_identity(alike, centred)) return KernelShape::identity;
  const auto rank = static_cast<Index>(almost_all * static_cast<double>(alike.size() - 1));
  std::ranges::nth_element(alike, alike.begin() + rank);
  return alike[to_size(rank)] <= almost + centred ? KernelShape::narrow : KernelShape::useful;
}

std::vector<Index> kernels_of(KernelShape shape, const std::vector<KernelShape>& shapes) {
  std::vector<Index> found;
  for (std::size_t m = 0; m < shapes.size(); ++m) {
    if (shapes[m] == shape) found.push_back(static_cast<Index>(m));
  }
  return found;
}

/// "3 of 10 kernels are close to the identity, with 40 % of the weight: "
std::string opening(const TrainingKernels& kernels, const std::vector<Index>& chosen,
                    ConstSpan weights, const char* what) {
  double all = 0.0;
  double share = 0.0;
  for (const double weight : weights) all += weight;
  for (const Index m : chosen) share += weights[to_size(m)];
  const std::string weight = share > 0.0
                                 ? fmt::format("with {:.0f} % of the weight", 100.0 * share / all)
                                 : "without weight";
  const std::size_t count = kernels.descriptions.size();
  return fmt::format("{} of {} {} close to {}, {}: {}", chosen.size(),
                     count == 1 ? "1 kernel" : fmt::format("{} kernels", count),
                     chosen.size() == 1 ? "is" : "are", what, weight, kernel_list(kernels, chosen));
}

}  // namespace

std::vector<KernelShape> kernel_shapes(const TrainingKernels& kernels, const Context& context) {
  const std::size_t M = kernels.sources.size();
  const auto affordable =
      static_cast<Index>(std::sqrt(most_kernel_entries / static_cast<double>(M)));
  const Index samples = std::clamp(affordable, least_looked_at, most_looked_at);
  // Evaluating an eighth of the rows and columns is cheap relative to training. Kernels close to
  // the identity or to a constant are detected there and then tested on more samples.
  const Index few = std::clamp(kernels.sources.front()->rows() / 8, least_looked_at, samples);
  std::vector<KernelShape> shapes(M);
  parallel_for(context, static_cast<Index>(M), [&](Index i) {
    const auto m = to_size(i);
    shapes[m] = shape_of(*kernels.sources[m], kernels.normalizations[m], few);
    if (shapes[m] == KernelShape::identity || shapes[m] == KernelShape::constant) {
      shapes[m] = shape_of(*kernels.sources[m], kernels.normalizations[m], samples);
    }
  });
  return shapes;
}

void warn_of_identities(const TrainingKernels& kernels, const std::vector<KernelShape>& shapes,
                        ConstSpan weights, std::vector<Warning>& warnings) {
  const std::vector<Index> found = kernels_of(KernelShape::identity, shapes);
  if (found.empty()) return;
  warnings.push_back(
      {"kernel-near-identity",
       opening(kernels, found, weights, "the identity") +
           ". Each sample is similar only to itself, so the kernel cannot generalise. "
           "Remove it or use wider kernels, such as rbf(width=median*2^-1..2^2).",
       found});
}

void warn_of_untested(const TrainingKernels& kernels, std::vector<Warning>& warnings) {
  if (!kernels.assume_psd) return;
  std::vector<Index> untested;
  for (std::size_t m = 0; m < kernels.sources.size(); ++m) {
    if (!kernels.sources[m]->always_psd()) untested.push_back(static_cast<Index>(m));
  }
  if (untested.empty()) return;
  warnings.push_back(
      {"definiteness-assumed",
       fmt::format("{} of {} kernels may be indefinite and were not tested "
                   "(--assume-psd): {}. The certificate holds if they are positive "
                   "semidefinite; kernmix verify tests them.",
                   untested.size(), kernels.sources.size(), kernel_list(kernels, untested)),
       untested});
}

void warn_of_constants(const TrainingKernels& kernels, const std::vector<KernelShape>& shapes,
                       ConstSpan weights, std::vector<Warning>& warnings) {
  const std::vector<Index> found = kernels_of(KernelShape::constant, shapes);
  if (found.empty()) return;
  warnings.push_back({"kernel-near-constant",
                      opening(kernels, found, weights, "a constant") +
                          ". Without its mean, a Gaussian kernel this wide is a linear kernel. "
                          "Remove it, use narrower kernels, or remove constant columns.",
                      found});
}

}  // namespace kernmix
