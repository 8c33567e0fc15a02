#include "study/text.hpp"

#include <fmt/format.h>

#include <map>

#include "data/number.hpp"

namespace kernmix {

std::vector<Index> numbers_of_names(const std::vector<std::string>& names) {
  std::map<std::string, Index> places;
  for (const std::string& name : names) places[name] = 0;
  std::map<std::string, Index> known;  // numbers by value, as labels are
  for (auto& [name, place] : places) {
    const auto number = parse_number(name);
    place = known.emplace(number ? fmt::format("{}", *number) : name, length(known)).first->second;
  }
  std::vector<Index> numbers;
  numbers.reserve(names.size());
  for (const std::string& name : names) numbers.push_back(places.at(name));
  return numbers;
}

}  // namespace kernmix
