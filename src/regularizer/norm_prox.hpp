#pragma once
/// \file
/// Proximal maps of block norms, argmin_{s >= 0} gamma Omega(s) + 1/2 ||s - x||^2 for x >= 0
/// (docs/reference/solvers/spicy.md), each with its derivative at s.

#include "kernmix/types.hpp"
#include "regularizer/prox_slope.hpp"

namespace kernmix {

/// Omega(s) = sum l1 s + l2/2 s^2:  s = (x - gamma l1)_+ / (1 + gamma l2)
void net_prox(double gamma, double l1, double l2, ConstSpan x, MutableSpan s);
[[nodiscard]] ProxSlope net_prox_slope(double gamma, double l2, ConstSpan s);

/// Omega(s) = 1/2 (sum s)^2 + lambda/2 sum s^2:  s = (x - g)_+ / (1 + gamma lambda), g = gamma sum
/// s, by sorting: with the k largest x in, g = gamma (their sum) / (1 + gamma lambda + gamma k).
void squared_sum_prox(double gamma, double lambda, ConstSpan x, MutableSpan s);
[[nodiscard]] ProxSlope squared_sum_prox_slope(double gamma, double lambda, ConstSpan s);

/// Omega(s) = 1/2 ||s||_r^2, 1 < r < 2:  s + gamma N (s/N)^{r-1} = x with N = ||s||_r
void power_prox(double gamma, double r, ConstSpan x, MutableSpan s);
[[nodiscard]] ProxSlope power_prox_slope(double gamma, double r, ConstSpan s);

}  // namespace kernmix
