#pragma once
/// \file
/// Search for known bases that represent kernels.

#include <optional>
#include <span>
#include <vector>

#include "bank/family/family_sketch.hpp"
#include "bank/family/kernel_groups.hpp"
#include "bank/family/shared_basis.hpp"

namespace kernmix {

/// A basis on the sketched samples and the kernels that it represents.
struct Leader {
  std::size_t group;
  Index kernel;
  /// Without pivots and columns where the kernel has a basis that others may share.
  Factorization found{Factorization::Outcome::too_long, {}, {}, {}};  ///< none so far
  Index rank = 0;                                                     ///< that was found
  SharedBasis basis;
  Matrix core;       ///< of the kernel itself: L' = core * basis.columns
  Matrix at_places;  ///< X at the samples of the first look
  FamilySketch sketch;
  std::vector<Matrix> cores;  ///< of the kernels after the first
  bool joined = false;        ///< to the family of another leader
};

/// A kernel without a family.
struct FamilyCandidate {
  std::size_t group;
  Index kernel;
};

/// A kernel that the basis of a leader represents.
struct Held {
  std::size_t leader;
  Matrix core;
};

/// Borrows all that it is given.
class HolderSearch {
 public:
  /// \param looks      at each source, by its number
  /// \param samples    the sketched ones
  /// \param places     of the few samples of a first look, among them
  /// \param signs      random_signs() of the sketched samples
  /// \param tolerance  of factors, relative to the trace
  /// \param longest    rank up to which a kernel is worth a factor
  HolderSearch(const std::vector<KernelSourcePtr>& sources, const std::vector<KernelProbe>& looks,
               std::span<const Index> samples, std::span<const Index> places, const Matrix& signs,
               double tolerance, Index longest)
      : sources_(sources),
        looks_(looks),
        samples_(samples),
        places_(places),
        signs_(signs),
        tolerance_(tolerance),
        longest_(longest) {}

  /// found[k] = the first leader of its group that holds kernels[k], if one does. The kernels' own
  /// factors are made side by side.
  void find(std::span<const FamilyCandidate> kernels, std::span<const Leader> leaders,
            std::span<std::optional<Held>> found) const;

 private:
  [[nodiscard]] const KernelProbe& look(const FamilyCandidate& kernel) const {
    return looks_[static_cast<std::size_t>(kernel.kernel)];
  }
  [[nodiscard]] std::size_t next_that_may_hold(const FamilyCandidate& kernel,
                                               std::span<const Leader> leaders,
                                               std::size_t begin) const;
  [[nodiscard]] std::optional<Held> holder(const FamilyCandidate& kernel, const Factorization& own,
                                           std::span<const Leader> leaders,
                                           std::size_t first) const;

  const std::vector<KernelSourcePtr>& sources_;
  const std::vector<KernelProbe>& looks_;
  std::span<const Index> samples_;
  std::span<const Index> places_;
  const Matrix& signs_;
  double tolerance_;
  Index longest_;
};

}  // namespace kernmix
