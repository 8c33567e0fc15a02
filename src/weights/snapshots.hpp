#pragma once
/// \file
/// Moments of a run, kept evenly without knowing how long it will be.

#include <vector>

#include "kernmix/answer.hpp"

namespace kernmix {

class Snapshots {
 public:
  /// \param most  kept at a time; 0: none
  explicit Snapshots(Index most) : most_(most) {}

  /// Shall the next iteration be kept? To be asked once for each.
  [[nodiscard]] bool next() { return most_ > 0 && seen_++ % stride_ == 0; }

  /// Where there are too many, every other one goes, and so do those to come.
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
