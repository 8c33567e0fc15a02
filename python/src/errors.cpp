#include "errors.hpp"

#include <nanobind/stl/string.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "kernmix/error.hpp"

namespace kernmix::python {
namespace {

namespace nb = nanobind;

/// Of the three kinds, by their number; they live as long as the interpreter.
using ErrorTypes = std::array<PyObject*, 5>;

void raise(PyObject* type, std::string_view sentence) {
  // Names of files may be anything.
  PyObject* const text =
      PyUnicode_DecodeUTF8(sentence.data(), static_cast<Py_ssize_t>(sentence.size()), "replace");
  if (text == nullptr) return;
  PyErr_SetObject(type, text);
  Py_DECREF(text);
}

/// Options of the command line that sentences of the library name, as the arguments of a call.
std::string in_words_of_python(std::string sentence) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> words = {
      {{"--memory", "memory"},
       {"--landmarks", "landmarks"},
       {"--assume-psd", "assume_psd"},
       {"--repair ", "repair="},
       {"--distance instead of --gram", "GramStack(..., kind=\"distance\")"},
       {"--gram instead of --distance", "GramStack(..., kind=\"gram\")"}}};
  for (const auto& [option, argument] : words) {
    if (const auto at = sentence.find(option); at != std::string::npos) {
      sentence.replace(at, option.size(), argument);
    }
  }
  return sentence;
}

/// Control characters of ASCII as escapes: a name of a file or a column cannot change the terminal.
std::string without_controls(std::string_view sentence) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string shown;
  for (const char c : sentence) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_control = (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f;
    if (is_control) {
      shown += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
    } else {
      shown += c;
    }
  }
  return shown;
}

void translate(const std::exception_ptr& failure, void* types) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    PyObject* const type =
        (*static_cast<const ErrorTypes*>(types))[static_cast<std::size_t>(error.kind())];
    raise(type, without_controls(in_words_of_python(error.what())));
  }
}

PyObject* add_type(nb::module_& module, const char* name, const char* doc, PyObject* base) {
  const std::string full_name = nb::cast<std::string>(module.attr("__name__")) + "." + name;
  PyObject* const type = PyErr_NewExceptionWithDoc(full_name.c_str(), doc, base, nullptr);
  if (type == nullptr) throw nb::python_error();
  module.attr(name) = nb::borrow(type);
  return type;
}

}  // namespace

void bind_errors(nb::module_& module) {
  static ErrorTypes types;
  types.fill(PyExc_RuntimeError);
  const auto add = [&](ErrorKind kind, const char* name, const char* doc, PyObject* base) {
    types[static_cast<std::size_t>(kind)] = add_type(module, name, doc, base);
  };
  add(ErrorKind::parameter, "ParameterError",
      "A parameter outside its range, an unknown name, or parts that do not fit together.",
      PyExc_ValueError);
  add(ErrorKind::data, "DataError", "Data that cannot be used as it is.", PyExc_ValueError);
  add(ErrorKind::resource, "ResourceError", "Memory, disk, time or permissions do not suffice.",
      PyExc_MemoryError);
  nb::register_exception_translator(translate, &types);
}

}  // namespace kernmix::python
