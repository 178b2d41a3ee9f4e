"""Names of tests, taken apart and compared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.results.test_names import TestName, is_of_file, parse_test_name, same_test


@pytest.mark.parametrize(
    ("text", "file", "holders", "name"),
    [
        ("tests/test_api.py::test_once", "tests/test_api.py", (), "test_once"),
        (
            "tests/test_api.py::TestOrders::test_once[2-주문]",
            "tests/test_api.py",
            ("TestOrders",),
            "test_once",
        ),
        ("test_api.py", "test_api.py", (), ""),
        ("tests.test_api.TestOrders.test_once", "", ("tests", "test_api", "TestOrders"), "test_once"),
        ("test_once (tests.test_api.TestOrders)", "", ("tests", "test_api", "TestOrders"), "test_once"),
        (
            "test_once (tests.test_api.TestOrders.test_once)",
            "",
            ("tests", "test_api", "TestOrders"),
            "test_once",
        ),
        (
            "CheckoutViewModelTests.testDuplicateSubmit",
            "",
            ("CheckoutViewModelTests",),
            "testDuplicateSubmit",
        ),
        (
            "CheckoutViewModelTests.testDuplicateSubmit()",
            "",
            ("CheckoutViewModelTests",),
            "testDuplicateSubmit",
        ),
        ("-[ShopTests.CheckoutTests testOnce]", "", ("CheckoutTests",), "testOnce"),
        ("com.example.OrderTest#sendsOnce", "", ("com", "example", "OrderTest"), "sendsOnce"),
        ("checkout::tests::sends_once", "", ("checkout", "tests"), "sends_once"),
        ("shop checkout::tests::sends_once", "", ("shop", "checkout", "tests"), "sends_once"),
        ("TestOnce/second_try", "", ("TestOnce",), "second_try"),
        ("src/a.test.ts > Orders > sends once", "src/a.test.ts", ("Orders",), "sends once"),
        ("./a.test.js › cart › adds", "./a.test.js", ("cart",), "adds"),
        ("Orders › sends once", "", ("Orders",), "sends once"),
        ("sends an order once", "", (), "sends an order once"),
        ("주문은 한 번만 전송한다", "", (), "주문은 한 번만 전송한다"),
        ("", "", (), ""),
    ],
)
def test_a_name_is_taken_apart(text: str, file: str, holders: tuple[str, ...], name: str) -> None:
    assert parse_test_name(text) == TestName(file, holders, name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tests/test_api.py::test_once", "tests/test_api.py::test_once[2]"),
        ("tests/test_api.py::TestOrders::test_once", "tests.test_api.TestOrders.test_once"),
        ("test_api.py::test_once", "tests/test_api.py::test_once"),
        ("CheckoutTests.testOnce", "-[ShopTests.CheckoutTests testOnce]"),
        ("CheckoutTests.testOnce", "com.example.CheckoutTests#testOnce()"),
        ("shop/cart.TestAdd", "example.com/shop/cart.TestAdd"),
        ("TestAdd", "example.com/shop/cart.TestAdd"),
        ("cart › adds", "./a.test.js › cart › adds"),
        ("tests::sends_once", "checkout::tests::sends_once"),
    ],
)
def test_two_names_of_one_test(one: str, other: str) -> None:
    assert same_test(one, other)
    assert same_test(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tests/test_api.py::test_once", "tests/test_api.py::test_once_more"),
        ("tests/test_api.py::test_once", "tests/test_web.py::test_once"),
        ("CheckoutTests.testOnce", "OrderTests.testOnce"),
        ("TestOnce", "TestOnce/second_try"),
        ("test_once", ""),
        ("", "test_once"),
    ],
)
def test_two_names_of_two_tests(one: str, other: str) -> None:
    assert not same_test(one, other)
    assert not same_test(other, one)


@pytest.mark.parametrize(
    ("test", "file", "lies"),
    [
        ("tests/test_api.py::test_once", "tests/test_api.py", True),
        ("test_api.py::test_once", "tests/test_api.py", True),
        ("tests.test_api.TestOrders.test_once", "tests/test_api.py", True),
        ("tests/test_web.py::test_once", "tests/test_api.py", False),
        ("tests.test_api_more.test_once", "tests/test_api.py", False),
        ("TestAdd", "cart_test.go", False),
    ],
)
def test_whether_a_test_lies_in_a_file(test: str, file: str, lies: bool) -> None:
    assert is_of_file(test, file) is lies


@given(st.text(max_size=200))
def test_any_text_is_a_name_of_the_same_test_as_itself(text: str) -> None:
    assert same_test(text, text)
    parse_test_name(text)


@pytest.mark.parametrize(
    "text", ["a." * 10_000, "a/" * 10_000, "[" * 10_000, "a > " * 10_000, ("x" * 200 + ".py ") * 50]
)
def test_a_hostile_name_is_answered(text: str) -> None:
    assert len(parse_test_name(text).name) <= 400
