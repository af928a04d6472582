// Messages to the sampler.
#pragma once

#include <string>

#include "eu/messages/context.hpp"

namespace xesim::eu {

// As the other messages: nothing has been written unless the outcome is Done.
[[nodiscard]] MessageResult execute_sampler_message(const MessageContext& context);

// "smpl sample_lz with sampler 0", for reports.
[[nodiscard]] std::string sampler_message_name(const SendDescriptors& send);

}  // namespace xesim::eu
