#include "compare/experiment.hpp"
#include "survive.hpp"

/// An experiment is refused before its data is read, or because there is no such data.
KERNMIX_FUZZ {
  kernmix::Context context;
  context.memory_bytes = std::size_t{1} << 24;
  const kernmix::cli::TomlText experiment{"/nowhere/experiment.toml", text};
  kernmix::fuzz::expect(!kernmix::cli::files_of_experiment(experiment, {}).empty());
  (void)kernmix::cli::read_experiment(experiment, "", context);
}
