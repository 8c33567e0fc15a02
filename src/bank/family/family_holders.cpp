#include "bank/family/family_holders.hpp"

#include "bank/packed/prefetch.hpp"

namespace kernmix {

/// The first leader from `begin` on of which the first look does not say that it cannot hold the
/// kernel.
std::size_t HolderSearch::next_that_may_hold(const FamilyCandidate& kernel,
                                             std::span<const Leader> leaders,
                                             std::size_t begin) const {
  const KernelProbe& seen = look(kernel);
  const double missing = tolerance_ * seen.trace;
  const auto possible = [&](const Leader& leader) {
    if (leader.group != kernel.group || leader.joined || leader.basis.columns.cols == 0) {
      return false;
    }
    for (Index r = 0; r < seen.rows.rows(); ++r) {
      const Index at = places_[static_cast<std::size_t>(r)];
      const float* row = seen.rows.row(r).data();
      if (!may_hold(leader.basis, at, leader.at_places.row(r), row, missing)) return false;
    }
    return true;
  };
  while (begin < leaders.size() && !possible(leaders[begin])) ++begin;
  return begin;
}

/// The first leader that holds the kernel, whose own factor is given.
/// \param first  of the leaders that may hold it
std::optional<Held> HolderSearch::holder(const FamilyCandidate& kernel, const Factorization& own,
                                         std::span<const Leader> leaders, std::size_t first) const {
  if (own.outcome != Factorization::Outcome::complete) return std::nullopt;
  for (std::size_t k = first; k < leaders.size(); k = next_that_may_hold(kernel, leaders, k + 1)) {
    auto core = core_in(leaders[k].basis, signs_, own, look(kernel).trace, tolerance_);
    if (core) return Held{k, std::move(*core)};
  }
  return std::nullopt;
}

void HolderSearch::find(std::span<const FamilyCandidate> kernels, std::span<const Leader> leaders,
                        std::span<std::optional<Held>> found) const {
  struct Try {
    std::size_t at, leader;
  };
  for (const FamilyCandidate& kernel : kernels)
    prefetch(look(kernel).rows.data(), length(samples_));
  std::vector<Try> tries;
  std::vector<RowwiseMatrix> matrices;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const std::size_t first = next_that_may_hold(kernels[k], leaders, 0);
    if (first == leaders.size()) continue;
    const KernelSource& source = *sources_[static_cast<std::size_t>(kernels[k].kernel)];
    tries.push_back({k, first});
    matrices.push_back(rowwise(source, samples_, look(kernels[k]).diagonal));
  }
  const std::vector<Factorization> own =
      incomplete_cholesky(matrices, tolerance_, longest_, Context());
  for (std::size_t k = 0; k < tries.size(); ++k) {
    const auto& [at, leader] = tries[k];
    found[at] = holder(kernels[at], own[k], leaders, leader);
  }
}

}  // namespace kernmix
