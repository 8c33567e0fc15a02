#include "model/solving/certificate_time.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "kernel/landmark_source.hpp"
#include "kernel/subset_source.hpp"
#include "kernmix/bank/bounded_products.hpp"
#include "model/solving/stopwatch.hpp"

namespace kernmix {

double landmark_certificate_seconds(const std::vector<KernelSourcePtr>& sources,
                                    const Context& context) {
  constexpr Index sampled = 1024;
  constexpr Index block = 128;
  constexpr double readings = 3.0;
  const Index n = sources.front()->rows();
  const std::vector<Index> samples = spaced_samples(n, sampled);
  const Index blocks = blocks_of(length(samples), block);
  const Stopwatch clock;
  parallel_for(context, blocks * length(sources), [&](Index task) {
    const LandmarkSource& kernel = *sources[to_size(task / blocks)]->by_landmarks();
    const Index begin = task % blocks * block;
    const auto rows =
        slice(std::span<const Index>(samples), begin, std::min(begin + block, length(samples)));
    Vector entries(rows.size() * to_size(kernel.columns()));
    kernel.cross(rows, entries);
  });
  return readings * clock.seconds() * static_cast<double>(n) / static_cast<double>(length(samples));
}

double entry_certificate_seconds(const std::vector<KernelSourcePtr>& sources, Index vectors,
                                 const Context& context) {
  constexpr Index most_kernels = 8;
  constexpr double most_entries = 0x1p21;  // times the vectors that read them: some milliseconds
  constexpr Index weighted = 5;            // kernels of which a product is needed, beside the form
  constexpr double at_support = 0.7;       // of the entries
  const Index n = sources.front()->rows();
  const auto M = length(sources);
  std::vector<KernelSourcePtr> some;
  for (const Index m : spaced_samples(M, most_kernels)) some.push_back(sources[to_size(m)]);
  const double readings =
      static_cast<double>(length(some)) * (1.0 + 0.25 * static_cast<double>(vectors));
  const auto wanted = static_cast<Index>(std::sqrt(2.0 * most_entries / readings));
  const Index S = std::min(n, std::clamp<Index>(wanted, 32, 512));
  const Vector a(to_size(S), 1.0);
  const Vector none(some.size(), 0.0);
  const std::vector<ProductRequest> requests(to_size(std::max<Index>(vectors, 1)),
                                             ProductRequest{none, a});
  Context serial = context;
  serial.threads = 1;
  const Stopwatch clock;
  static_cast<void>(entry_products(subset_sources(some, all_samples(S)), requests, serial));
  const double share = static_cast<double>(n) / static_cast<double>(S);
  const double kernels =
      static_cast<double>(M + std::min(M, weighted)) / static_cast<double>(length(some));
  return at_support * clock.seconds() * share * share * kernels /
         static_cast<double>(context.workers());
}

}  // namespace kernmix
