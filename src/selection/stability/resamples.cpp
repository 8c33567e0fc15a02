// Efron (1979); Meinshausen and Buehlmann (2010), section 2.1; Shah and Samworth (2013), section 2.

#include "selection/stability/resamples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <random>
#include <set>

#include "base/samples.hpp"
#include "folds/legacy_random.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// Independent random streams for each seed.
LegacyRandom random_of(std::uint64_t seed, std::uint32_t stream, Index number) {
  std::seed_seq mixed{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U),
                      stream, static_cast<std::uint32_t>(number)};
  std::array<std::uint32_t, 1> own{};
  mixed.generate(own.begin(), own.end());
  return LegacyRandom(own.front());
}

/// The units of resampling: single samples, or whole groups.
struct Units {
  std::vector<std::vector<Index>> members;  ///< the samples of each unit, ascending
  /// Units of each class, and units with several classes.
  std::vector<std::vector<Index>> strata;
};

std::vector<std::vector<Index>> members_of_units(const std::vector<Index>& groups, Index samples) {
  if (!groups.empty()) return samples_by_class(groups);
  std::vector<std::vector<Index>> single;
  for (Index i = 0; i < samples; ++i) single.push_back({i});
  return single;
}

Units units_of(const std::vector<Index>& classes, const std::vector<Index>& groups) {
  constexpr Index several = -1;
  Units units{members_of_units(groups, length(classes)), {}};
  std::vector<Index> stratum;
  for (const std::vector<Index>& own : units.members) {
    const Index first = classes[to_size(own.front())];
    const auto same = [&](Index i) { return classes[to_size(i)] == first; };
    stratum.push_back(std::ranges::all_of(own, same) ? first : several);
  }
  units.strata = samples_by_class(stratum);
  return units;
}

/// The samples of some units without duplicates. Their weights sum to the number of all samples.
Resample resample_of(const Units& units, const Vector& counts, Index samples) {
  Resample resample;
  Vector weight(to_size(samples), 0.0);
  double sum = 0.0;
  for (std::size_t u = 0; u < counts.size(); ++u) {
    for (const Index i : units.members[u]) weight[to_size(i)] = counts[u];
    sum += counts[u] * static_cast<double>(units.members[u].size());
  }
  const double scale = static_cast<double>(samples) / sum;
  resample.weight_of_one = scale;
  for (Index i = 0; i < samples; ++i) {
    if (weight[to_size(i)] == 0.0) continue;
    resample.rows.push_back(i);
    resample.weights.push_back(weight[to_size(i)] * scale);
  }
  return resample;
}

/// Two disjoint halves.
std::vector<Resample> draw_pair(const Units& units, Index samples, LegacyRandom& random) {
  Vector first(units.members.size(), 0.0);
  Vector second(units.members.size(), 0.0);
  bool first_has_more = random.at_most(1) == 0;
  for (std::vector<Index> own : units.strata) {
    random.shuffle(own);
    const bool odd = own.size() % 2 == 1;
    const auto half = length(own) / 2 + (odd && first_has_more ? 1 : 0);
    if (odd) first_has_more = !first_has_more;
    for (Index k = 0; k < length(own); ++k) {
      (k < half ? first : second)[to_size(own[to_size(k)])] = 1.0;
    }
  }
  return {resample_of(units, first, samples), resample_of(units, second, samples)};
}

std::vector<Resample> draw_with_replacement(const Units& units, Index samples,
                                            LegacyRandom& random) {
  Vector counts(units.members.size(), 0.0);
  for (const std::vector<Index>& own : units.strata) {
    for (std::size_t k = 0; k < own.size(); ++k) {
      counts[to_size(own[to_size(random.at_most(length(own) - 1))])] += 1.0;
    }
  }
  return {resample_of(units, counts, samples)};
}

bool have_all_classes(const std::vector<Resample>& drawn, const std::vector<Index>& classes) {
  const std::set<Index> all(classes.begin(), classes.end());
  return std::ranges::all_of(drawn, [&](const Resample& one) {
    const std::vector<Index> own = entries_at(classes, one.rows);
    return std::set<Index>(own.begin(), own.end()).size() == all.size();
  });
}

/// Draws until every class is present; without groups the first draw suffices.
std::vector<Resample> draw(const Units& units, const std::vector<Index>& classes, Resampling method,
                           LegacyRandom& random) {
  constexpr int most_attempts = 100;
  const Index n = length(classes);
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    std::vector<Resample> drawn = method == Resampling::subsample
                                      ? draw_pair(units, n, random)
                                      : draw_with_replacement(units, n, random);
    if (have_all_classes(drawn, classes)) return drawn;
  }
  throw DataError(
      "too few groups have samples of some class, so resamples of whole groups often lack it; "
      "leave the class out, or give more groups");
}

/// Checks that each class has a unit for both halves.
void require_halves(const Units& units, const std::vector<Index>& classes, bool grouped) {
  std::map<Index, Index> having;
  for (const std::vector<Index>& members : units.members) {
    const std::vector<Index> own = entries_at(classes, members);
    for (const Index c : std::set<Index>(own.begin(), own.end())) ++having[c];
  }
  for (const auto& [name, count] : having) {
    if (count > 1) continue;
    throw DataError(
        fmt::format("a class has samples of only one {}, which is missing in some halves of the "
                    "samples: leave the class out or resample by bootstrap",
                    grouped ? "group" : "sample"));
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

std::vector<Index> Resample::drawn() const {
  std::vector<Index> all;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    all.insert(all.end(), to_size(std::lround(weights[k] / weight_of_one)), rows[k]);
  }
  return all;
}

std::vector<Resample> draw_resamples(const Strata& strata, Resampling method, Index count,
                                     std::uint64_t seed, std::uint32_t stream) {
  const Units units = units_of(strata.classes, strata.groups);
  if (method == Resampling::subsample) {
    require_halves(units, strata.classes, !strata.groups.empty());
  }
  std::vector<Resample> all;
  for (Index r = 0; length(all) < count; ++r) {
    LegacyRandom random = random_of(seed, stream, r);
    std::ranges::move(draw(units, strata.classes, method, random), std::back_inserter(all));
  }
  return all;
}

std::vector<Index> random_order(const Exchange& exchange, std::uint64_t seed,
                                std::uint32_t stream) {
  LegacyRandom random = random_of(seed, stream, -1);
  return exchange.next(random);
}

}  // namespace kernmix
