#include "solver/memory.hpp"

#include <fmt/format.h>

#include "kernmix/error.hpp"

namespace kernmix {

void require_room(const KernelBank& bank, std::size_t bytes, const std::string& what,
                  const Context& context) {
  if (context.memory_bytes == 0 || bank.bytes() + bytes <= context.memory_bytes) return;
  const auto mebibytes = [](std::size_t count) {
    return static_cast<double>(count) / (1024.0 * 1024.0);
  };
  throw ResourceError(fmt::format(
      "{}: {:.3g} MiB beside the {:.3g} MiB of the kernels, but {:.3g} MiB in all may be used "
      "(--memory)",
      what, mebibytes(bytes), mebibytes(bank.bytes()), mebibytes(context.memory_bytes)));
}

}  // namespace kernmix
