#pragma once
/// \file
/// For programs: what the machine and its limits leave to this process, what it took, and its BLAS.
/// The library itself asks none of this.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace kernmix {

/// 80 % of the memory that is available now, limits of control groups and of the address space
/// (`ulimit -v`) included; 0 where nobody knows. \param threads  that will call BLAS
[[nodiscard]] std::size_t default_memory_budget(int threads);

/// What the memory limits of the control groups in `membership` (/proc/self/cgroup) leave, the
/// least of each group and those around it. \param root  where the groups are mounted
[[nodiscard]] std::optional<std::size_t> control_group_memory(const std::filesystem::path& root,
                                                              const std::string& membership);

/// The threads that can have a buffer of BLAS in the address space that `ulimit -v` allows; a BLAS
/// that finds no room for one tries again for ever. At most 4096.
[[nodiscard]] int threads_in_address_space();

/// Why not even the threads that BLAS starts when it is loaded fit; empty where they do.
[[nodiscard]] std::string address_space_refusal();

/// Largest resident size of this process so far.
[[nodiscard]] std::size_t peak_memory_bytes();

/// OpenBLAS takes its oldest kernels for a processor that it does not know: it is then told which
/// instructions there are, unless OPENBLAS_CORETYPE says already. Before any BLAS; another BLAS is
/// left alone.
void use_blas_kernels_of_processor();

}  // namespace kernmix
