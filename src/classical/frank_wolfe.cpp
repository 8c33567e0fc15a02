#include "classical/frank_wolfe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/samples.hpp"
#include "weights/stagnation_check.hpp"

namespace kernmix {
namespace {

double inner(ConstSpan g, ConstSpan x) {
  return std::inner_product(g.begin(), g.end(), x.begin(), 0.0);
}

/// The vertex with the smallest g'v of the simplex with upper bound u: u on the smallest entries of
/// g.
Vector lowest_vertex(const Vector& g, double u) {
  std::vector<std::size_t> order = index_range<std::size_t>(0, g.size());
  std::ranges::stable_sort(order, {}, [&](std::size_t m) { return g[m]; });
  Vector vertex(g.size(), 0.0);
  double left = 1.0;
  for (std::size_t k = 0; k < order.size() && left > 0.0; ++k) {
    vertex[order[k]] = std::min(u, left);
    left -= vertex[order[k]];
  }
  return vertex;
}

/// Weights as a convex combination of vertices, one of which is the start.
class ActiveSet {
 public:
  explicit ActiveSet(Vector start) { share_[std::move(start)] = 1.0; }

  [[nodiscard]] const Vector& highest(const Vector& g) const {
    return std::ranges::max_element(share_, {}, [&](const auto& of) { return inner(g, of.first); })
        ->first;
  }
  [[nodiscard]] double share(const Vector& vertex) const { return share_.at(vertex); }

  /// d + t (vertex - d); away from a vertex for t < 0.
  void move(const Vector& vertex, double t) {
    for (auto& [other, share] : share_) share *= 1.0 - t;
    share_[vertex] += t;
    std::erase_if(share_, [](const auto& of) { return of.second <= 1e-14; });
  }
  [[nodiscard]] Vector weights() const {
    Vector d(share_.begin()->first.size(), 0.0);
    double sum = 0.0;
    for (const auto& [vertex, share] : share_) sum += share;
    for (const auto& [vertex, share] : share_) {
      for (std::size_t m = 0; m < d.size(); ++m) d[m] += share / sum * vertex[m];
    }
    return d;
  }

 private:
  std::map<Vector, double> share_;
};

/// The descent rate of J along d + t (vertex - d), t in [0, 1], or, if it is larger, along d + t (d
/// - vertex), t in [0, longest].
struct Descent {
  Vector vertex;
  double sign = 1.0;  ///< -1: away
  double fall = 0.0;  ///< -g'(direction)
  double longest = 1.0;
};

Descent steepest(const Vector& g, const Vector& d, const ActiveSet& active, double u) {
  Descent to{lowest_vertex(g, u)};
  to.fall = inner(g, d) - inner(g, to.vertex);
  const Vector& highest = active.highest(g);
  const double away = inner(g, highest) - inner(g, d);
  const double share = active.share(highest);
  if (away <= to.fall || share >= 1.0) return to;
  return {highest, -1.0, away, share / (1.0 - share)};
}

}  // namespace

void frank_wolfe(double upper_bound, Objective& J, Vector start,
                 const std::function<Vector(const Point&)>& gradient) {
  constexpr double kLess = 0.9;  // curvature, from one step to the next
  StagnationCheck patience(100);
  ActiveSet active(start);
  Point point = J.evaluate(std::move(start), "start");
  double curvature = 0.0;  // of J along unit directions
  while (!J.finished()) {
    const Vector g = gradient(point);
    const Descent descent = steepest(g, point.d, active, upper_bound);
    double square = 0.0;
    for (std::size_t m = 0; m < g.size(); ++m) {
      square += std::pow(descent.vertex[m] - point.d[m], 2);
    }
    if (!(descent.fall > 0.0 && square > 0.0)) {
      point = refine_inner_solution(J, point);
      continue;
    }
    // Initially such that the full step is optimal.
    curvature = curvature > 0.0 ? kLess * curvature : descent.fall / square;
    const double t = std::min(descent.fall / (curvature * square), descent.longest);
    ActiveSet there = active;
    there.move(descent.vertex, descent.sign * t);
    Point next = J.evaluate(there.weights(), descent.sign > 0.0 ? "towards" : "away");
    const double bound = -t * descent.fall + 0.5 * t * t * curvature * square;
    if (next.upper <= point.upper + bound + next.inner_gap) {
      point = std::move(next);
      active = std::move(there);
    } else {
      constexpr double kMore = 2.0 / kLess;
      curvature *= kMore;
    }
    patience.after_step(J);
  }
}

}  // namespace kernmix
