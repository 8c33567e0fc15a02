#pragma once
/// \file
/// A call into the library: without the GIL, with Ctrl-C, limits and callbacks.

#include <cxxabi.h>
#include <nanobind/nanobind.h>

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>

#include "kernmix/context.hpp"

namespace kernmix::python {

namespace nb = nanobind;

/// Has Python tell which thread ends it: objects of modules are destroyed there, when the
/// interpreter counts as ended already.
void know_the_last_thread();

/// Sleeps until the process is over.
[[noreturn]] void rest_until_exit() noexcept;

/// f(), which may need the GIL. Once the interpreter ends, Python ends every other thread that asks
/// for the GIL, by unwinding its stack (before 3.14). Frames of C++ that let nothing pass would
/// abort the process: a thread that is ended in f stops here instead.
template <typename F>
auto while_python_lives(const F& f) {
  try {
    return f();
  } catch (const abi::__forced_unwind&) {
    rest_until_exit();
  }
}

/// Holds the GIL. Once the interpreter has ended, only the thread that ended it does, and any other
/// rests.
class WithGil {
 public:
  WithGil();
  ~WithGil();
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;

 private:
  PyGILState_STATE state_;
};

/// Gives up the GIL, which the destructor takes again.
class WithoutGil {
 public:
  WithoutGil() : thread_(PyEval_SaveThread()) {}
  ~WithoutGil();
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* thread_;
};

/// What a call may use and whom it tells, as Python says it.
struct Resources {
  int threads = 1;
  std::optional<std::size_t> memory = {};  ///< bytes; 0: no limit; none: 80 % of what is available
  std::optional<double> time_limit = {};   ///< seconds
  std::uint64_t seed = 0;
  nb::object progress = nb::none();
  nb::object log = nb::none();
};

/// One call. Where it is made on Python's main thread, which alone may look for signals, the work
/// is done on a thread of its own and the main thread looks twenty times a second.
class Run {
 public:
  /// \throws ParameterError for a time limit or a number of threads out of range
  explicit Run(Resources resources);
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  [[nodiscard]] const Context& context() const { return context_; }

  /// work() without the GIL. What it throws is thrown here, unless it ends because something else
  /// was raised.
  void operator()(const std::function<void()>& work);

  /// Calls back with the GIL, one thread at a time; nothing any more once something was raised.
  void call_back(const std::function<void()>& callback);

  /// Throws what a callback or a signal handler raised, if one did.
  void rethrow() const;

 private:
  /// Runs Python's signal handlers.
  void look_for_signals();
  void without_gil(const std::function<void()>& work);

  Resources resources_;
  Context context_;
  std::atomic<bool> cancelled_ = false;  ///< by a callback that wants the best answer so far
  std::atomic<bool> abandoned_ = false;  ///< something was raised
  std::mutex one_at_a_time_;
  std::exception_ptr raised_;  ///< a nb::python_error; written and read with the GIL
};

}  // namespace kernmix::python
