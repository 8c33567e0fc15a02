#include "json_file.hpp"
#include "report/report.hpp"
#include "survive.hpp"

/// A result that is read can be shown.
KERNMIX_FUZZ {
  const nlohmann::json document = kernmix::cli::parse_json(text, "input");
  kernmix::fuzz::expect(!kernmix::render_report(document, {}).empty());
}
