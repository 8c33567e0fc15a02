#include "regularizer/simplex/soft_margin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/roots/root.hpp"
#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "regularizer/any.hpp"
#include "regularizer/norms.hpp"
#include "regularizer/subproblem/weight_set.hpp"

namespace kernmix {

SoftMargin SoftMargin::of_share(double share) {
  SoftMargin shared;
  shared.nu = share;
  return shared;
}

std::vector<RegularizerInfo> SoftMargin::rows() {
  RegularizerInfo share = info();
  share.syntax = "soft-margin:nu=V";
  share.weights = "0 <= d <= 1/(V M), sum d = 1, V <= 1";
  share.example = "soft-margin:nu=0.5";
  return {info(), share};
}

Regularizer SoftMargin::parse(const std::string& text) {
  const Arguments arguments(text, {"theta", "nu"}, info().example);
  if (!arguments.has("nu")) return parse_parameters<SoftMargin>(text);
  if (arguments.has("theta")) {
    throw ParameterError("soft-margin: give theta or nu, not both: theta is 1/(nu M)");
  }
  const double nu = arguments.number("nu");
  check_parameter("soft-margin", "nu", nu, up_to_one);
  return of_share(nu);
}

std::string SoftMargin::text() const {
  if (nu == 0.0) return text_with_parameters(name(), *this);
  std::string shared = name();
  append_argument(shared, "nu", nu);
  return shared;
}

double SoftMargin::upper_bound(Index M) const {
  const double even = 1.0 / static_cast<double>(M);
  return std::max(nu > 0.0 ? even / nu : theta, even);
}

void SoftMargin::check(Index M) const {
  require_kernels(M);
  if (nu > 0.0 || theta * static_cast<double>(M) >= 1.0 - 1e-12) return;
  throw ParameterError(fmt::format(
      "soft-margin: infeasible: theta must be >= 1/M, got {} for {} kernels", theta, M));
}

double SoftMargin::conjugate(ConstSpan q) const {
  const double bound = upper_bound(length(q));
  Vector sorted(q.begin(), q.end());
  std::ranges::sort(sorted, std::greater<>());
  double value = 0.0;
  double mass = 1.0;
  for (const double square : sorted) {
    const double weight = std::min(bound, mass);
    value += 0.5 * weight * square;
    mass -= weight;
  }
  return value;
}

void SoftMargin::best_weights(ConstSpan s, MutableSpan d) const {
  const double bound = upper_bound(length(s));
  std::vector<std::size_t> order = index_range<std::size_t>(0, s.size());
  std::ranges::stable_sort(order, [&](std::size_t l, std::size_t r) { return s[l] > s[r]; });
  Vector tail(s.size() + 1, 0.0);  // tail[k] is the sum of all but the k largest
  for (std::size_t k = s.size(); k > 0; --k) tail[k - 1] = tail[k] + s[order[k - 1]];

  double mass = 1.0;
  std::size_t k = 0;
  while (k < s.size() && s[order[k]] * mass > bound * tail[k]) {
    d[order[k]] = bound;
    ++k;
    mass = std::max(1.0 - bound * static_cast<double>(k), 0.0);
  }
  const double even = mass / static_cast<double>(s.size() - k);
  for (std::size_t i = k; i < s.size(); ++i) {
    d[order[i]] = tail[k] > 0.0 ? mass * (s[order[i]] / tail[k]) : even;
  }
}

void SoftMargin::project(MutableSpan x) const {
  const double bound = upper_bound(length(x));
  const Vector z(x.begin(), x.end());
  const auto move_all = [&](double tau) {
    for (std::size_t m = 0; m < x.size(); ++m) x[m] = std::clamp(z[m] - tau, 0.0, bound);
  };
  move_all(decreasing_root(*std::ranges::min_element(z) - bound, largest(z), [&](double tau) {
    move_all(tau);
    return std::accumulate(x.begin(), x.end(), -1.0);
  }));
}

WeightSet SoftMargin::weight_set(Index M) const { return simplex_set(upper_bound(M)); }

}  // namespace kernmix
