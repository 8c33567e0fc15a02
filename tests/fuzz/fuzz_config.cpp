#include "command.hpp"
#include "config.hpp"
#include "survive.hpp"

using namespace kernmix;

/// A command with an option of each kind.
KERNMIX_FUZZ {
  CLI::App root("tool");
  CLI::App& train = cli::add_command(root, {.name = "train", .purpose = "Trains."});
  cli::OptionGroup options(train, "Options");
  std::string label;
  std::string C = "1";
  std::vector<std::string> kernels;
  std::vector<std::string> ids;
  bool quiet = false;
  options.value("--label", label, "COLUMN", "a text");
  options.value("-C,--cost", C, "NUMBER", "a number");
  options.values("--kernel", kernels, "EXPRESSION", "texts, one each time");
  options.list("--id", ids, "COLUMN", "texts");
  options.toggle("--quiet", quiet, "yes or no");
  root.parse("train");
  cli::apply_config_text(train, text, "input");
}
