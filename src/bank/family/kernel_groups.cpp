#include "bank/family/kernel_groups.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "bank/family/incomplete_cholesky.hpp"
#include "bank/reference/source_rows.hpp"
#include "base/linear_algebra.hpp"
#include "base/simd.hpp"

namespace kernmix {

KernelProbe first_look(const KernelSource& source, std::span<const Index> samples,
                       std::span<const Index> places) {
  KernelProbe found;
  found.diagonal = rowwise(source, samples).diagonal;
  for (const double value : found.diagonal) found.trace += value;
  Vector per_norm = found.diagonal;  // 1 / sqrt(k(z, z))
  for (double& value : per_norm) value = value > 0.0 ? 1.0 / std::sqrt(value) : 0.0;
  found.rows.resize(length(places), length(samples));
  for (Index r = 0; r < found.rows.rows(); ++r) {
    const auto place = static_cast<std::size_t>(places[static_cast<std::size_t>(r)]);
    const SourceRows K(source, samples.subspan(place, 1), samples);
    const ConstSpan row(K[0], samples.size());
    simd::round_to(row.data(), found.rows.row(r).data(), length(row));
    if (K.scale() != 1.0) found.rows.row(r) *= static_cast<float>(K.scale());
    found.similarity +=
        K.scale() * per_norm[place] * as_vector(row).cwiseAbs().dot(as_vector(ConstSpan(per_norm)));
  }
  if (!std::isfinite(found.similarity)) found.similarity = 0.0;
  return found;
}

std::vector<Candidates> grouped_by_comparison(const std::vector<KernelSourcePtr>& sources,
                                              const std::vector<KernelProbe>& looks,
                                              std::vector<Index> kernels) {
  const auto similarity = [&](Index m) { return looks[static_cast<std::size_t>(m)].similarity; };
  std::ranges::stable_sort(kernels, {}, similarity);
  std::vector<Candidates> groups;
  // Views whose first column is the same lie at the same place and have other columns.
  using Samples = std::tuple<const void*, const void*, Index, Index>;
  std::map<Samples, std::size_t> place;
  for (const Index m : kernels) {
    const auto comparison = sources[static_cast<std::size_t>(m)]->comparison();
    const Samples key = comparison ? Samples(comparison->left, comparison->right,
                                             comparison->columns, comparison->stride)
                                   : Samples();
    const auto [at, added] = place.try_emplace(key, groups.size());
    if (added) groups.push_back({{}, comparison ? 1 : most_leaders});
    groups[at->second].kernels.push_back(m);
  }
  return groups;
}

}  // namespace kernmix
