// The average precision is N / P, where
//
//     N = sum over rows i of y_i w_i (sum over rows j not below i of y_j w_j) / c_i,   P = sum_i
//     y_i w_i,
//
// y_i is 1 for a positive row and 0 otherwise, and c_i the weight of all rows not below i. A unit u
// has the share z_u of positive weight; permutations exchange these shares between the units, and
// the labels of a unit between its rows. P is the same for all permutations if the units have equal
// weight. Then the mean of N / P is E N / E P, otherwise to the second order in the variation of P
//
//     E N / E P - Cov(N, P) / (E P)^2 + E N Var(P) / (E P)^3.
//
// All terms are sums over pairs of rows, weighted by moments of the shares. Equal rows of a unit
// with equal labels are one row with the sum of their weights: copies and weights are the same.

#include "selection/expected/precision_by_chance.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "metrics/weights.hpp"

namespace kernmix {
namespace {

/// Equal rows of a unit with equal labels.
struct Atom {
  std::size_t step = 0;  ///< of the ranking
  std::size_t unit = 0;
  double weight = 0.0;
};

struct RankedUnit {
  double weight = 0.0;
  double positives = 0.0;  ///< of this weight
  double squares = 0.0;    ///< of the weights of its atoms
  [[nodiscard]] double share() const { return positives / weight; }
  /// Probability that two different rows of it are positive.
  [[nodiscard]] double both() const {
    const double z = share();
    const double rows = weight * weight / squares;
    if (!(rows > 1.0)) return z * z;
    return std::clamp(z * (z * rows - 1.0) / (rows - 1.0), std::max(0.0, 2.0 * z - 1.0), z);
  }
};

struct Ranking {
  std::vector<Atom> atoms;  ///< by step
  std::vector<RankedUnit> units;
};

Ranking ranking_of(const RankedRows& rows, const ThresholdSteps& steps) {
  std::map<Index, std::size_t> number;
  std::map<std::pair<std::size_t, std::pair<std::size_t, bool>>, double> merged;
  Ranking ranking;
  for (std::size_t i = 0; i < rows.y.size(); ++i) {
    const auto [found, is_new] = number.try_emplace(rows.unit[i], ranking.units.size());
    if (is_new) ranking.units.emplace_back();
    const bool positive = rows.y[i] > 0.0;
    const double weight = weight_at(rows.weights, i);
    RankedUnit& unit = ranking.units[found->second];
    unit.weight += weight;
    unit.positives += positive ? weight : 0.0;
    const auto step = std::ranges::lower_bound(steps, rows.decision[i], std::greater(),
                                               &ThresholdStep::threshold);
    merged[{static_cast<std::size_t>(step - steps.begin()), {found->second, positive}}] += weight;
  }
  for (const auto& [place, weight] : merged) {
    const std::size_t unit = place.second.first;
    ranking.atoms.push_back({place.first, unit, weight});
    ranking.units[unit].squares += weight * weight;
  }
  return ranking;
}

/// Means over all assignments of the shares z to the units, where a, b and c are different units.
struct UnitMoments {
  double one = 0.0;         ///< z_a
  double square = 0.0;      ///< z_a^2
  double two = 0.0;         ///< z_a z_b
  double mixed = 0.0;       ///< z_a^2 z_b
  double three = 0.0;       ///< z_a z_b z_c
  double both = 0.0;        ///< RankedUnit::both() of a
  double both_own = 0.0;    ///< RankedUnit::both() z_a
  double both_other = 0.0;  ///< RankedUnit::both() of a, times z_b
};

UnitMoments moments_of(const std::vector<RankedUnit>& units) {
  double z1 = 0.0;
  double z2 = 0.0;
  double z3 = 0.0;
  double both = 0.0;
  double both_own = 0.0;
  for (const RankedUnit& unit : units) {
    const double z = unit.share();
    z1 += z;
    z2 += z * z;
    z3 += z * z * z;
    both += unit.both();
    both_own += unit.both() * z;
  }
  const auto n = static_cast<double>(units.size());
  const double pairs = std::max(n * (n - 1.0), 1.0);
  const double triples = std::max(pairs * (n - 2.0), 1.0);
  return {.one = z1 / n,
          .square = z2 / n,
          .two = (z1 * z1 - z2) / pairs,
          .mixed = (z2 * z1 - z3) / pairs,
          .three = (z1 * z1 * z1 - 3.0 * z1 * z2 + 2.0 * z3) / triples,
          .both = both / n,
          .both_own = both_own / n,
          .both_other = (both * z1 - both_own) / pairs};
}

/// A sum over pairs of rows, and the same sum with the weight of the unit as a factor.
struct PairSum {
  double plain = 0.0;
  double by_unit = 0.0;
};

/// The pairs of the rows of one step with all rows that are not below.
struct StepPairs {
  double all = 0.0;
  PairSum atom;  ///< pairs of a row with itself
  PairSum unit;  ///< pairs within a unit
  double both_units =
      0.0;  ///< over all pairs, with the sum of the weights of both units as a factor
};

/// E N and E N P.
struct ExpectedProducts {
  double n = 0.0;
  double n_p = 0.0;
};

ExpectedProducts products_of(const StepPairs& pairs, const UnitMoments& of, double total) {
  const double apart = pairs.all - pairs.unit.plain;
  const double apart_by_units = pairs.both_units - 2.0 * pairs.unit.by_unit;
  const double inside = pairs.unit.plain - pairs.atom.plain;
  const double inside_by_unit = pairs.unit.by_unit - pairs.atom.by_unit;
  return {of.two * apart + of.both * inside + of.one * pairs.atom.plain,
          of.three * (total * apart - apart_by_units) + of.mixed * apart_by_units +
              of.both_other * (total * inside - inside_by_unit) + of.both_own * inside_by_unit +
              of.two * (total * pairs.atom.plain - pairs.atom.by_unit) +
              of.square * pairs.atom.by_unit};
}

/// The rows so far, from the top of the ranking.
class PairCounter {
 public:
  explicit PairCounter(const Ranking& ranking)
      : units_(ranking.units), of_unit_(ranking.units.size(), 0.0) {}

  /// The pairs of `step`, the atoms that follow those of earlier calls.
  [[nodiscard]] StepPairs next(std::span<const Atom> step) {
    for (const Atom& atom : step) {
      weight_ += atom.weight;
      by_unit_ += atom.weight * units_[atom.unit].weight;
      of_unit_[atom.unit] += atom.weight;
    }
    StepPairs pairs;
    for (const Atom& atom : step) {
      const double own = units_[atom.unit].weight;
      const double inside = atom.weight * of_unit_[atom.unit];
      pairs.all += atom.weight * weight_;
      pairs.both_units += atom.weight * (own * weight_ + by_unit_);
      pairs.atom.plain += atom.weight * atom.weight;
      pairs.atom.by_unit += atom.weight * atom.weight * own;
      pairs.unit.plain += inside;
      pairs.unit.by_unit += inside * own;
    }
    return pairs;
  }
  [[nodiscard]] double weight() const { return weight_; }

 private:
  const std::vector<RankedUnit>& units_;
  Vector of_unit_;
  double weight_ = 0.0;
  double by_unit_ = 0.0;
};

}  // namespace

double precision_by_chance(const RankedRows& rows, const ThresholdSteps& steps) {
  const Ranking ranking = ranking_of(rows, steps);
  const UnitMoments moments = moments_of(ranking.units);
  double total = 0.0;
  double squares = 0.0;
  for (const RankedUnit& unit : ranking.units) {
    total += unit.weight;
    squares += unit.weight * unit.weight;
  }
  PairCounter counter(ranking);
  ExpectedProducts sum;
  for (auto first = ranking.atoms.begin(); first != ranking.atoms.end();) {
    const auto last = std::find_if(first, ranking.atoms.end(),
                                   [&](const Atom& atom) { return atom.step != first->step; });
    const ExpectedProducts own = products_of(counter.next({first, last}), moments, total);
    sum.n += own.n / counter.weight();
    sum.n_p += own.n_p / counter.weight();
    first = last;
  }
  const double p = moments.one * total;
  const double variance =
      moments.square * squares + moments.two * (total * total - squares) - p * p;
  const double chance =
      sum.n / p - (sum.n_p - sum.n * p) / (p * p) + sum.n * variance / (p * p * p);
  return std::clamp(chance, 0.0, 1.0);
}

}  // namespace kernmix
