#pragma once
/// \file
/// A study as files: JSON (docs/reference/results.md) and one HTML page. These functions are in the
/// library kernmix::report, a separate target from kernmix::kernmix.

#include <string>
#include <vector>

#include "kernmix/study.hpp"

namespace kernmix {

/// Facts about a study besides its numbers; everything may be empty.
struct DocumentFacts {
  std::string model_file = "model.kmx";  ///< name of the model in the documents
  std::vector<std::string> files = {};   ///< of the samples; their checksums are in the documents
  std::string label = {};                ///< the column with the labels
  std::string sample_weight = {};        ///< the column with the sample weights
  std::vector<std::string> log = {};     ///< messages that Context::log received
  double seconds = 0.0;                  ///< of the whole study
};

/// The JSON files that `kernmix auto` writes next to the model.
struct AutoDocuments {
  std::string run;       ///< run.json
  std::string search;    ///< tune.json
  std::string held_out;  ///< held_out.json; empty without an estimate
};

[[nodiscard]] AutoDocuments auto_documents(const AutoResult& study, const Dataset& data,
                                           const Context& context, const DocumentFacts& facts = {});

/// The page that shows them, report.html: one file that loads nothing.
/// \throws DataError for invalid documents
[[nodiscard]] std::string report_page(const AutoDocuments& documents);

}  // namespace kernmix
