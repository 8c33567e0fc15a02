#pragma once
/// \file
/// Models of an earlier run of a search, by their place.

#include <map>
#include <vector>

#include "kernmix/selection/search.hpp"

namespace kernmix {

class FinishedFits {
 public:
  /// \param fits  must outlive it
  explicit FinishedFits(const std::vector<SearchedFit>& fits) {
    for (const SearchedFit& fit : fits) add(fit);
  }

  /// \param fit  must outlive it
  void add(const SearchedFit& fit) { places_[fit.place] = &fit; }

  /// Null if there is none.
  [[nodiscard]] const SearchedFit* find(const FitPlace& place) const {
    const auto found = places_.find(place);
    return found == places_.end() ? nullptr : found->second;
  }

 private:
  std::map<FitPlace, const SearchedFit*> places_;
};

}  // namespace kernmix
