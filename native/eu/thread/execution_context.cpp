#include "eu/thread/execution_context.hpp"

#include <bit>
#include <cfenv>


namespace xesim::eu {

namespace {

constexpr int kHostRounding[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

}  // namespace

ExecutionContext::ExecutionContext(Platform the_platform, ThreadState& the_thread,
                                   ThreadEnvironment& the_environment, CodeCache& the_code,
                                   Observer* the_observer)
    : platform(the_platform),
      thread(the_thread),
      environment(the_environment),
      code(the_code),
      observer(the_observer),
      grf_bytes(eu::grf_bytes(the_platform)),
      enabled(the_thread.enabled_channels()),
      dispatched(the_thread.state[2]) {
  refresh_waiting_filter();
  apply_control_register();
}

void ExecutionContext::enable_arrived() {
  for (std::uint32_t rest = waiting(); rest != 0; rest &= rest - 1) {
    const int channel = std::countr_zero(rest);
    if (thread.channel_ip[channel] == thread.ip) enabled |= 1u << channel;
  }
  refresh_waiting_filter();
}

void ExecutionContext::send_channels_to(std::uint32_t channels, std::uint32_t ip) {
  for (std::uint32_t rest = channels; rest != 0; rest &= rest - 1) {
    thread.channel_ip[std::countr_zero(rest)] = ip;
  }
  enabled &= ~channels;
  refresh_waiting_filter();
}

void ExecutionContext::jump(std::uint32_t ip) {
  thread.ip = ip;
  if (may_wait_at(ip)) enable_arrived();
}

void ExecutionContext::refresh_waiting_filter() {
  waiting_filter = 0;
  for (std::uint32_t rest = waiting(); rest != 0; rest &= rest - 1) {
    waiting_filter |= std::uint64_t{1} << (thread.channel_ip[std::countr_zero(rest)] >> 3 & 63);
  }
}

void ExecutionContext::apply_control_register() {
  const std::uint32_t control = thread.control[0];
  // Code that was not optimised writes cr0.0 often, mostly for the denormals.
  if (const int rounding = kHostRounding[control >> cr0::kRoundingShift & 3];
      rounding != host_rounding) {
    std::fesetround(rounding);
    host_rounding = rounding;
  }
  flush_denormals_f64 = (control & cr0::kDenormF64) == 0;
  flush_denormals_f32 = (control & cr0::kDenormF32) == 0;
  flush_denormals_f16 = (control & cr0::kDenormF16) == 0;
  rounded_integers = (control & cr0::kRoundedIntegers) != 0;
  register_count = (control & cr0::kLargeGrf) != 0 ? 256 : 128;
}

void ExecutionContext::synchronise() {
  for (std::uint32_t rest = enabled; rest != 0; rest &= rest - 1) {
    thread.channel_ip[std::countr_zero(rest)] = thread.ip;
  }
  thread.instructions_executed += instructions - synchronised_instructions;
  synchronised_instructions = instructions;
}

}  // namespace xesim::eu
