#pragma once
/// \file
/// The rounds of a search.

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "selection/search/finished_fits.hpp"
#include "selection/search/fold_run.hpp"

namespace kernmix {

class SearchRun {
 public:
  /// \param outer -1, or the outer fold whose training part is searched \param keep may be called
  /// concurrently if several searches share it
  SearchRun(const SearchInput& input, const std::vector<Fold>& folds, const SearchRules& rules,
            Index outer, const FinishedFits& finished, const KeepFit& keep, const Context& context);

  Search run();

 private:
  using Cells = std::vector<Index>;

  [[nodiscard]] Cells all() const;
  void run_rounds();
  /// The folds [first, last) for some candidates.
  void round(Index number, Index first, Index last, const Cells& cells);
  /// The cells that SearchRules::only selects.
  [[nodiscard]] Cells asked(Index fold, const Cells& cells) const;
  /// False if the context requested a stop.
  [[nodiscard]] bool run_fold(Index number, Index fold, const Cells& cells, const Context& context);
  void take(const SearchedFit& fit, bool is_new, bool other_kernels);
  [[nodiscard]] bool are_on_other_kernels(Index left, Index right) const;
  [[nodiscard]] std::string place_text(Index fold) const;
  [[nodiscard]] std::optional<double> score(Index cell, Index fold) const {
    return result_.cells[to_size(cell)].scores[to_size(fold)];
  }
  [[nodiscard]] Index best_of_first_fold() const;
  /// The candidates that may still win, except `pilot`; the others are abandoned.
  [[nodiscard]] Cells hopeful(Index pilot);
  [[nodiscard]] Index scored_folds() const;
  void conclude();

  const SearchInput& input_;
  const std::vector<Fold>& folds_;
  const SearchRules& rules_;
  Index outer_;
  const FinishedFits& finished_;
  const KeepFit& keep_;
  const Context& context_;
  Search result_;
  std::mutex mutex_;
};

}  // namespace kernmix
