#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/blas_threads.hpp"
#include "base/linear_algebra.hpp"
#include "base/parallel.hpp"
#include "base/rounding.hpp"
#include "base/samples.hpp"
#include "kernel/landmark_source.hpp"
#include "kernmix/bank/bounded_products.hpp"

namespace kernmix {
namespace {

constexpr Index rows_of_landmark_block = 128;

using WideMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using WideVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

/// The rounding of a sum in long double, at least 64 bits of it; otherwise as rounding().
double wide_rounding(Index terms, double size) {
  return (static_cast<double>(terms) + 64.0) *
         static_cast<double>(std::numeric_limits<long double>::epsilon()) * size;
}

/// The rows where some request has a dual variable.
std::vector<Index> support_of(std::span<const ProductRequest> requests, Index n) {
  std::vector<Index> support;
  for (Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const auto has = [&](const ProductRequest& request) { return request.a[at] != 0.0; };
    if (std::ranges::any_of(requests, has)) support.push_back(i);
  }
  return support;
}

/// One kernel while its products are made.
class OneKernel {
 public:
  OneKernel(const LandmarkSource& kernel, std::span<const ProductRequest> requests,
            const std::vector<Index>& support, const Context& context)
      : kernel_(kernel),
        requests_(requests),
        support_(support),
        context_(context),
        T_(static_cast<Index>(requests.size())),
        roots_(kernel.exact_roots()),
        landmark_roots_(kernel.columns()) {
    const RowMatrix& A = kernel.A();
    for (Index p = 0; p < A.rows(); ++p) landmark_roots_[p] = std::sqrt(A(p, p));
    project();
    solve();
  }

  /// w of each request, a column each.
  [[nodiscard]] const Eigen::MatrixXd& w() const { return w_; }
  /// q <= a'K a <= q + error, and w'A w <= q + error.
  void form(Index t, double& q, double& error) const;
  /// z += d K a of each request, for their weights of this kernel.
  void add_products(std::size_t m, std::vector<BankProducts>& results) const;

 private:
  void project();
  void solve();

  const LandmarkSource& kernel_;
  std::span<const ProductRequest> requests_;
  const std::vector<Index>& support_;
  const Context& context_;
  Index T_;
  Vector roots_;  ///< sqrt(k(x, x))
  Eigen::VectorXd landmark_roots_;
  WideMatrix u_;             ///< K[P, :] a, R x T
  Eigen::RowVectorXd size_;  ///< sum_i |a_i| sqrt(k(x_i, x_i)): u_p is off by r_p times this
  Eigen::MatrixXd w_;
};

void OneKernel::project() {
  const SerialBlas serial;
  const Index R = kernel_.columns();
  const Index blocks = blocks_of(length(support_), rows_of_landmark_block);
  std::vector<Eigen::MatrixXd> parts(static_cast<std::size_t>(blocks));
  size_ = Eigen::RowVectorXd::Zero(T_);
  parallel_blocks(context_, length(support_), rows_of_landmark_block,
                  [&](Index b, Index begin, Index end) {
                    const auto rows = slice(support_, begin, end);
                    RowMatrix K(end - begin, R);
                    kernel_.cross(rows, as_span(K));
                    Eigen::MatrixXd a(K.rows(), T_);
                    for (Index t = 0; t < T_; ++t) {
                      const ConstSpan own = requests_[to_size(t)].a;
                      for (Index i = 0; i < a.rows(); ++i) a(i, t) = own[to_size(rows[to_size(i)])];
                    }
                    parts[to_size(b)].noalias() = K.transpose() * a;
                  });
  u_ = WideMatrix::Zero(R, T_);
  for (const Eigen::MatrixXd& part : parts) u_ += part.cast<long double>();
  for (const Index i : support_) {
    for (Index t = 0; t < T_; ++t) {
      size_[t] += std::abs(requests_[to_size(t)].a[to_size(i)]) * roots_[to_size(i)];
    }
  }
}

/// With one step of iterative refinement.
void OneKernel::solve() {
  const SerialBlas serial;
  w_ = u_.cast<double>();
  kernel_.solve(w_);
  const WideMatrix A = kernel_.A().cast<long double>();
  const WideMatrix left = u_ - A * w_.cast<long double>();
  Eigen::MatrixXd more = left.cast<double>();
  kernel_.solve(more);
  w_ += more;
}

void OneKernel::form(Index t, double& q, double& error) const {
  const WideMatrix A = kernel_.A().cast<long double>();
  const WideVector w = w_.col(t).cast<long double>();
  const WideVector Aw = A * w;
  const auto norm = static_cast<double>(w.dot(Aw));
  const auto value = static_cast<double>(2.0L * w.dot(u_.col(t)) - w.dot(Aw));
  const double spread = w_.col(t).cwiseAbs().dot(landmark_roots_);
  // Of u_p, over r_p.
  const double rounded =
      rounding(rows_of_landmark_block, size_[t]) + wide_rounding(length(support_), size_[t]);
  const double of_products = wide_rounding(kernel_.columns(), spread);  // of (A w)_p, over r_p
  const double rest = static_cast<double>((u_.col(t) - Aw).norm()) +
                      (rounded + of_products) * landmark_roots_.norm();
  const double off = 2.0 * spread * (rounded + of_products) + rounding(1, std::abs(value));
  q = std::max(value - off, 0.0);
  // Half of the jitter: rounding in the entries of A takes the other half at most.
  const double upper = std::max(value + off + 2.0 * rest * rest / kernel_.jitter(),
                                norm + rounding(1, norm) + spread * of_products);
  error = upper - q;
}

void OneKernel::add_products(std::size_t m, std::vector<BankProducts>& results) const {
  const SerialBlas serial;
  const Index n = kernel_.rows();
  const Index R = kernel_.columns();
  std::vector<Index> asked;
  for (Index t = 0; t < T_; ++t) {
    if (requests_[to_size(t)].d[m] != 0.0) asked.push_back(t);
  }
  if (asked.empty()) return;
  Eigen::MatrixXd w(R, length(asked));
  Eigen::RowVectorXd spread(length(asked));
  for (Index k = 0; k < w.cols(); ++k) {
    const Index t = asked[to_size(k)];
    w.col(k) = requests_[to_size(t)].d[m] * w_.col(t);
    spread[k] = w.col(k).cwiseAbs().dot(landmark_roots_);
  }
  const auto on_block = [&](Index, Index begin, Index end) {
    const std::vector<Index> rows = index_range(begin, end);
    RowMatrix K(end - begin, R);
    kernel_.cross(rows, as_span(K));
    const Eigen::MatrixXd z = K * w;
    for (Index k = 0; k < w.cols(); ++k) {
      BankProducts& own = results[to_size(asked[to_size(k)])];
      for (Index i = 0; i < z.rows(); ++i) {
        const std::size_t at = to_size(begin + i);
        own.z[at] += z(i, k);
        own.z_error[at] += rounding(R, roots_[at] * spread[k]);
      }
    }
  };
  parallel_blocks(context_, n, rows_of_landmark_block, on_block);
}

}  // namespace

LandmarkProducts landmark_products(const std::vector<KernelSourcePtr>& sources,
                                   std::span<const ProductRequest> requests,
                                   const Context& context) {
  const Index n = sources.front()->rows();
  const auto M = length(sources);
  const std::vector<Index> support = support_of(requests, n);
  LandmarkProducts all;
  for (std::size_t r = 0; r < requests.size(); ++r) {
    all.products.push_back(
        {Vector(to_size(n), 0.0), Vector(to_size(n), 0.0), Vector(to_size(M), 0.0), {}});
    all.products.back().q_error.assign(to_size(M), 0.0);
    all.w.emplace_back(M, sources.front()->by_landmarks()->columns());
  }
  for (std::size_t m = 0; m < to_size(M); ++m) {
    stop_if_asked(context);
    const OneKernel kernel(*sources[m]->by_landmarks(), requests, support, context);
    for (std::size_t r = 0; r < requests.size(); ++r) {
      const auto t = static_cast<Index>(r);
      kernel.form(t, all.products[r].q[m], all.products[r].q_error[m]);
      as_matrix(all.w[r]).row(static_cast<Index>(m)) = kernel.w().col(t).transpose();
    }
    kernel.add_products(m, all.products);
  }
  return all;
}

}  // namespace kernmix
