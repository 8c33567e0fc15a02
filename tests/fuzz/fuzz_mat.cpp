#include "data/mat/mat.hpp"
#include "survive.hpp"

using namespace kernmix;

KERNMIX_FUZZ {
  Context context;
  context.memory_bytes = std::size_t{1} << 26;
  const auto file = parse_mat(text, "input.mat", context);
  for (const StoredArray& array : file->arrays()) {
    if (array.content == ArrayContent::numbers) (void)file->numbers(array, context);
    if (array.content == ArrayContent::texts) (void)file->texts(array, context);
  }
}
