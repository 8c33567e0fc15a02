#pragma once
/// \file
/// Kernels that become triangles, and are looked at on the way.

#include <string>
#include <variant>
#include <vector>

#include "bank/packed/packed.hpp"
#include "kernmix/bank/plan.hpp"

namespace kernmix {

using PackedKernel = std::variant<std::monostate, Packed<float>, Packed<double>>;

/// What is to be built.
struct BankOrder {
  const std::vector<KernelSourcePtr>& sources;
  const std::vector<std::string>& names;
  const BankOptions& options;

  [[nodiscard]] Index samples() const { return sources.front()->rows(); }
  [[nodiscard]] const KernelSource& source(Index m) const {
    return *sources[static_cast<std::size_t>(m)];
  }
  [[nodiscard]] const std::string& name(Index m) const {
    return names[static_cast<std::size_t>(m)];
  }
};

/// Entries that are compared with their mirror images: a comparison of two samples does not ask
/// which is first.
[[nodiscard]] inline bool may_be_asymmetric(const KernelSource& source) {
  return !source.always_psd() && !source.comparison();
}

/// built[k] = the triangle of kernel k, for each k in `dense`. Those that may not be symmetric are
/// compared with their mirror images in the same reading.
/// \throws DataError for an entry that is not finite, is too large or has another mirror image
void pack(const BankOrder& order, std::span<const Index> dense, std::vector<PackedKernel>& built,
          const Context& context);

}  // namespace kernmix
