#include "inspect_arrays.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "data/arrays/array_file.hpp"
#include "data/arrays/array_place.hpp"
#include "kernmix/version.hpp"
#include "layout.hpp"

namespace kernmix::cli {

using namespace documents;

bool is_file_of_arrays(const std::string& file) { return holds_arrays(file_place(file).file); }

Findings inspect_arrays(const std::string& file, const Context& context) {
  const FilePlace place = file_place(file);
  const std::shared_ptr<const ArrayFile> stored = open_arrays(place.file, context);
  const StoredArray* const asked =
      place.place.empty() ? nullptr : &require_array(*stored, place.place);
  std::vector<Row> rows = {{"array", "shape", "type", "remark"}};
  Json arrays = Json::array();
  for (const StoredArray& array : stored->arrays()) {
    const bool outside =
        asked != nullptr && &array != asked && !array.path.starts_with(asked->path + "/");
    if (outside) continue;
    const bool group = array.content == ArrayContent::group;
    rows.push_back({array.path, group ? "" : shape_text(array.shape), array.type, array.refusal});
    Json entry = {{"path", array.path}, {"shape", array.shape}, {"type", array.type}};
    if (!array.refusal.empty()) entry["refusal"] = array.refusal;
    arrays.push_back(std::move(entry));
  }
  return {"file  " + stored->path() + ": arrays; name one as FILE:ARRAY\n\n" + aligned(rows, true),
          Json{{"version", KERNMIX_VERSION},
               {"command", "inspect"},
               {"kind", "arrays"},
               {"file", file},
               {"arrays", std::move(arrays)}}};
}

}  // namespace kernmix::cli
