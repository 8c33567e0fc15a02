#pragma once
/// \file
/// The hinge of many classes (Crammer and Singer, JMLR 2001) of one sample of class y:
///
///   loss(f) = C max_u (1 - [u = y] + f_u - f_y) = max_{a in P} a_y - f'a
///   P = { a : sum_u a_u = 0, a_u <= 0 for u != y, a_y <= C } = C e_y - C simplex

#include "kernmix/types.hpp"

namespace kernmix {

/// loss(f) for decision values f of all classes.
[[nodiscard]] double crammer_singer_loss(ConstSpan f, Index y, double C);

/// loss(f) - a_y + f'a for a in P: sum_u p_u (max_v h_v - h_u), p = C e_y - a, h_u = 1 - [u = y] +
/// f_u. No term is negative.
[[nodiscard]] double crammer_singer_gap(ConstSpan f, ConstSpan a, Index y, double C);

/// A point of P that is near to `a`, in place, and `a` itself where it is in P: entries above zero
/// are set to it, a_y takes up the others, and all are scaled where it is above C. Rounding where
/// a_u = 0 or a_y = C is left behind.
void clip_to_dual(MutableSpan a, Index y, double C);

/// The point of P that is nearest to a, in place: that of the simplex by sorting. O(K log K).
/// \param scratch  overwritten
void project_onto_dual(MutableSpan a, Index y, double C, Vector& scratch);

}  // namespace kernmix
