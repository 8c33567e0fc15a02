#include "study/text.hpp"

#include <map>

namespace kernmix {

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
