#pragma once
/// \file
/// A primal-dual interior point method for convex programs that solve their own Newton equations.
/// The products of the distances from bounds and their multipliers should equal mu, which tends to
/// zero. A predictor with mu = 0 determines the next mu, a corrector accounts for the products of
/// the predictor's steps (Mehrotra, SIAM J. Optim. 2, 1992), and further correctors bring outlying
/// products closer to mu (Gondzio, Comput. Optim. Appl. 6, 1996), all with one factorisation.

#include <algorithm>
#include <concepts>
#include <span>
#include <utility>
#include <vector>

#include "base/interior_point/barrier.hpp"

namespace kernmix {

/// Interface of a program at its current iterate.
template <typename P>
concept IsBarrierProgram = requires(P program, const typename P::Direction step, double mu,
                                    StepLengths length) {
  { program.barriers() } -> std::convertible_to<std::span<Barrier* const>>;
  /// Factorises the system of direction(); false if it fails because of rounding.
  { program.factorise() } -> std::convertible_to<bool>;
  /// Newton's step towards products mu, from pull(mu) and slope() of the barriers.
  { program.direction(mu) } -> std::same_as<typename P::Direction>;
  /// Passes the step to the barriers.
  program.choose(step, mu);
  /// Moves by these fractions of the step or smaller ones, together with the barriers. \returns the
  /// smaller fraction, 0 without a move
  { program.move(step, length, mu) } -> std::convertible_to<double>;
};

namespace detail {

/// A longer step that keeps the products more uniform, from one more solve with the same factor.
/// \returns whether it was found
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

/// One step. \returns its length, at most 1; 0 if no step is possible
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

/// One step towards a fixed fraction of the current products, for functions with so much curvature
/// that the predictor is misleading. \returns its length
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
