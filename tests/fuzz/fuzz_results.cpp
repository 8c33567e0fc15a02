#include "json_file.hpp"
#include "report/report.hpp"
#include "survive.hpp"

/// [run, evaluation, stability, search]: results that stand beside each other in a report.
KERNMIX_FUZZ {
  const nlohmann::json all = kernmix::cli::parse_json(text, "input");
  if (!all.is_array() || all.size() != 4) return;
  kernmix::fuzz::expect(!kernmix::render_report(all[0], {all[1]}, {{all[2]}, {all[3]}}).empty());
}
