#include "command.hpp"
#include "config.hpp"
#include "survive.hpp"

using namespace kernmix;

KERNMIX_FUZZ {
  CLI::App root("tool");
  const cli::Command train = cli::make_train(root);
  root.parse("train");
  cli::apply_config_text(*train.app, text, "input");
}
