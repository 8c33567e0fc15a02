#include "model/kernels/tridiagonal.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/lapack.hpp"
#include "base/symmetric.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr Index panel = 32;

/// T and the reflections that define Q.
struct Tridiagonal {
  Eigen::MatrixXd reflections;  ///< below the first subdiagonal of S
  Eigen::VectorXd diagonal;
  Eigen::VectorXd below;
  Eigen::VectorXd tau;
};

/// Reduces a panel of columns from `begin` on; the update of the other columns follows.
void reduce_panel(Tridiagonal& t, Index begin, Eigen::MatrixXd& W) {
  const Index left = t.diagonal.size() - begin;
  const int n = lapack::size(left);
  const int columns = lapack::size(panel);
  const int stride = lapack::stride(t.diagonal.size());
  const int w_stride = lapack::stride(W.rows());
  dlatrd_("L", &n, &columns, &t.reflections(begin, begin), &stride, t.below.data() + begin,
          t.tau.data() + begin, W.data(), &w_stride, 1);
  const Index rest = left - panel;
  auto others = t.reflections.bottomRightCorner(rest, rest);
  const Eigen::MatrixXd V = t.reflections.block(begin + panel, begin, rest, panel);
  const auto own = W.middleRows(panel, rest);
  others.triangularView<Eigen::Lower>() -= V * own.transpose();
  others.triangularView<Eigen::Lower>() -= own * V.transpose();
  for (Index j = begin; j < begin + panel; ++j) {
    t.reflections(j + 1, j) = t.below[j];
    t.diagonal[j] = t.reflections(j, j);
  }
}

void reduce_rest(Tridiagonal& t, Index begin) {
  const int n = lapack::size(t.diagonal.size() - begin);
  const int stride = lapack::stride(t.diagonal.size());
  int info = 0;
  dsytd2_("L", &n, &t.reflections(begin, begin), &stride, t.diagonal.data() + begin,
          t.below.data() + begin, t.tau.data() + begin, &info, 1);
}

Tridiagonal reduced(Eigen::MatrixXd S, const std::function<void()>& between) {
  const Index n = S.rows();
  Tridiagonal t{std::move(S), Eigen::VectorXd::Zero(n), Eigen::VectorXd::Zero(n),
                Eigen::VectorXd::Zero(n)};
  Eigen::MatrixXd W(n, panel);
  Index begin = 0;
  for (; n - begin > 2 * panel; begin += panel) {
    between();
    reduce_panel(t, begin, W);
  }
  reduce_rest(t, begin);
  return t;
}

void require_found(int info) {
  if (info == 0) return;
  throw Error(ErrorKind::internal, "the eigenvalues of a symmetric matrix were not found");
}

Eigen::VectorXd values_of(const Tridiagonal& t) {
  Eigen::VectorXd values = t.diagonal;
  Eigen::VectorXd below = t.below;
  const int n = lapack::size(values.size());
  int info = 0;
  dsterf_(&n, values.data(), below.data(), &info);
  require_found(info);
  return values;
}

/// Eigenvectors of T of the `count` smallest eigenvalues.
Eigen::MatrixXd vectors_of(const Tridiagonal& t, Index count) {
  const Index n = t.diagonal.size();
  Eigen::VectorXd diagonal = t.diagonal;
  Eigen::VectorXd below = t.below;
  Eigen::VectorXd values(n);
  Eigen::MatrixXd vectors(n, count);
  std::vector<int> support(to_size(2 * count));
  const int size = lapack::size(n);
  const int stride = lapack::stride(n);
  const int columns = lapack::size(count);
  constexpr int first = 1;
  constexpr double unused = 0.0;
  int relative = 1;
  int found = 0;
  int info = 0;
  const int work_size = std::max(1, 18 * size);
  const int integers_size = std::max(1, 10 * size);
  Vector work(static_cast<std::size_t>(work_size));
  std::vector<int> integers(static_cast<std::size_t>(integers_size));
  dstemr_("V", "I", &size, diagonal.data(), below.data(), &unused, &unused, &first, &columns,
          &found, values.data(), vectors.data(), &stride, &columns, support.data(), &relative,
          work.data(), &work_size, integers.data(), &integers_size, &info, 1, 1);
  require_found(info);
  return vectors;
}

/// Replaces V by Q V, some columns at a time.
void transform_back(const Tridiagonal& t, Eigen::MatrixXd& V,
                    const std::function<void()>& between) {
  const int n = lapack::size(V.rows());
  const int stride = lapack::stride(V.rows());
  Vector work(to_size(64 * panel + 65 * 64));
  const int work_size = static_cast<int>(work.size());
  for (Index begin = 0; begin < V.cols(); begin += panel) {
    between();
    const int columns = lapack::size(std::min(panel, V.cols() - begin));
    int info = 0;
    dormtr_("L", "L", "N", &n, &columns, t.reflections.data(), &stride, t.tau.data(), &V(0, begin),
            &stride, work.data(), &work_size, &info, 1, 1, 1);
    require_found(info);
  }
}

}  // namespace

LowestEigen lowest_eigen(Eigen::MatrixXd S,
                         const std::function<Index(const Eigen::VectorXd&)>& count,
                         const std::function<void()>& between) {
  const Index n = S.rows();
  if (n <= 2 * panel) {
    SymmetricEigen all = symmetric_eigen(std::move(S));
    const Index wanted = count(all.values);
    return {std::move(all.values), all.vectors.leftCols(wanted)};
  }
  const Tridiagonal t = reduced(std::move(S), between);
  LowestEigen found{values_of(t), Eigen::MatrixXd(n, 0)};
  const Index wanted = count(found.values);
  if (wanted == 0) return found;
  between();
  found.vectors = vectors_of(t, wanted);
  transform_back(t, found.vectors, between);
  return found;
}

}  // namespace kernmix
