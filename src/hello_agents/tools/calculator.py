"""Arithmetic that a model may ask for, evaluated node by node and never by the interpreter."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

from hello_agents.core.exceptions import HelloAgentsException
from hello_agents.tools.base import Tool, ToolParameter

_LONGEST = 1_000
_MOST_BITS = 10_000
_SIGNS = str.maketrans("（）×÷＋－，．＊／", "()*/+-,.*/")
_OPERATORS: Mapping[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
_OF_MATH = ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "log", "log2", "log10", "exp", "floor", "ceil")
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    **{name: getattr(math, name) for name in _OF_MATH},
    **{function.__name__: function for function in (abs, round, min, max)},
}
_CONSTANTS = {"pi": math.pi, "e": math.e}


class CalculatorTool(Tool):
    def __init__(self) -> None:
        super().__init__("python_calculator", "计算数学表达式，如 2*(3+4)、sqrt(16)、sin(pi/2)")

    def run(self, parameters: dict[str, Any]) -> str:
        expression = parameters.get("input") or parameters.get("expression") or ""
        if not str(expression).strip():
            return "❌ 计算表达式不能为空"
        try:
            return str(evaluate(str(expression)))
        except HelloAgentsException as error:
            return f"❌ 计算失败: {error}"

    def get_parameters(self) -> list[ToolParameter]:
        return [ToolParameter("input", "string", "要计算的数学表达式")]


def calculate(expression: str) -> str:
    """The value as text, or a `❌` line."""
    return CalculatorTool().run({"input": expression})


def evaluate(expression: str) -> float:
    """An int or a float; HelloAgentsException when it is no arithmetic, or too large."""
    if len(expression) > _LONGEST:
        raise HelloAgentsException(f"表达式有 {len(expression)} 个字符，最多 {_LONGEST} 个")
    try:
        value: float = _value(ast.parse(expression.translate(_SIGNS).strip(), mode="eval").body)
    except (SyntaxError, ValueError, TypeError, ArithmeticError, RecursionError, MemoryError) as error:
        raise HelloAgentsException(f"{expression!r} 无法计算（{error}）") from error
    return value


def _value(node: ast.AST) -> Any:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            found: Any = value
        case ast.Name(id=name) if name in _CONSTANTS:
            found = _CONSTANTS[name]
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            found = _power(_value(left), _value(right))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            found = _OPERATORS[type(op)](_value(left), _value(right))
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _OPERATORS:
            found = _OPERATORS[type(op)](_value(operand))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            found = _FUNCTIONS[name](*map(_value, args))
        case _:
            raise HelloAgentsException(f"不支持 {ast.unparse(node)!r}，只能用数字、+ - * / // % ** 和数学函数")
    if isinstance(found, int) and found.bit_length() > _MOST_BITS:
        raise HelloAgentsException("结果太大")
    if isinstance(found, complex):
        raise HelloAgentsException("结果不是实数")
    return found


def _power(base: Any, exponent: Any) -> Any:
    whole = isinstance(base, int) and isinstance(exponent, int)
    if whole and abs(base) > 1 and base.bit_length() * abs(exponent) > 2 * _MOST_BITS:
        raise HelloAgentsException("结果太大")
    return base**exponent
