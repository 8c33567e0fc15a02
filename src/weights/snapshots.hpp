#pragma once
/// \file
/// Evenly spaced snapshots of a run whose length is not known in advance.

#include <vector>

#include "kernmix/answer.hpp"

namespace kernmix {

class Snapshots {
 public:
  /// \param most  largest number of snapshots; 0 disables them
  explicit Snapshots(Index most) : most_(most) {}

  /// Whether to store the next iteration. Callers must ask exactly once per iteration.
  [[nodiscard]] bool next() { return most_ > 0 && seen_++ % stride_ == 0; }

  /// Stores a snapshot. If there are too many, every other one is dropped and the stride doubles.
  void keep(Snapshot moment) {
    kept_.push_back(std::move(moment));
    if (length(kept_) <= most_) return;
    std::vector<Snapshot> some;
    for (std::size_t k = 0; k < kept_.size(); k += 2) some.push_back(std::move(kept_[k]));
    kept_ = std::move(some);
    stride_ *= 2;
  }

  [[nodiscard]] std::vector<Snapshot> take() { return std::move(kept_); }

 private:
  Index most_;
  Index seen_ = 0;
  Index stride_ = 1;
  std::vector<Snapshot> kept_;
};

}  // namespace kernmix
