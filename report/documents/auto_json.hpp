#pragma once
/// \file
/// What `kernmix auto` writes into its folder.

#include <optional>
#include <string>
#include <vector>

#include "json_run.hpp"
#include "json_text.hpp"
#include "kernmix/study.hpp"

namespace kernmix::documents {

/// What is known of a study beside its numbers.
struct AutoFacts {
  RunFacts run;
  std::vector<std::string> searched;   ///< files of the samples, as the search names them
  std::vector<std::string> evaluated;  ///< and as the evaluation does
};

struct AutoJson {
  Json run;
  Json search;
  std::optional<Json> held_out;  ///< where there is an estimate
  std::string held_out_text;     ///< the same for people

  /// The page that shows all of it.
  [[nodiscard]] std::string page() const;
};

[[nodiscard]] AutoJson auto_json(const AutoResult& study, const Dataset& data,
                                 const Context& context, const AutoFacts& facts);

}  // namespace kernmix::documents
