#pragma once
/// \file
/// New samples that lie far outside everything that training had, as in another unit.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernmix/train.hpp"

namespace kernmix {

/// Samples are added in any number of parts. Columns without influence, cells that are missing and
/// sparse models and novelty detectors are not looked at.
class FarSamples {
 public:
  /// \param model  must outlive it
  explicit FarSamples(const Model& model);
  /// \param table  with the columns of the model, as predict() takes it
  void add(const Table& table);
  /// The warning `far-samples` if at least 2 % of the samples are far away.
  [[nodiscard]] std::optional<Warning> warning() const;

 private:
  /// The columns of a view, in the units of their scaling.
  struct ScaledColumns {
    std::vector<Index> columns;  ///< of the model
    Vector centre;
    double farthest = 0.0;  ///< distance from the centre beyond which a sample is far away
  };
  struct Range {
    double least = 0.0;
    double most = 0.0;
    Index samples = 0;
  };

  [[nodiscard]] double scaled(Index j, double raw) const;
  void add_view(const ScaledView& view);
  /// The column of the view that moves a sample away most, if the sample is far away.
  [[nodiscard]] std::optional<Index> far_column(const ScaledColumns& view, ConstSpan row) const;

  const Model& model_;
  std::vector<ScaledColumns> views_;
  std::map<Index, Range> far_;  ///< by column
  Index samples_ = 0;
  Index far_samples_ = 0;
};

}  // namespace kernmix
