#include "data/arrays/array_place.hpp"

#include <filesystem>
#include <system_error>

#include "data/arrays/array_file.hpp"

namespace kernmix {

namespace fs = std::filesystem;

FilePlace file_place(const std::string& specification) {
  std::error_code failure;
  FilePlace result;
  result.file = specification;
  const std::size_t equals = specification.find('=');
  if (equals != std::string::npos && equals > 0 && !fs::exists(specification, failure)) {
    result.named = true;
    result.name = specification.substr(0, equals);
    result.file = specification.substr(equals + 1);
  }
  for (std::size_t colon = result.file.rfind(':');
       colon != std::string::npos && colon > 0 && !fs::exists(result.file, failure);
       colon = result.file.rfind(':', colon - 1)) {
    if (!holds_arrays(result.file.substr(0, colon))) continue;
    result.place = result.file.substr(colon + 1);
    result.file.resize(colon);
  }
  if (result.named) return result;
  const std::string last = result.place.substr(result.place.rfind('/') + 1);
  result.name = last.empty() ? fs::path(result.file).stem().string() : last;
  return result;
}

}  // namespace kernmix
