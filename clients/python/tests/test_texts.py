"""Decimals, parameters and signatures as the exchange reads them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from bourse import decimal_of, text_of
from bourse.decimals import parameter_text
from bourse.endpoint import OMITTED, filled_path, given
from bourse.signing import query_of, signature_of


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("0.10", "0.10"),
        (Decimal("0.10"), "0.1"),
        (Decimal("1E-7"), "0.0000001"),
        (Decimal("1E+3"), "1000"),
        (100, "100"),
    ],
)
def test_amounts_have_no_exponent(value: str | Decimal | int, text: str) -> None:
    assert text_of(value) == text
    assert decimal_of(text) == Decimal(value)


def test_parameters_are_texts() -> None:
    assert parameter_text("flag", True) == "true"
    assert parameter_text("symbol", ["BTCUSDT", "ETHUSDT"]) == "BTCUSDT,ETHUSDT"
    orders = [{"symbol": "BTCUSDT", "price": Decimal("1.50"), "quantity": 2}]
    assert parameter_text("batchOrders", orders) == '[{"symbol":"BTCUSDT","price":"1.5","quantity":"2"}]'


@pytest.mark.parametrize("value", [0.1, None, b"1", {"a": 1}, [0.1]])
def test_what_is_no_parameter_is_refused_by_name(value: object) -> None:
    """DEC-KIT-90: a float is not exact."""
    with pytest.raises(TypeError, match="^quantity: "):
        parameter_text("quantity", value)


def test_none_is_left_out_where_it_says_nothing() -> None:
    members = {"a": None, "b": None, "c": OMITTED, "d": 0}
    assert given(members, nullable=("b", "c")) == {"b": None, "d": 0}


def test_members_of_a_path_are_filled_in_and_coded() -> None:
    assert filled_path("/v1/states/{name}/restore", {"name": "a/b", "x": "1"}) == (
        "/v1/states/a%2Fb/restore",
        {"x": "1"},
    )
    with pytest.raises(TypeError, match="^name: "):
        filled_path("/v1/states/{name}", {"name": ""})


def test_signatures_are_of_the_text_that_is_sent() -> None:
    """DEC-KIT-91: the vector of RFC 4231, and characters that mean something in a query."""
    assert signature_of("what do ya want for nothing?", "Jefe") == (
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    )
    assert query_of({"remark": "a b&c=ü/+"}) == "remark=a%20b%26c%3D%C3%BC%2F%2B"
