// Operands of native instruction words.
#pragma once

#include "eu/isa/bit_field.hpp"
#include "eu/isa/instruction.hpp"
#include "eu/isa/tables.hpp"

namespace xesim::eu {

// Decodes the operands of one word. What makes no sense sets a reason; the operand that
// comes back must not be used then.
class OperandDecoder {
 public:
  OperandDecoder(const Encoding& encoding, const OperandTypes& types, const Word& word)
      : encoding_(encoding), types_(types), word_(word) {}

  // Operands of instructions with one or two sources.
  Operand destination(const DestinationLayout& layout);
  Operand source(const SourceLayout& layout);

  // Operands of instructions with three sources.
  Operand ternary_destination(const DestinationLayout& layout);
  Operand ternary_source(const SourceLayout& layout);

  // Operands of dpas: whole registers. The sources that are multiplied cannot be null, and their
  // elements may be narrower than bytes.
  Operand systolic_sum(const DestinationLayout& layout);
  Operand systolic_sum(const SourceLayout& layout);
  Operand systolic_factor(const SourceLayout& layout);
  std::uint8_t element_bits(const Operand& multiplied, const Field& precision);

  // Operands of branches: one dword (two for a call).
  Operand scalar_dword(const DestinationLayout& layout);
  Operand scalar_dword(const SourceLayout& layout);

  // Operand of sync: an architecture register, up to 32 bits, or one bit for each token.
  Operand sync_register(const SourceLayout& layout);
  Operand sync_immediate(const SourceLayout& layout);
  Operand sync_tokens(const SourceLayout& layout);

  // Operand of a send: whole registers.
  Operand payload(const Field& file, const Field& register_number);

  // Turns the sub-register of a math macro's operand into its mme number.
  void as_math_macro(Operand& operand, const Field& math_macro);

  // Whether a source was a 64-bit immediate.
  [[nodiscard]] bool has_immediate64() const { return has_immediate64_; }

  // Why the word is invalid; a string literal, or null.
  [[nodiscard]] const char* reason() const { return reason_; }

 private:
  [[nodiscard]] std::uint64_t get(const Field& field) const { return extract(word_, field); }
  [[nodiscard]] bool flag(const Field& field) const { return get(field) != 0; }
  void reject(const char* reason) {
    if (reason_ == nullptr) reason_ = reason;
  }

  DataType type_in(const TypeTable& types, const Field& field, const char* reason);
  DataType type_of(const DestinationLayout& layout);
  DataType type_of(const SourceLayout& layout);
  // The register and its file.
  Operand whole_register(const Field& file, const Field& register_number);
  // The register, its file and its byte offset; neither type nor region. `Layout` is
  // DestinationLayout or SourceLayout.
  template <class Layout>
  Operand named_register(const Layout& layout);
  template <class Layout>
  Operand indirect_register(const Layout& layout);
  Operand systolic_source(const SourceLayout& layout, const TypeTable& types);
  void immediate(Operand& operand, const SourceLayout& layout);
  void ternary_immediate(Operand& operand, const SourceLayout& layout);
  void region(Operand& operand, const SourceLayout& layout);
  void ternary_region(Operand& operand, const SourceLayout& layout);

  const Encoding& encoding_;
  const OperandTypes& types_;
  const Word& word_;
  const char* reason_ = nullptr;
  bool has_immediate64_ = false;
};

}  // namespace xesim::eu
