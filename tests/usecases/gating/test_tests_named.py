"""Whether a tree has the test that a lesson names, as the tools of ten languages write it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gitmem.git.opening import open_repository
from gitmem.usecases.gating.tests_named import TestFinder
from tests.support.repo import Repo

FILES = {
    "tests/test_api.py": (
        "import pytest\n\n\ndef test_once():\n    assert True\n\n\nclass TestOrders:\n"
        "    @pytest.mark.parametrize('n', [1])\n    def test_twice(self, n):\n        assert n\n\n"
        "    async def test_later(self):\n        assert True\n\n\n# test_gone was taken out\ndef 주문_확인():\n    pass\n"
    ),
    "packages/shop/tests/test_inner.py": "def test_inner():\n    assert True\n",
    "src/a.test.ts": (
        "describe('Orders', () => {\n  it('sends once', () => {});\n  test(`주문은 한 번만 전송한다`, () => {});\n});\n"
        "// it was called 'sends twice'\n"
    ),
    "cart/cart_test.go": 'package cart\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tt.Run("two items", func(t *testing.T) {})\n}\n',
    "src/checkout.rs": "pub fn send() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn sends_once() {}\n}\n",
    "Tests/CheckoutViewModelTests.swift": (
        "import XCTest\n\nfinal class CheckoutViewModelTests: XCTestCase {\n    func testDuplicateSubmit() async throws {}\n}\n"
    ),
    "app/src/test/java/com/example/OrderTest.java": (
        "package com.example;\n\nclass OrderTest {\n    @Test\n    void sendsOnce() {}\n}\n"
    ),
    "app/src/test/kotlin/com/example/PayTest.kt": (
        "package com.example\n\nclass PayTest {\n    @Test\n    fun `pays once`() {}\n\n    @Test\n    fun paysTwice() {}\n}\n"
    ),
    "spec/order_spec.rb": "describe 'Order' do\n  it 'is sent once' do\n  end\nend\n",
    "tests/OrderTest.php": "<?php\nclass OrderTest extends TestCase {\n  public function testOnce(): void {}\n}\n",
    "Tests/OrderTests.cs": "public class OrderTests {\n  [Fact]\n  public async Task SendsOnce() {}\n}\n",
    "test/order_test.cpp": "TEST_F(OrderTest, SendsOnce) {\n  EXPECT_TRUE(true);\n}\n",
    "README.md": "The tests `test_gone` and `TestGone` are described here; func TestProse is not.\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def finder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestFinder]:
    repo = Repo(tmp_path_factory.mktemp("named") / "repo")
    repo.commit("Start", FILES)
    with open_repository(Path(repo.path)) as opened:
        yield TestFinder(opened, repo.head())


@pytest.mark.parametrize(
    ("reference", "path"),
    [
        ("tests/test_api.py::test_once", "tests/test_api.py"),
        ("./tests/test_api.py::test_once", "tests/test_api.py"),
        ("tests/test_api.py::TestOrders::test_twice[1]", "tests/test_api.py"),
        ("tests/test_api.py::TestOrders::test_later", "tests/test_api.py"),
        ("tests/test_api.py::주문_확인", "tests/test_api.py"),
        ("tests.test_api.TestOrders.test_twice", "tests/test_api.py"),
        ("test_twice (tests.test_api.TestOrders)", "tests/test_api.py"),
        ("tests/test_api.py", "tests/test_api.py"),
        ("tests/test_inner.py::test_inner", "packages/shop/tests/test_inner.py"),
        ("test_once", "tests/test_api.py"),
        ("src/a.test.ts > Orders > sends once", "src/a.test.ts"),
        ("./src/a.test.ts › Orders › sends once", "src/a.test.ts"),
        ("Orders › sends once", "src/a.test.ts"),
        ("sends once", "src/a.test.ts"),
        ("주문은 한 번만 전송한다", "src/a.test.ts"),
        ("TestAdd", "cart/cart_test.go"),
        ("example.com/shop/cart.TestAdd", "cart/cart_test.go"),
        ("TestAdd/two_items", "cart/cart_test.go"),
        ("example.com/shop/cart.TestAdd/two_items", "cart/cart_test.go"),
        ("checkout::tests::sends_once", "src/checkout.rs"),
        ("shop checkout::tests::sends_once", "src/checkout.rs"),
        ("CheckoutViewModelTests.testDuplicateSubmit", "Tests/CheckoutViewModelTests.swift"),
        ("-[ShopTests.CheckoutViewModelTests testDuplicateSubmit]", "Tests/CheckoutViewModelTests.swift"),
        ("com.example.OrderTest#sendsOnce", "app/src/test/java/com/example/OrderTest.java"),
        ("com.example.OrderTest.sendsOnce()", "app/src/test/java/com/example/OrderTest.java"),
        ("com.example.PayTest.paysTwice", "app/src/test/kotlin/com/example/PayTest.kt"),
        ("pays once", "app/src/test/kotlin/com/example/PayTest.kt"),
        ("is sent once", "spec/order_spec.rb"),
        ("OrderTest::testOnce", "tests/OrderTest.php"),
        ("OrderTests.SendsOnce", "Tests/OrderTests.cs"),
        ("OrderTest.SendsOnce", "test/order_test.cpp"),
    ],
)
def test_a_test_that_is_there_is_found(finder: TestFinder, reference: str, path: str) -> None:
    assert finder.find(reference) == path


@pytest.mark.parametrize(
    "reference",
    [
        "tests/test_api.py::test_gone",
        "tests/test_api.py::test_onc",
        "tests/test_api.py::TestCarts::test_once_more",
        "tests/test_web.py::test_once",
        "tests/test_web.py",
        "test_gone",
        "sends twice",
        "TestGone",
        "TestProse",
        "TestGone/two_items",
        "CartTests.testDuplicateSubmit",
        "checkout::tests::sends_twice",
        "com.example.OrderTest#sendsTwice",
        "../../etc/passwd",
        "--output=x",
        "tests/test_api.py::test_once\nx",
        "",
        " ",
        "(",
        "a" * 10_000,
    ],
)
def test_a_test_that_is_not_there_is_not_found(finder: TestFinder, reference: str) -> None:
    assert finder.find(reference) == ""
