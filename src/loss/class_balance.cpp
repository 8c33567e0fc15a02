#include "loss/class_balance.hpp"

#include <algorithm>
#include <numeric>

namespace kernmix {
namespace {

class ClassFlow {
 public:
  ClassFlow(const Matrix& A, const std::vector<Index>& y) : flow_(A.cols, A.cols) {
    for (Index i = 0; i < A.rows; ++i) {
      const Index w = y[static_cast<std::size_t>(i)];
      for (Index u = 0; u < A.cols; ++u) {
        if (u != w) flow_(w, u) -= A(i, u);
      }
    }
    for (Index w = 0; w < A.cols; ++w) {
      double sum = 0.0;
      for (Index u = 0; u < A.cols; ++u) sum += flow_(w, u) - flow_(u, w);
      sums_.push_back(sum);
    }
    negligible_ = 1e-16 * std::accumulate(flow_.values.begin(), flow_.values.end(), 0.0);
  }

  [[nodiscard]] const Matrix& all() const { return flow_; }

  void balance() {
    const Index most_paths = flow_.rows * flow_.rows + 2 * flow_.rows;
    for (Index k = 0; k < most_paths && take_out_path(); ++k) {
    }
  }

 private:
  [[nodiscard]] double& sum(Index u) { return sums_[static_cast<std::size_t>(u)]; }

  /// Breadth first from all classes with positive sums.
  bool take_out_path() {
    const auto K = static_cast<std::size_t>(flow_.rows);
    std::vector<Index> before(K, -1);
    std::vector<bool> seen(K, false);
    std::vector<Index> queue;
    for (Index u = 0; u < flow_.rows; ++u) {
      if (sum(u) <= negligible_) continue;
      seen[static_cast<std::size_t>(u)] = true;
      queue.push_back(u);
    }
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const Index u = queue[next];
      if (sum(u) < -negligible_) {
        take_out(before, u);
        return true;
      }
      for (Index v = 0; v < flow_.rows; ++v) {
        const auto at = static_cast<std::size_t>(v);
        if (seen[at] || flow_(u, v) <= 0.0) continue;
        seen[at] = true;
        before[at] = u;
        queue.push_back(v);
      }
    }
    return false;
  }

  void take_out(const std::vector<Index>& before, Index end) {
    double amount = -sum(end);
    Index begin = end;
    for (Index u = before[static_cast<std::size_t>(end)]; u >= 0;
         u = before[static_cast<std::size_t>(u)]) {
      amount = std::min(amount, flow_(u, begin));
      begin = u;
    }
    amount = std::min(amount, sum(begin));
    for (Index v = end; v != begin; v = before[static_cast<std::size_t>(v)]) {
      flow_(before[static_cast<std::size_t>(v)], v) -= amount;
    }
    sum(begin) -= amount;
    sum(end) += amount;
  }

  Matrix flow_;
  Vector sums_;  ///< of the columns of A
  double negligible_;
};

}  // namespace

void balance_classes(Matrix& A, const std::vector<Index>& y) {
  ClassFlow flow(A, y);
  const Matrix before = flow.all();
  flow.balance();
  Matrix factor = flow.all();
  for (std::size_t e = 0; e < factor.values.size(); ++e) {
    factor.values[e] = before.values[e] > 0.0 ? factor.values[e] / before.values[e] : 1.0;
  }
  for (Index i = 0; i < A.rows; ++i) {
    const Index w = y[static_cast<std::size_t>(i)];
    double others = 0.0;
    for (Index u = 0; u < A.cols; ++u) {
      if (u == w) continue;
      A(i, u) *= factor(w, u);
      others += A(i, u);
    }
    A(i, w) = -others;
  }
}

}  // namespace kernmix
