#include "driver/spirv_constants.hpp"

#include <cstdint>
#include <cstring>
#include <unordered_map>

namespace xesim::driver {

namespace {

// SPIR-V specification: 2.3 (physical layout), 3.20 (decorations), 3.52 (instructions).
constexpr std::uint32_t kMagic = 0x0723'0203;
constexpr std::size_t kHeaderWords = 5;
constexpr std::uint32_t kSpecIdDecoration = 1;
enum class Opcode : std::uint16_t {
  TypeInt = 21,
  TypeFloat = 22,
  SpecConstantTrue = 48,
  SpecConstantFalse = 49,
  SpecConstant = 50,
  Decorate = 71,
};

struct ScalarType {
  std::uint32_t bits = 32;
  bool is_signed = false;
};

// The words of a constant of `type` with the value at `value`: narrow ones fill their word.
void write_literal(std::span<std::uint32_t> words, ScalarType type, const void* value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, value, type.bits / 8);
  if (type.is_signed && type.bits < 32) {
    const std::uint32_t shift = 64 - type.bits;
    bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << shift) >> shift);
  }
  for (std::size_t index = 0; index < words.size() && index < 2; ++index) {
    words[index] = static_cast<std::uint32_t>(bits >> (32 * index));
  }
}

}  // namespace

std::variant<std::vector<std::byte>, std::string> specialize_spirv(
    std::span<const std::byte> spirv, const ze_module_constants_t& constants) {
  std::vector<std::uint32_t> words(spirv.size() / sizeof(std::uint32_t));
  if (!words.empty()) {
    std::memcpy(words.data(), spirv.data(), words.size() * sizeof(std::uint32_t));
  }
  if (words.size() < kHeaderWords || words[0] != kMagic) {
    return std::string("specialization constants for what is no SPIR-V in this byte order");
  }
  std::unordered_map<std::uint32_t, const void*> values;  // by the constants' SpecId
  for (std::uint32_t index = 0; index < constants.numConstants; ++index) {
    values[constants.pConstantIds[index]] = constants.pConstantValues[index];
  }
  std::unordered_map<std::uint32_t, std::uint32_t> spec_ids;  // by result id
  std::unordered_map<std::uint32_t, ScalarType> types;        // by result id
  // Decorations and types come before the constants that use them (2.4, logical layout).
  for (std::size_t at = kHeaderWords; at < words.size();) {
    const std::size_t length = words[at] >> 16U;
    if (length == 0 || at + length > words.size()) {
      return "damaged SPIR-V: an instruction of " + std::to_string(length) + " words at word " +
             std::to_string(at);
    }
    const std::span<std::uint32_t> instruction(&words[at], length);
    at += length;
    const auto opcode = static_cast<Opcode>(instruction[0] & 0xFFFFU);
    if (opcode == Opcode::Decorate && length == 4 && instruction[2] == kSpecIdDecoration) {
      spec_ids[instruction[1]] = instruction[3];
    } else if (opcode == Opcode::TypeInt && length == 4 && instruction[2] <= 64) {
      types[instruction[1]] = {instruction[2], instruction[3] != 0};
    } else if (opcode == Opcode::TypeFloat && length >= 3 && instruction[2] <= 64) {
      types[instruction[1]] = {instruction[2], false};
    }
    const bool is_truth =
        opcode == Opcode::SpecConstantTrue || opcode == Opcode::SpecConstantFalse;
    if (length < 3 || (!is_truth && opcode != Opcode::SpecConstant)) {
      continue;
    }
    const auto id = spec_ids.find(instruction[2]);
    const auto value = id == spec_ids.end() ? values.end() : values.find(id->second);
    if (value == values.end() || value->second == nullptr) {
      continue;
    }
    if (is_truth) {
      const bool set = *static_cast<const std::uint8_t*>(value->second) != 0;
      const Opcode chosen = set ? Opcode::SpecConstantTrue : Opcode::SpecConstantFalse;
      instruction[0] = (instruction[0] & 0xFFFF'0000U) | static_cast<std::uint32_t>(chosen);
    } else {
      write_literal(instruction.subspan(3), types[instruction[1]], value->second);
    }
  }
  const auto bytes = std::as_bytes(std::span(words));
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

}  // namespace xesim::driver
