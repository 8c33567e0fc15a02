#pragma once
/// \file
/// A primal-dual interior point method for convex programs that know how to solve Newton's
/// equations. All pairs of a distance from a bound and its multiplier are to have the product mu,
/// which goes to zero: a predictor with mu = 0 tells how far it may go, a corrector allows for the
/// products of the predictor's steps (Mehrotra, SIAM J. Optim. 2, 1992), and further ones bring
/// products that lag behind closer to mu (Gondzio, Comput. Optim. Appl. 6, 1996), all with one
/// factorisation.

#include <algorithm>
#include <concepts>
#include <span>
#include <utility>
#include <vector>

#include "base/interior_point/barrier.hpp"

namespace kernmix {

/// What an interior point method asks of a program at its present iterate.
template <typename P>
concept IsBarrierProgram = requires(P program, const typename P::Direction step, double mu,
                                    StepLengths length) {
  { program.barriers() } -> std::convertible_to<std::span<Barrier* const>>;
  /// Makes direction() possible; false where rounding does not allow it.
  { program.factorise() } -> std::convertible_to<bool>;
  /// Newton's step towards products mu, from pull(mu) and slope() of the barriers.
  { program.direction(mu) } -> std::same_as<typename P::Direction>;
  /// Tells the barriers.
  program.choose(step, mu);
  /// Goes these parts of the step or shorter ones, and the barriers with it: the shorter part, 0
  /// where it does not move.
  { program.move(step, length, mu) } -> std::convertible_to<double>;
};

namespace detail {

/// A step that goes on farther, along which the products stay more alike: one more solution with
/// the same factor. \returns whether there is one
template <IsBarrierProgram P>
bool centre(P& program, typename P::Direction& step, StepLengths& length, double mu) {
  constexpr double kAhead = 0.3;
  constexpr double kWorthwhile = 0.1;
  const double before_it = length.shorter();
  const double aimed = std::min(1.0, before_it + kAhead);
  const auto barriers = program.barriers();
  std::vector<Barrier> before;
  for (Barrier* barrier : barriers) {
    before.push_back(*barrier);
    barrier->centre(aimed, mu);
  }
  typename P::Direction other = program.direction(mu);
  program.choose(other, mu);
  const StepLengths reached = inner_step(barriers);
  if (reached.shorter() > before_it + kWorthwhile * (aimed - before_it)) {
    step = std::move(other);
    length = reached;
    return true;
  }
  for (std::size_t k = 0; k < before.size(); ++k) *barriers[k] = std::move(before[k]);
  return false;
}

}  // namespace detail

/// One step. \returns its length, at most 1; 0 where none of any length is possible
/// \param correctors  at most this many after the first
template <IsBarrierProgram P>
double interior_point_step(P& program, int correctors) {
  if (!program.factorise()) return 0.0;
  const auto barriers = program.barriers();
  const double mu = products(barriers) / count(barriers);
  program.choose(program.direction(0.0), 0.0);
  const double affine = std::min(1.0, longest_step(barriers).shorter());
  const double left = std::max(products(barriers, affine), 0.0) / count(barriers) / mu;
  const double aim = std::clamp(left * left * left, 1e-4, 0.5) * mu;
  for (Barrier* barrier : barriers) barrier->correct(affine * affine);
  typename P::Direction step = program.direction(aim);
  program.choose(step, aim);
  StepLengths length = inner_step(barriers);
  while (correctors > 0 && detail::centre(program, step, length, aim)) --correctors;
  return length.shorter() > 0.0 ? program.move(step, length, aim) : 0.0;
}

/// One step towards a part of the present products and no more: for functions so curved that what
/// the predictor tells is wrong. \returns its length
template <IsBarrierProgram P>
double path_following_step(P& program, double share) {
  if (!program.factorise()) return 0.0;
  const auto barriers = program.barriers();
  const double mu = share * products(barriers) / count(barriers);
  const typename P::Direction step = program.direction(mu);
  program.choose(step, mu);
  return program.move(step, inner_step(barriers), mu);
}

}  // namespace kernmix
