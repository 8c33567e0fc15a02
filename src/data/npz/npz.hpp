#pragma once
/// \file
/// NumPy's .npz archives: several .npy files in a ZIP archive, also those of scipy.sparse.save_npz.

#include <memory>
#include <string>

#include "data/arrays/array_file.hpp"

namespace kernmix {

[[nodiscard]] std::shared_ptr<const ArrayFile> open_npz(const std::string& path,
                                                        const Context& context);

/// The archive in `bytes`. \param path only for messages
[[nodiscard]] std::shared_ptr<const ArrayFile> parse_npz(std::string bytes, const std::string& path,
                                                         const Context& context);

}  // namespace kernmix
