#include "grid.hpp"

#include <algorithm>

namespace kernmix::cli {

bool is_end_of_grid(const std::vector<Candidate>& candidates, const std::string& key, double value,
                    bool largest) {
  std::vector<double> values;
  for (const Candidate& candidate : candidates) {
    for (const auto& [name, number] : candidate.numbers) {
      if (name == key) values.push_back(number);
    }
  }
  if (values.empty()) return false;
  const auto [low, high] = std::ranges::minmax(values);
  return low < high && value == (largest ? high : low);
}

}  // namespace kernmix::cli
