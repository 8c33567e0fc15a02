#include "model/warnings/identity.hpp"

#include <algorithm>
#include <cmath>

#include "base/samples.hpp"

namespace kernmix {

Vector similarities(const Matrix& K) {
  constexpr double same = 1.0 - 1e-9;
  Vector all;
  for (Index i = 0; i < K.rows; ++i) {
    for (Index j = 0; j < i; ++j) {
      const double norm = std::sqrt(std::max(0.0, K(i, i) * K(j, j)));
      const double k = std::abs(K(i, j));
      if (k < same * norm) all.push_back(k / norm);
    }
  }
  return all;
}

bool acts_as_identity(Vector& similarities, double centred) {
  constexpr double almost_all = 0.99;
  constexpr double almost_none = 0.02;
  if (similarities.empty()) return false;
  const auto rank = static_cast<Index>(almost_all * static_cast<double>(similarities.size() - 1));
  std::ranges::nth_element(similarities, similarities.begin() + rank);
  return similarities[to_size(rank)] <= almost_none + centred;
}

bool acts_as_identity(const KernelSource& source, bool centred) {
  constexpr Index most_samples = 200;
  const std::vector<Index> some = spaced_samples(source.rows(), most_samples);
  Matrix K(length(some), length(some));
  source.block(some, some, K.values);
  Vector similar = similarities(K);
  return acts_as_identity(similar, similarity_by_centring(centred, source.rows()));
}

double similarity_by_centring(bool centred, Index samples) {
  return centred ? 2.0 / static_cast<double>(samples) : 0.0;
}

}  // namespace kernmix
