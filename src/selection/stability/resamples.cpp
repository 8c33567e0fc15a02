// Efron (1979); Meinshausen and Buehlmann (2010), section 2.1; Shah and Samworth (2013), section 2.

#include "selection/stability/resamples.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "base/samples.hpp"
#include "folds/legacy_random.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// Streams do not follow from each other, whatever the seed.
LegacyRandom random_of(std::uint64_t seed, std::uint32_t stream, Index number) {
  std::seed_seq mixed{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U),
                      stream, static_cast<std::uint32_t>(number)};
  std::array<std::uint32_t, 1> own{};
  mixed.generate(own.begin(), own.end());
  return LegacyRandom(own.front());
}

Resample evenly_weighted(std::vector<Index> rows, Index samples) {
  std::ranges::sort(rows);
  const double weight = static_cast<double>(samples) / static_cast<double>(rows.size());
  Vector weights(rows.size(), weight);
  return {std::move(rows), std::move(weights)};
}

/// Two halves without a sample in common.
void append_pair(const std::vector<std::vector<Index>>& classes, Index samples,
                 LegacyRandom& random, std::vector<Resample>& all) {
  std::vector<Index> first;
  std::vector<Index> second;
  bool first_has_more = random.at_most(1) == 0;
  for (std::vector<Index> own : classes) {
    random.shuffle(own);
    const bool odd = own.size() % 2 == 1;
    const auto half = length(own) / 2 + (odd && first_has_more ? 1 : 0);
    if (odd) first_has_more = !first_has_more;
    first.insert(first.end(), own.begin(), own.begin() + half);
    second.insert(second.end(), own.begin() + half, own.end());
  }
  all.push_back(evenly_weighted(std::move(first), samples));
  all.push_back(evenly_weighted(std::move(second), samples));
}

Resample with_replacement(const std::vector<std::vector<Index>>& classes, Index samples,
                          LegacyRandom& random) {
  Vector counts(to_size(samples), 0.0);
  for (const std::vector<Index>& own : classes) {
    for (std::size_t k = 0; k < own.size(); ++k) {
      counts[to_size(own[to_size(random.at_most(length(own) - 1))])] += 1.0;
    }
  }
  Resample resample;
  for (Index i = 0; i < samples; ++i) {
    if (counts[to_size(i)] == 0.0) continue;
    resample.rows.push_back(i);
    resample.weights.push_back(counts[to_size(i)]);
  }
  return resample;
}

void require_halves(const std::vector<std::vector<Index>>& classes) {
  for (const std::vector<Index>& own : classes) {
    if (own.size() > 1) continue;
    throw DataError(
        "a class has one sample, which half of the samples cannot always have: leave the class out "
        "or resample by bootstrap");
  }
}

}  // namespace

std::vector<std::vector<Index>> samples_by_class(const std::vector<Index>& classes) {
  std::map<Index, std::vector<Index>> members;
  for (Index i = 0; i < length(classes); ++i) members[classes[to_size(i)]].push_back(i);
  std::vector<std::vector<Index>> all;
  for (auto& [name, own] : members) all.push_back(std::move(own));
  return all;
}

std::vector<Resample> draw_resamples(const std::vector<Index>& classes, Resampling method,
                                     Index count, std::uint64_t seed, std::uint32_t stream) {
  const std::vector<std::vector<Index>> members = samples_by_class(classes);
  std::vector<Resample> all;
  if (method == Resampling::subsample) require_halves(members);
  for (Index r = 0; length(all) < count; ++r) {
    LegacyRandom random = random_of(seed, stream, r);
    if (method == Resampling::subsample) {
      append_pair(members, length(classes), random, all);
    } else {
      all.push_back(with_replacement(members, length(classes), random));
    }
  }
  return all;
}

std::vector<Index> random_order(Index n, std::uint64_t seed, std::uint32_t stream) {
  LegacyRandom random = random_of(seed, stream, -1);
  std::vector<Index> order = all_samples(n);
  random.shuffle(order);
  return order;
}

}  // namespace kernmix
