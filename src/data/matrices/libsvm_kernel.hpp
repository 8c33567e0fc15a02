#pragma once
/// \file
/// Precomputed kernels in LIBSVM's form, where a table is expected.

#include <optional>
#include <string>
#include <string_view>

#include "kernmix/context.hpp"

namespace kernmix {

struct LibsvmKernelFile {
  bool labelled = false;  ///< the lines begin with labels
  bool ordered = false;   ///< line i has the number i, and there are as many lines as columns
};

/// A file whose lines all have the entries 0:i, 1:., ..., L:. with whole numbers i; nullopt if
/// these may be features counted from 0. They number samples if
/// - they are in 1, ..., L, and lines with the same number are the same;
/// - or they count 1, 2, ..., once or anew after every L lines;
/// - or all are 0, which a sparse file of features would leave out.
/// \throws ResourceError
[[nodiscard]] std::optional<LibsvmKernelFile> find_libsvm_kernel(std::string_view text,
                                                                 const std::string& path,
                                                                 const Context& context);

/// Why the file is no table, and the commands that train with it.
[[nodiscard]] std::string refusal_of_kernel(const LibsvmKernelFile& kernel,
                                            const std::string& path);

}  // namespace kernmix
