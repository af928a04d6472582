"""Reading expressions: the operators of C, with its precedence, and GDB's ``@``."""

from __future__ import annotations

from zedbg.dwarf.expressions.machine import SLM_ADDRESS_CLASS, MemorySpace
from zedbg.dwarf.types.program_types import ArrayType, PointerType, QualifiedType, Type
from zedbg.values.expressions import syntax
from zedbg.values.expressions.lexer import Token, tokenize
from zedbg.values.expressions.literals import (
    character_literal,
    float_literal,
    integer_literal,
    string_literal,
)
from zedbg.values.expressions.syntax import Expression
from zedbg.values.operands.math_functions import MATH_FUNCTIONS
from zedbg.values.operands.type_names import TypeNames
from zedbg.values.operands.vectors import as_vector
from zedbg.values.typed.evaluation_error import EvaluationError

# Binary operators by rising precedence; each level associates to the left.
_LEVELS: tuple[tuple[str, ...], ...] = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("@",),
    ("+", "-"),
    ("*", "/", "%"),
)
_ASSIGNMENTS = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
_UNARY = frozenset("-+!~*&")
_QUALIFIERS = frozenset({"const", "volatile", "restrict", "__const"})
# Address spaces that OpenCL C writes before types; pointers say themselves where they point.
_IGNORED = frozenset(
    {"global", "__global", "constant", "__constant", "private", "__private", "generic", "__generic"}
)
_LOCAL = frozenset({"local", "__local"})
# OpenCL C's functions of work-items, and the convenience variables with the same.
_WORK_FUNCTIONS = {
    "get_global_id": "_global_id",
    "get_local_id": "_local_id",
    "get_group_id": "_workgroup",
    "get_global_size": "_global_size",
    "get_local_size": "_local_size",
    "get_num_groups": "_num_groups",
}
# Private and constant memory have global addresses.
_SPACES = {
    "global": MemorySpace.GLOBAL,
    "slm": MemorySpace.SLM,
    "local": MemorySpace.SLM,
    "private": MemorySpace.GLOBAL,
    "constant": MemorySpace.GLOBAL,
}
_TAGGED = frozenset({"struct", "union", "enum", "class"})
_DEPTH_LIMIT = 100
_TERMS_LIMIT = 200


def parse(text: str, types: TypeNames) -> Expression:
    """The tree of the expression ``text``; EvaluationError when it is not one."""
    return _Parser(text, types).whole()


class _Parser:
    def __init__(self, text: str, types: TypeNames) -> None:
        self._text = text
        self._types = types
        self._tokens = tokenize(text)
        self._position = 0
        self._depth = 0

    def whole(self) -> Expression:
        if self._peek.kind == "end":
            raise EvaluationError("Argument required (expression to compute).")
        expression = self._sequence()
        if self._peek.kind != "end":
            raise self._error()
        return expression

    @property
    def _peek(self) -> Token:
        return self._tokens[self._position]

    def _next(self) -> Token:
        token = self._peek
        self._position += 1
        return token

    def _at(self, *operators: str) -> bool:
        return self._peek.kind == "operator" and self._peek.text in operators

    def _accept(self, operator: str) -> bool:
        if self._at(operator):
            self._position += 1
            return True
        return False

    def _expect(self, operator: str) -> None:
        if not self._accept(operator):
            raise self._error()

    def _error(self) -> EvaluationError:
        rest = self._text[self._peek.position :]
        return EvaluationError(f"A syntax error in expression, near `{rest}'.")

    def _sequence(self) -> Expression:
        found = self._assignment()
        terms = 1
        while self._accept(","):
            terms = self._counted(terms)
            found = syntax.Sequence(found, self._assignment())
        return found

    @staticmethod
    def _counted(terms: int) -> int:
        """One more than ``terms``, as each nests the tree; EvaluationError when they are many."""
        if terms >= _TERMS_LIMIT:
            raise EvaluationError("The expression is nested too deeply.")
        return terms + 1

    def _assignment(self) -> Expression:
        self._depth += 1
        if self._depth > _DEPTH_LIMIT:
            raise EvaluationError("The expression is nested too deeply.")
        left = self._conditional()
        if self._peek.kind == "operator" and self._peek.text in _ASSIGNMENTS:
            operator = self._next().text.removesuffix("=")
            left = syntax.Assignment(operator, left, self._assignment())
        self._depth -= 1
        return left

    def _conditional(self) -> Expression:
        condition = self._binary(0)
        if not self._accept("?"):
            return condition
        chosen = self._assignment()
        self._expect(":")
        self._depth += 1
        if self._depth > _DEPTH_LIMIT:
            raise EvaluationError("The expression is nested too deeply.")
        found = syntax.Conditional(condition, chosen, self._conditional())
        self._depth -= 1
        return found

    def _binary(self, level: int) -> Expression:
        if level == len(_LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        terms = 1
        while self._at(*_LEVELS[level]):
            terms = self._counted(terms)
            operator = self._next().text
            left = syntax.Binary(operator, left, self._binary(level + 1))
        return left

    def _unary(self) -> Expression:
        self._depth += 1
        if self._depth > _DEPTH_LIMIT:
            raise EvaluationError("The expression is nested too deeply.")
        try:
            if self._at("++", "--"):
                return syntax.Step(self._next().text[0], self._unary(), before=True)
            if self._peek.kind == "operator" and self._peek.text in _UNARY:
                return syntax.Unary(self._next().text, self._unary())
            if self._peek.kind == "name" and self._peek.text == "sizeof":
                self._next()
                return syntax.SizeOf(self._sizeof_operand())
            if self._at("("):
                cast = self._type_in_parentheses()
                if cast is not None:
                    return self._cast_to(cast)
            if self._at("{"):
                return self._braced_type()
            if self._accept("@"):
                return syntax.InSpace(self._space(), self._unary())
            return self._postfix()
        finally:
            self._depth -= 1

    def _cast_to(self, target: Type) -> Expression:
        """What is cast; after a vector's type the parts that it is made of."""
        if as_vector(target) is None or not self._accept("("):
            return syntax.Cast(target, self._unary())
        parts = [self._assignment()]
        while self._accept(","):
            parts.append(self._assignment())
        self._expect(")")
        return syntax.VectorLiteral(target, tuple(parts))

    def _sizeof_operand(self) -> Expression | Type:
        if self._at("("):
            found = self._type_in_parentheses()
            if found is not None:
                return found
        return self._unary()

    def _space(self) -> MemorySpace:
        """The name of a memory space after an ``@``."""
        name = self._next().text
        if name not in _SPACES:
            names = ", ".join(f"@{each}" for each in _SPACES)
            raise EvaluationError(f'No address space "@{name}": one of {names}.')
        return _SPACES[name]

    def _braced_type(self) -> Expression:
        """``{type} address``: what lies at an address."""
        self._expect("{")
        target = self._type()
        if target is None:
            raise self._error()
        self._expect("}")
        pointer = PointerType(8, target)
        return syntax.Unary("*", syntax.Cast(pointer, self._unary()))

    def _type_in_parentheses(self) -> Type | None:
        """A type between parentheses; None, with nothing read, when they hold something else."""
        start = self._position
        self._expect("(")
        found = self._type()
        if found is None or not self._accept(")"):
            self._position = start
            return None
        return found

    def _type(self) -> Type | None:
        """A type name with its declarator; None when the next word names no type."""
        qualifiers, local = self._qualifiers()
        base = self._type_specifier()
        if base is None:
            return None
        more, local_behind = self._qualifiers()
        for qualifier in qualifiers + more:
            base = QualifiedType(base.size, qualifier, base)
        address_class = SLM_ADDRESS_CLASS if local or local_behind else None
        while self._accept("*"):
            base = PointerType(8, base, address_class)
            address_class = None
            for qualifier in self._qualifiers()[0]:
                base = QualifiedType(base.size, qualifier, base)
        stars = self._stars_in_parentheses()
        base = self._array_suffix(base)
        for _ in range(stars):
            base = PointerType(8, base)
        return base

    def _stars_in_parentheses(self) -> int:
        """``(*)``, as in ``int (*)[4]``: how many; 0, with nothing read, when there are none."""
        start, count = self._position, 0
        if self._accept("("):
            while self._accept("*"):
                count += 1
            if count and self._accept(")"):
                return count
        self._position = start
        return 0

    def _array_suffix(self, base: Type) -> Type:
        lengths = []
        while self._at("["):
            self._next()
            token = self._next()
            if token.kind != "integer":
                raise self._error()
            lengths.append(int(integer_literal(token.text).value))
            self._expect("]")
        for length in reversed(lengths):
            base = ArrayType(base.size * length, base, length)
        return base

    def _qualifiers(self) -> tuple[list[str], bool]:
        """The qualifiers at this place, and whether local memory was named among them."""
        found = []
        local = False
        while self._peek.kind == "name" and self._peek.text in _QUALIFIERS | _IGNORED | _LOCAL:
            word = self._next().text
            local = local or word in _LOCAL
            if word in _QUALIFIERS:
                found.append(word.strip("_"))
        return found, local

    def _type_specifier(self) -> Type | None:
        if self._peek.kind != "name":
            return None
        word = self._peek.text
        if word in _TAGGED:
            self._next()
            tag = self._next()
            found = self._types.structure(word, tag.text) if tag.kind == "name" else None
            if found is None:
                raise EvaluationError(f"No {word} type named {tag.text}.")
            return found
        if self._types.combines(word):
            words = []
            while self._peek.kind == "name" and self._types.combines(self._peek.text):
                words.append(self._next().text)
            return self._types.combined(words)
        template = self._template_type()
        if template is not None:
            return template
        found = self._types.named(word)
        if found is not None:
            self._next()
        return found

    def _template_type(self) -> Type | None:
        """A type whose name goes on after an angle bracket: ``ns::Box<int>``."""
        start = self._peek.position
        following = self._tokens[self._position + 1]
        if following.kind != "operator" or following.text != "<":
            return None
        # The longest name counts: Pair<Box<int>, 2>::Inner.
        for index in range(len(self._tokens) - 1, self._position + 1, -1):
            end = self._tokens[index].position
            found = self._types.named(self._text[start:end].strip())
            if found is not None:
                self._position = index
                return found
        return None

    def _postfix(self) -> Expression:
        operand = self._primary()
        terms = 0
        while True:
            terms = self._counted(terms)
            if self._accept("["):
                first = self._assignment()
                if self._accept(":"):
                    operand = syntax.Slice(operand, first, self._assignment())
                else:
                    operand = syntax.Index(operand, first)
                self._expect("]")
            elif self._at(".", "->"):
                arrow = self._next().text == "->"
                member = self._next()
                if member.kind != "name":
                    self._position -= 1
                    raise self._error()
                operand = syntax.MemberAccess(operand, member.text, arrow)
            elif self._at("++", "--"):
                operand = syntax.Step(self._next().text[0], operand, before=False)
            else:
                return operand

    def _primary(self) -> Expression:
        token = self._peek
        if token.kind == "name" and self._is_type_start(token.text):
            found = self._type()
            if found is not None:
                return syntax.TypeOnly(found)
        self._next()
        if token.kind == "integer":
            return integer_literal(token.text)
        if token.kind == "float":
            return float_literal(token.text)
        if token.kind == "character":
            return character_literal(token.text)
        if token.kind == "string":
            return syntax.Text(string_literal(token.text))
        if token.kind == "dollar":
            return self._dollar(token.text[1:])
        if token.kind == "name" and self._at("("):
            return self._function(token.text)
        if token.kind == "name":
            return syntax.Name(token.text)
        if token.kind == "operator" and token.text == "(":
            inner = self._sequence()
            self._expect(")")
            return inner
        self._position -= 1
        raise self._error()

    def _function(self, name: str) -> Expression:
        """``get_global_id(0)``, ``isnan(x)``: no function of the program can be called, but where a
        work-item is is known without, and some functions are computed here."""
        if name in MATH_FUNCTIONS:
            self._expect("(")
            return syntax.MathCall(name, self._arguments())
        known = _WORK_FUNCTIONS.get(name)
        if known is None:
            raise EvaluationError(
                f"{name} cannot be called: only the device runs functions of a program."
            )
        self._expect("(")
        dimension = self._assignment()
        self._expect(")")
        return syntax.Index(syntax.Dollar(known), dimension)

    def _dollar(self, name: str) -> Expression:
        if not name or not self._accept("("):
            return syntax.Dollar(name)
        return syntax.DollarCall(name, self._arguments())

    def _arguments(self) -> tuple[Expression, ...]:
        """Those of a function, whose parenthesis is open, and the end of it."""
        arguments: list[Expression] = []
        if not self._accept(")"):
            arguments.append(self._assignment())
            while self._accept(","):
                arguments.append(self._assignment())
            self._expect(")")
        return tuple(arguments)

    @staticmethod
    def _is_type_start(word: str) -> bool:
        """Whether a word in the place of an operand can only start a type."""
        return word in _TAGGED | _QUALIFIERS or TypeNames.combines(word)
