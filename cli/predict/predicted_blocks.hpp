#pragma once
/// \file
/// Predictions of a table that is read a block of samples at a time.

#include <optional>
#include <string>
#include <vector>

#include "data/blocks/table_blocks.hpp"
#include "kernmix/train.hpp"

namespace kernmix::cli {

struct PredictedBlock {
  bool first = false;
  Table table;
  Prediction prediction;
};

class PredictedBlocks {
 public:
  /// \param model  must outlive it; \param options  of the file
  PredictedBlocks(const Model& model, const std::string& file, ReadOptions options,
                  bool contributions);
  /// Nothing at the end. \throws as reading and prediction of the whole table: faults of the file
  /// before those of a prediction
  [[nodiscard]] std::optional<PredictedBlock> next(const Context& context);
  /// Of the file, at its end.
  [[nodiscard]] std::vector<std::string> notes() const { return blocks_.notes(); }

 private:
  void say_missing_cells() const;

  const Model& model_;
  std::string file_;
  ReadOptions options_;                 ///< as given
  std::vector<Indicators> indicators_;  ///< of missing cells
  TableBlocks blocks_;
  bool contributions_;
  bool first_ = true;
};

}  // namespace kernmix::cli
