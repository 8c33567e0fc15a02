#include "study/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"

namespace kernmix {

std::string listed(const std::vector<std::string>& names, std::size_t limit) {
  const std::size_t shown = std::min(names.size(), limit);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    text += (i > 0 ? ", " : "") + visible(names[i], Layout::none);
  }
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::vector<Index> numbers_of_names(const std::vector<std::string>& names) {
  std::map<std::string, Index> places;
  for (const std::string& name : names) places[name] = 0;
  Index next = 0;
  for (auto& [name, place] : places) place = next++;
  std::vector<Index> numbers;
  numbers.reserve(names.size());
  for (const std::string& name : names) numbers.push_back(places.at(name));
  return numbers;
}

}  // namespace kernmix
