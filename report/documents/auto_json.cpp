#include "auto_json.hpp"

#include <fmt/format.h>

#include "expected.hpp"
#include "json_evaluation.hpp"
#include "kernmix/documents.hpp"
#include "kernmix/error.hpp"
#include "report/report.hpp"
#include "search_json.hpp"
#include "tasks.hpp"

namespace kernmix::documents {
namespace {

Json subsample_json(const Subsample& of) {
  return {
      {"n_samples", of.samples}, {"n_all", of.all}, {"n_estimate", of.tested}, {"seed", of.seed}};
}

void add_held_out(const AutoResult& study, const Dataset& data, const AutoFacts& facts,
                  AutoJson& documents) {
  if (!study.expected) return;
  const std::vector<Fold> folds = outer_folds(study.nested_folds);
  const PooledPrediction all = *study.winners.pool(0, data, folds);
  const Findings findings = held_out_findings(all, folds, *study.expected);
  Json document = evaluation_json({facts.run.model_file, facts.run.model_checksum}, facts.evaluated,
                                  data.table, all.learned, findings.document);
  document["held_out"] = estimate_text(study);
  document["answer"] = study.answer;
  documents.held_out = std::move(document);
  documents.held_out_text = findings.text;
}

}  // namespace

std::string estimate_text(const AutoResult& study) {
  return study.subsample
             ? fmt::format("{} samples that took no part in the choice", study.subsample->tested)
             : fmt::format("nested cross-validation, {} folds", study.nested_folds.size());
}

std::string AutoJson::page() const {
  std::vector<nlohmann::json> evaluations;
  if (held_out) evaluations.emplace_back(*held_out);
  return render_report(nlohmann::json::array({run}), evaluations, {{}, {search}});
}

AutoJson auto_json(const AutoResult& study, const Dataset& data, const Context& context,
                   const AutoFacts& facts) {
  AutoJson documents;
  documents.run = run_json(study.trained, study.chosen, data, context, facts.run);
  documents.search = search_json({study.candidates, study.folds, study.score, Choice::best,
                                  study.search, study.nested, study.expected, study.remarks,
                                  facts.searched, facts.run.model_file});
  add_data_facts(data, documents.search);
  if (study.subsample) documents.search["subsample"] = subsample_json(*study.subsample);
  add_held_out(study, data, facts, documents);
  return documents;
}

}  // namespace kernmix::documents

namespace kernmix {

AutoDocuments auto_documents(const AutoResult& study, const Dataset& data, const Context& context,
                             const DocumentFacts& facts) {
  documents::AutoFacts known;
  known.run.model_file = facts.model_file;
  known.run.model_checksum = checksum_of_model(study.trained.model);
  known.run.samples_per_name = documents::samples_per_name(study.trained.model, data.table);
  known.run.unmatched = data.table.unmatched;
  known.run.files = known.searched = known.evaluated = facts.files;
  known.run.label = facts.label;
  known.run.sample_weight = facts.sample_weight;
  known.run.log = facts.log;
  known.run.total_seconds = facts.seconds;
  const documents::AutoJson made = documents::auto_json(study, data, context, known);
  return {documents::json_text(made.run), documents::json_text(made.search),
          made.held_out ? documents::json_text(*made.held_out) : std::string()};
}

std::string report_page(const AutoDocuments& written) {
  documents::AutoJson read;
  try {
    read.run = documents::Json::parse(written.run);
    read.search = documents::Json::parse(written.search);
    if (!written.held_out.empty()) read.held_out = documents::Json::parse(written.held_out);
  } catch (const documents::Json::exception&) {
    throw DataError("a document of a study is not JSON");
  }
  return read.page();
}

}  // namespace kernmix
