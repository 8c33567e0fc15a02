#include "data/npy/npy.hpp"
#include "survive.hpp"

using namespace kernmix;

KERNMIX_FUZZ {
  std::vector<Index> shape;
  const Vector values = parse_npy(text, "input", shape);
  std::size_t count = 1;
  for (const Index extent : shape) count *= static_cast<std::size_t>(extent);
  fuzz::expect(values.size() == count);
}
