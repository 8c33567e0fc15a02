#pragma once
/// \file
/// For programs: resources available to this process, and resources used.
/// The library itself does not call these functions.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace kernmix {

/// 80 % of the memory that is available now, limits of control groups and of the address space
/// (`ulimit -v`) included; 0 if unknown. \param threads  that will call BLAS
[[nodiscard]] std::size_t default_memory_budget(int threads);

/// Memory that the control groups in `membership` (/proc/self/cgroup) leave, the
/// minimum over each group and its parents. \param root  mount point of the groups
[[nodiscard]] std::optional<std::size_t> control_group_memory(const std::filesystem::path& root,
                                                              const std::string& membership);

/// The number of threads whose BLAS buffers fit into the address space that `ulimit -v` allows;
/// without room for a buffer, OpenBLAS retries forever. At most 4096.
[[nodiscard]] int threads_in_address_space();

/// An error message if not even the initial threads of BLAS fit; otherwise empty.
[[nodiscard]] std::string address_space_refusal();

/// Largest resident size of this process so far.
[[nodiscard]] std::size_t peak_memory_bytes();

}  // namespace kernmix
