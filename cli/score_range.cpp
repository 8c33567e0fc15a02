#include "score_range.hpp"

#include "kernmix/selection/scores.hpp"

namespace kernmix::cli {

ScoreRange range_of_score(const std::string& name) {
  const ScoreRule rule = score_rule(name);
  if (!rule.larger_is_better) return {.least = rule.best};
  if (name.ends_with("r2")) return {.most = rule.best};  // 1 - error / variance
  return {.least = 0.0, .most = rule.best};
}

}  // namespace kernmix::cli
