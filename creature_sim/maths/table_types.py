"""Tables as numba takes them: see `tables`."""

import operator
from collections.abc import Sequence
from typing import Any, TypeAlias

import numba
from numba.core import cgutils
from numba.core.datamodel.models import StructModel
from numba.core.types import Integer, Type, intp
from numba.core.types.containers import BaseTuple
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import NativeValue, lower_builtin, register_model, unbox

Value: TypeAlias = Any
"""A value in LLVM's code, or an object of numba's that it has no types for."""


class TableType(Type):
    """The type of a table, by that of its rows."""

    def __init__(self, row: BaseTuple) -> None:
        """Take the type of a row."""
        self.row = row
        super().__init__(f"Table({row})")

    @property
    def key(self) -> object:
        """What tells it from others: a text, as types would be hashed anew each time."""
        return self.row.name

    @property
    def mangling_args(self) -> tuple[str, tuple[Type, ...]]:
        """What names of functions hold of it."""
        return "Table", (self.row,)


def type_of_rows(row: object) -> TableType:
    """Type of a table of rows like this one."""
    return TableType(numba.typeof(row))


@register_model(TableType)
class _TableModel(StructModel):  # type: ignore[misc]
    def __init__(self, manager: Value, kind: TableType) -> None:
        super().__init__(manager, kind, [("address", intp), ("count", intp)])


@unbox(TableType)  # type: ignore[untyped-decorator]
def _unbox(kind: TableType, table: Value, c: Value) -> NativeValue:
    """Take address and count."""
    native = cgutils.create_struct_proxy(kind)(c.context, c.builder)
    for name in ("address", "count"):
        number = c.pyapi.object_getattr_string(table, name)
        setattr(native, name, c.pyapi.long_as_longlong(number))
        c.pyapi.decref(number)
    failed = cgutils.is_not_null(c.builder, c.pyapi.err_occurred())
    return NativeValue(native._getvalue(), is_error=failed)


@infer_global(len)
class _Length(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: tuple[Type, ...], kws: object) -> Value:
        """Its type."""
        if len(args) == 1 and isinstance(args[0], TableType):
            return signature(intp, *args)
        return None


@infer_global(operator.getitem)
class _Item(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: tuple[Type, ...], kws: object) -> Value:
        """Its type."""
        table, *_ = args
        return signature(table.row, table, intp) if isinstance(table, TableType) else None


@lower_builtin(len, TableType)  # type: ignore[untyped-decorator]
def _length(context: Value, builder: Value, sig: Value, args: Sequence[Value]) -> Value:
    """Number of rows."""
    del context, sig
    return builder.extract_value(args[0], 1)


@lower_builtin(operator.getitem, TableType, Integer)  # type: ignore[untyped-decorator]
def _row(context: Value, builder: Value, sig: Value, args: Sequence[Value]) -> Value:
    """A row."""
    table, index = args
    kind = sig.args[0].row
    word = context.get_value_type(intp)
    size = word(_word_count(kind))
    places = builder.inttoptr(builder.extract_value(table, 0), word.as_pointer())
    words = _Words(context, builder, builder.gep(places, [builder.mul(index, size)]))
    return words.take(kind)


def _word_count(kind: Value) -> int:
    """How many words tell where a part of a row lies."""
    if isinstance(kind, BaseTuple):
        return sum(map(_word_count, kind.types))
    return 1 + 2 * int(kind.ndim)


class _Words:
    """The words of a row, read one after the other."""

    def __init__(self, context: Value, builder: Value, first: Value) -> None:
        self._context, self._builder, self._first = context, builder, first
        self._count = 0

    def take(self, kind: Value) -> Value:
        """An array, or a tuple of them."""
        context, builder = self._context, self._builder
        if isinstance(kind, BaseTuple):
            return context.make_tuple(builder, kind, [self.take(each) for each in kind.types])
        from numba.np.arrayobj import make_array, populate_array  # slow, and compilers' alone

        array = make_array(kind)(context, builder)
        data = builder.inttoptr(self._next(), array.data.type)
        shape = [self._next() for _ in range(kind.ndim)]
        strides = [self._next() for _ in range(kind.ndim)]
        itemsize = context.get_constant(intp, context.get_abi_sizeof(array.data.type.pointee))
        populate_array(array, data, shape, strides, itemsize, None)
        return array._getvalue()

    def _next(self) -> Value:
        """The next word."""
        index = self._context.get_constant(intp, self._count)
        self._count += 1
        return self._builder.load(self._builder.gep(self._first, [index]))
