#pragma once
/// \file
/// The time that a certificate on the kernels as the user gave them will take.

#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

/// Seconds of a certificate that evaluates the kernels of landmarks between samples and landmarks
/// for forms, for products and for the functions of the model.
[[nodiscard]] double landmark_certificate_seconds(const std::vector<KernelSourcePtr>& sources,
                                                  const Context& context);

/// Seconds of a certificate that reads all entries, by the time that some kernels take between some
/// of the samples.
/// \param vectors  dual vectors
[[nodiscard]] double entry_certificate_seconds(const std::vector<KernelSourcePtr>& sources,
                                               Index vectors, const Context& context);

}  // namespace kernmix
