/// \file
/// kernmix, the command line tool: finds the command, runs it, turns failures into exit codes.

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "base/blas_threads.hpp"
#include "command.hpp"
#include "command_files.hpp"
#include "config.hpp"
#include "kernmix/error.hpp"
#include "kernmix/process.hpp"
#include "kernmix/version.hpp"
#include "options.hpp"
#include "output.hpp"
#include "signals.hpp"

namespace {

using kernmix::ErrorKind;
using namespace kernmix::cli;

constexpr const char* kFooter =
    "Examples:\n"
    "  kernmix train train.csv --label y -o model.kmx --json run.json\n"
    "  kernmix evaluate model.kmx test.csv --label y --json evaluation.json\n"
    "  kernmix report run.json --evaluation evaluation.json -o report.html\n\n"
    "Results go to standard output and files, messages to standard error.\n"
    "Exit codes: 0 success; 1 internal error; 2 usage or parameters; 3 data; 4 no result because "
    "of\n"
    "memory, disk, permission to write or time; 5 stopped before the tolerance was reached, and "
    "the best\n"
    "certified answer was written.\n"
    "Each command has its own help, such as kernmix train --help; kernmix list shows kernels, "
    "losses,\nregularizers and solvers. Manual: the folder docs of the source code.";

std::vector<Command> make_commands(CLI::App& root) {
  return {make_auto(root),      make_train(root),     make_predict(root), make_evaluate(root),
          make_explain(root),   make_verify(root),    make_cv(root),      make_tune(root),
          make_stability(root), make_compare(root),   make_inspect(root), make_list(root),
          make_report(root),    make_completion(root)};
}

int run(int argc, char** argv) {
  CLI::App root(
      "Certified multiple kernel learning: one predictor from several views of the same "
      "samples,\nwith learned kernel weights and a proven bound on how far the objective is from "
      "the optimum.",
      "kernmix");
  root.footer(kFooter);
  root.set_version_flag("--version", "kernmix " KERNMIX_VERSION, "Show the version and exit");
  root.get_help_ptr()->description("Show this help and exit");
  const std::vector<Command> commands = make_commands(root);
  if (parse_command_line(root, argc, argv)) return kDone;
  for (const Command& command : commands) {
    if (!command.app->parsed()) continue;
    if (command.config != nullptr && !command.config->empty()) {
      apply_config(*command.app, *command.config, limits_of(*command.app));
    }
    const CommandFiles files = files_of(*command.app);
    check_outputs(files.outputs, files.inputs);
    return command.run();
  }
  return static_cast<int>(ErrorKind::internal);
}

int fail(ErrorKind kind, const std::string& sentence) {
  write_message(fmt::format("kernmix: {}\n", sentence));
  return static_cast<int>(kind);
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_streams();
  allow_many_files();
  // Before any use of BLAS, and without stopping its threads, which would wait for memory forever.
  if (const std::string refusal = kernmix::address_space_refusal(); !refusal.empty()) {
    _exit(fail(ErrorKind::resource, refusal));
  }
  install_signal_handlers();
  kernmix::end_blas_threads();
  try {
    return run(argc, argv);
  } catch (const ClosedPipe&) {
    return kDone;
  } catch (const kernmix::Error& error) {
    const bool internal = error.kind() == ErrorKind::internal;
    return fail(error.kind(),
                internal ? fmt::format("internal error: {}; please report it", error.what())
                         : with_option_names(error.what()));
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::resource,
                "memory ran out; use less data or fewer kernels, or set --memory to see the "
                "required memory");
  } catch (const std::exception& error) {
    return fail(ErrorKind::internal,
                fmt::format("internal error: {}; please report it", error.what()));
  }
}
