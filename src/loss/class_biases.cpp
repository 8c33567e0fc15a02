#include "loss/class_biases.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

namespace kernmix {
namespace {

constexpr double kUnreached = std::numeric_limits<double>::infinity();

/// Candidate samples for a move from one class to another, cheapest on top. Samples without mass
/// there are dropped on access.
using Leavers = std::priority_queue<std::pair<double, Index>, std::vector<std::pair<double, Index>>,
                                    std::greater<>>;

class ClassTransport {
 public:
  ClassTransport(const Matrix& Z, const std::vector<Index>& y, ConstSpan C, ConstSpan start);
  [[nodiscard]] Vector solve();

 private:
  struct Paths {
    Vector distance;            ///< from the nearest class with excess
    std::vector<Index> before;  ///< the class before, -1 at the start
  };

  void place(Index i, Index u, double mass);
  [[nodiscard]] const std::pair<double, Index>* cheapest(Index u, Index v);
  [[nodiscard]] Paths shortest_paths();
  [[nodiscard]] Index nearest_wanting(const Paths& paths) const;
  void move_along(const Paths& paths, Index end);
  [[nodiscard]] double& excess(Index u) { return excess_[static_cast<std::size_t>(u)]; }
  [[nodiscard]] double& bias(Index u) { return bias_[static_cast<std::size_t>(u)]; }
  [[nodiscard]] Leavers& leavers(Index u, Index v) {
    return leavers_[static_cast<std::size_t>(u * mass_.cols + v)];
  }

  Matrix h_;
  Matrix mass_;  ///< n x K: the part of C_i that is at class u
  Vector bias_;
  Vector excess_;  ///< mass at a class beyond its demand
  std::vector<Leavers> leavers_;
  double negligible_;
};

ClassTransport::ClassTransport(const Matrix& Z, const std::vector<Index>& y, ConstSpan C,
                               ConstSpan start)
    : h_(Z),
      mass_(Z.rows, Z.cols),
      bias_(start.begin(), start.end()),
      excess_(static_cast<std::size_t>(Z.cols), 0.0),
      leavers_(static_cast<std::size_t>(Z.cols * Z.cols)),
      negligible_(1e-13 * std::accumulate(C.begin(), C.end(), 0.0)) {
  bias_.resize(excess_.size(), 0.0);
  for (Index i = 0; i < Z.rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    Index best = y[at];
    for (Index u = 0; u < Z.cols; ++u) {
      if (u != y[at]) h_(i, u) += 1.0;
    }
    for (Index u = 0; u < Z.cols; ++u) {
      if (h_(i, u) + bias(u) > h_(i, best) + bias(best)) best = u;
    }
    place(i, best, C[at]);
    excess(best) += C[at];
    excess(y[at]) -= C[at];
  }
}

void ClassTransport::place(Index i, Index u, double mass) {
  const bool is_new = mass_(i, u) <= 0.0;
  mass_(i, u) += mass;
  for (Index v = 0; is_new && v < mass_.cols; ++v) {
    if (v != u) leavers(u, v).emplace(h_(i, u) - h_(i, v), i);
  }
}

const std::pair<double, Index>* ClassTransport::cheapest(Index u, Index v) {
  Leavers& queue = leavers(u, v);
  while (!queue.empty() && mass_(queue.top().second, u) <= 0.0) queue.pop();
  return queue.empty() ? nullptr : &queue.top();
}

/// Dijkstra's algorithm on costs that the biases make nonnegative.
ClassTransport::Paths ClassTransport::shortest_paths() {
  const Index K = mass_.cols;
  Paths paths{Vector(static_cast<std::size_t>(K), kUnreached),
              std::vector<Index>(static_cast<std::size_t>(K), -1)};
  std::vector<bool> done(static_cast<std::size_t>(K), false);
  for (Index u = 0; u < K; ++u) {
    if (excess(u) > negligible_) paths.distance[static_cast<std::size_t>(u)] = 0.0;
  }
  for (Index round = 0; round < K; ++round) {
    Index u = -1;
    double nearest = kUnreached;
    for (Index v = 0; v < K; ++v) {
      const double distance = paths.distance[static_cast<std::size_t>(v)];
      if (done[static_cast<std::size_t>(v)] || !(distance < nearest)) continue;
      u = v;
      nearest = distance;
    }
    if (u < 0) break;
    done[static_cast<std::size_t>(u)] = true;
    for (Index v = 0; v < K; ++v) {
      const auto at = static_cast<std::size_t>(v);
      if (done[at]) continue;
      const auto* edge = cheapest(u, v);
      if (edge == nullptr) continue;
      const double through = nearest + std::max(edge->first + bias(u) - bias(v), 0.0);
      if (!(through < paths.distance[at])) continue;
      paths.distance[at] = through;
      paths.before[at] = u;
    }
  }
  return paths;
}

Index ClassTransport::nearest_wanting(const Paths& paths) const {
  Index nearest = -1;
  for (Index u = 0; u < mass_.cols; ++u) {
    const auto at = static_cast<std::size_t>(u);
    if (excess_[at] >= -negligible_ || paths.distance[at] == kUnreached) continue;
    if (nearest < 0 || paths.distance[at] < paths.distance[static_cast<std::size_t>(nearest)]) {
      nearest = u;
    }
  }
  return nearest;
}

/// As much mass as every edge of the path to `end` can carry.
void ClassTransport::move_along(const Paths& paths, Index end) {
  struct Edge {
    Index sample, from, to;
  };
  std::vector<Edge> path;
  double mass = -excess(end);
  Index begin = end;
  for (Index u = paths.before[static_cast<std::size_t>(end)]; u >= 0;
       u = paths.before[static_cast<std::size_t>(u)]) {
    const Index i = cheapest(u, begin)->second;
    path.push_back({i, u, begin});
    mass = std::min(mass, mass_(i, u));
    begin = u;
  }
  mass = std::min(mass, excess(begin));
  excess(begin) -= mass;
  excess(end) += mass;
  for (const Edge& edge : path) {
    mass_(edge.sample, edge.from) -= mass;
    place(edge.sample, edge.to, mass);
  }
}

Vector ClassTransport::solve() {
  // Each path exhausts the mass of a sample or meets a demand, so there are about n paths.
  const Index most_paths = 100 * (mass_.rows + mass_.cols);
  for (Index k = 0; k < most_paths; ++k) {
    const Paths paths = shortest_paths();
    const Index end = nearest_wanting(paths);
    if (end < 0) break;
    const double farthest = paths.distance[static_cast<std::size_t>(end)];
    for (std::size_t u = 0; u < bias_.size(); ++u) {
      bias_[u] += std::min(paths.distance[u], farthest);
    }
    move_along(paths, end);
  }
  const double mean =
      std::accumulate(bias_.begin(), bias_.end(), 0.0) / static_cast<double>(bias_.size());
  for (double& b : bias_) b -= mean;
  return std::move(bias_);
}

}  // namespace

Vector best_class_biases(const Matrix& Z, const std::vector<Index>& y, ConstSpan C,
                         ConstSpan start) {
  return ClassTransport(Z, y, C, start).solve();
}

}  // namespace kernmix
