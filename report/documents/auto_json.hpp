#pragma once
/// \file
/// The documents of `kernmix auto`.

#include <optional>
#include <string>
#include <vector>

#include "json_run.hpp"
#include "json_text.hpp"
#include "kernmix/study.hpp"

namespace kernmix::documents {

/// Facts about a study besides its numbers.
struct AutoFacts {
  RunFacts run;
  std::vector<std::string> searched;   ///< names of the data files in the search
  std::vector<std::string> evaluated;  ///< names of the data files in the evaluation
};

struct AutoJson {
  Json run;
  Json search;
  std::optional<Json> held_out;  ///< if there is an estimate
  std::string held_out_text;     ///< the same as text

  /// The page that shows all of it.
  [[nodiscard]] std::string page() const;
};

/// By what the estimate is: "nested cross-validation, 5 folds".
[[nodiscard]] std::string estimate_text(const AutoResult& study);

[[nodiscard]] AutoJson auto_json(const AutoResult& study, const Dataset& data,
                                 const Context& context, const AutoFacts& facts);

}  // namespace kernmix::documents
