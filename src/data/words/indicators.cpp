#include "kernmix/data.hpp"

namespace kernmix {

std::vector<std::string> Indicators::names() const {
  if (values.empty()) return {column + " is missing"};
  std::vector<std::string> all;
  for (const std::string& value : values) all.push_back(column + "=" + value);
  return all;
}

}  // namespace kernmix
