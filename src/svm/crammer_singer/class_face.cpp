#include "svm/crammer_singer/class_face.hpp"

#include "base/parallel.hpp"

namespace kernmix {

std::vector<Index> free_entries(const ClassTargets& targets, const Matrix& A) {
  constexpr double kBound = 1e-12;  // of C
  std::vector<Index> free;
  for (Index i = 0; i < A.rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::size_t before = free.size();
    for (Index u = 0; u < A.cols; ++u) {
      const double p = (u == targets.y[at] ? targets.C[at] : 0.0) - A(i, u);
      if (p > kBound * targets.C[at]) free.push_back(i * A.cols + u);
    }
    if (free.size() == before + 1) free.pop_back();
  }
  return free;
}

ClassFace::ClassFace(const std::vector<Index>& free, Index classes) : classes_(classes) {
  Index sample = -1;
  Index first = 0;
  for (const Index entry : free) {
    const Index u = entry % classes;
    if (entry / classes == sample) {
      directions_.push_back({sample, u, first});
    } else {
      sample = entry / classes;
      first = u;
    }
  }
}

Eigen::VectorXd ClassFace::along(const Matrix& F) const {
  Eigen::VectorXd x(size());
  for (Index p = 0; p < size(); ++p) {
    const Direction& own = directions_[static_cast<std::size_t>(p)];
    x[p] = F(own.sample, own.up) - F(own.sample, own.down);
  }
  return x;
}

void ClassFace::add(const Eigen::VectorXd& x, Matrix& A) const {
  for (Index p = 0; p < size(); ++p) {
    const Direction& own = directions_[static_cast<std::size_t>(p)];
    A(own.sample, own.up) += x[p];
    A(own.sample, own.down) -= x[p];
  }
}

RowMatrix ClassFace::curvature(const Matrix& K, const Context& context) const {
  RowMatrix S(size(), size());
  constexpr Index rows_at_once = 32;
  parallel_blocks(context, size(), rows_at_once, [&](Index, Index begin, Index end) {
    for (Index p = begin; p < end; ++p) {
      const Direction& row = directions_[static_cast<std::size_t>(p)];
      for (Index r = 0; r <= p; ++r) {
        const Direction& col = directions_[static_cast<std::size_t>(r)];
        const int same = (row.up == col.up) + (row.down == col.down);
        const int opposite = (row.up == col.down) + (row.down == col.up);
        S(p, r) = (same - opposite) * K(row.sample, col.sample);
      }
    }
  });
  return S;
}

void ClassFace::add_diagonal(ConstSpan weight, RowMatrix& S) const {
  for (Index p = 0; p < size(); ++p) {
    const Direction& row = directions_[static_cast<std::size_t>(p)];
    const double own = weight[static_cast<std::size_t>(row.sample)];
    S(p, p) += 2.0 * own;
    for (Index r = p; r-- > 0;) {  // all directions of a sample decrease the same class
      if (directions_[static_cast<std::size_t>(r)].sample != row.sample) break;
      S(p, r) += own;
    }
  }
}

Eigen::MatrixXd ClassFace::sums() const {
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(size(), classes_);
  for (Index p = 0; p < size(); ++p) {
    const Direction& own = directions_[static_cast<std::size_t>(p)];
    sums(p, own.up) = 1.0;
    sums(p, own.down) = -1.0;
  }
  return sums;
}

}  // namespace kernmix
