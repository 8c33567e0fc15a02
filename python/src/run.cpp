#include "run.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <thread>

#include "kernmix/error.hpp"
#include "kernmix/process.hpp"

namespace kernmix::python {
namespace {

constexpr auto kBetweenLooks = std::chrono::milliseconds(50);
constexpr double kLongest = 1e9;  // seconds, thirty years

/// The thread that ends the interpreter, and has the GIL until the process is over.
std::atomic<std::thread::id> last_thread = std::thread::id();

bool on_main_thread() {
  const nb::module_ threading = nb::module_::import_("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

std::optional<std::chrono::steady_clock::time_point> deadline(std::optional<double> seconds) {
  if (!seconds) return std::nullopt;
  if (!(*seconds >= 0.0)) {
    throw ParameterError("time_limit must be >= 0 seconds, got " + std::to_string(*seconds));
  }
  if (*seconds > kLongest) return std::nullopt;
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(
             std::chrono::duration<double>(*seconds));
}

}  // namespace

void know_the_last_thread() {
  const nb::module_ atexit = nb::module_::import_("atexit");
  atexit.attr("register")(nb::cpp_function([] { last_thread = std::this_thread::get_id(); }));
}

void rest_until_exit() noexcept {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

WithGil::WithGil() {
  const bool ended = Py_IsInitialized() == 0;
  if (ended && last_thread.load() != std::this_thread::get_id()) rest_until_exit();
  state_ = while_python_lives([] { return PyGILState_Ensure(); });
}

WithGil::~WithGil() { PyGILState_Release(state_); }

WithoutGil::~WithoutGil() {
  while_python_lives([&] { PyEval_RestoreThread(thread_); });
}

Run::Run(Resources resources) : resources_(std::move(resources)) {
  constexpr int most_threads = 4096;
  const int threads = resources_.threads;
  if (threads < 1 || threads > most_threads) {
    throw ParameterError("threads must be in 1 .. 4096, got " + std::to_string(threads));
  }
  context_.threads = threads;
  context_.memory_bytes = resources_.memory ? *resources_.memory : default_memory_budget(threads);
  context_.seed = resources_.seed;
  context_.deadline = deadline(resources_.time_limit);
  context_.cancelled = &cancelled_;
  context_.abandoned = &abandoned_;
  if (!resources_.progress.is_none()) {
    context_.progress = [this](const Progress& moment) {
      call_back([&] {
        const nb::object go_on =
            resources_.progress(nb::str(moment.stage.data(), moment.stage.size()), moment.done,
                                moment.total, moment.relative_gap);
        if (go_on.is(nb::handle(Py_False))) cancelled_ = true;
      });
    };
  }
  if (!resources_.log.is_none()) {
    context_.log = [this](std::string_view message) {
      call_back([&] { resources_.log(nb::str(message.data(), message.size())); });
    };
  }
}

void Run::call_back(const std::function<void()>& callback) {
  const std::lock_guard one(
      one_at_a_time_);  // before the GIL, which a callback may give up for a while
  const WithGil gil;
  if (raised_) return;
  try {
    while_python_lives(callback);
  } catch (nb::python_error&) {
    raised_ = std::current_exception();
    abandoned_ = true;
  }
}

void Run::look_for_signals() {
  const WithGil gil;
  if (raised_ || PyErr_CheckSignals() == 0) return;
  raised_ = std::make_exception_ptr(nb::python_error());
  abandoned_ = true;
}

void Run::without_gil(const std::function<void()>& work) {
  const bool main_thread = while_python_lives(on_main_thread);
  const WithoutGil released;
  if (!main_thread) return work();
  std::packaged_task<void()> task(work);
  std::future<void> done = task.get_future();
  std::thread worker(std::move(task));
  while (done.wait_for(kBetweenLooks) != std::future_status::ready) look_for_signals();
  worker.join();
  done.get();
}

void Run::operator()(const std::function<void()>& work) {
  try {
    without_gil(work);
  } catch (const Error&) {
    rethrow();  // the library says only that it was stopped
    throw;
  }
}

void Run::rethrow() const {
  if (raised_) std::rethrow_exception(raised_);
}

}  // namespace kernmix::python
