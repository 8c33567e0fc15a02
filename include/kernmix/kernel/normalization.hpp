#pragma once
/// \file
/// Kernel normalisation, fitted on the training kernel and applied the same way to test kernels.

#include <string>
#include <string_view>

#include "kernmix/context.hpp"
#include "kernmix/kernel/source.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// What to do, in this order: cosine, then centring, then scaling.
/// Written as "none", "trace", "unit-trace", "cosine", "center" or joined by '+', e.g.
/// "center+trace".
struct Normalization {
  enum class Scale { none, trace, unit_trace };
  bool cosine = false;         ///< k(x,z) / sqrt(k(x,x) k(z,z))
  bool center = false;         ///< H K H, H = I - 11'/n: training mean of the feature map removed
  Scale scale = Scale::trace;  ///< trace: mean diagonal 1; unit_trace: trace 1
  [[nodiscard]] std::string text() const;
  friend bool operator==(const Normalization&, const Normalization&) = default;
};

/// \throws ParameterError for an unknown word, naming the known ones
[[nodiscard]] Normalization parse_normalization(std::string_view text);

/// The numbers that a normalisation learned on the training kernel; a model stores them.
struct FittedNormalization {
  Normalization rule;
  double scale = 1.0;   ///< the normalised kernel is scale * (cosined, centred kernel)
  Vector column_means;  ///< centring: training mean of each column of the (cosined) kernel, else {}
  double grand_mean = 0.0;
};

/// Computes the statistics from the training kernel (one pass over it for centring, else the
/// diagonal only). A kernel whose diagonal is all zero keeps scale 1 (it stays the zero kernel).
/// One that is constant has nothing left when it is centred: where the trace falls to 1e-12 of what
/// it was, which rounding may be all of, the scale is 0. \throws ParameterError when `training` is
/// not square
[[nodiscard]] FittedNormalization fit_normalization(const Normalization& rule,
                                                    const KernelSource& training,
                                                    const Context& context = {});

/// The normalised kernel. For centring, `training.column_means` must be those of the right-hand
/// samples in their order. A new sample (not `left_is_training`) is centred by its mean kernel with
/// the right-hand samples, which are therefore all training samples; or any of them, where the sum
/// over them is with coefficients that add up to zero and what is the same for all vanishes.
/// \throws ParameterError when centring lacks the means of the right-hand samples
[[nodiscard]] KernelSourcePtr normalized_source(KernelSourcePtr source, FittedNormalization fitted,
                                                bool left_is_training);

}  // namespace kernmix
