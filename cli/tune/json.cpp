#include "search_json.hpp"
#include "tune/findings.hpp"

namespace kernmix::cli {

Json tune_json(const TuneArguments& asked, const Tuned& tuned) {
  return search_json({tuned.method.candidates, tuned.folds, tuned.score, tuned.choice, tuned.search,
                      tuned.nested, tuned.expected, tuned.remarks, input_files(asked.train.data),
                      asked.train.output});
}

}  // namespace kernmix::cli
