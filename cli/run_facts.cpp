#include "run_facts.hpp"

#include "tasks.hpp"

namespace kernmix::cli {

RunFacts run_facts(const TrainArguments& a, const Dataset& data, const Model& model,
                   const std::string& checksum) {
  RunFacts facts;
  facts.files = a.data.files;
  for (const auto* matrices : {&a.data.grams, &a.data.distances}) {
    facts.files.insert(facts.files.end(), matrices->begin(), matrices->end());
  }
  facts.label = a.data.label;
  facts.id = a.data.id;
  facts.sample_weight = a.sample_weight;
  facts.model_file = a.output;
  facts.unmatched = data.table.unmatched;
  facts.model_checksum = checksum;
  facts.samples_per_name = samples_per_name(model, data.table);
  return facts;
}

}  // namespace kernmix::cli
