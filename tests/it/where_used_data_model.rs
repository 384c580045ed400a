//! Where used in Python: operators, descriptors, named tuples, typed dictionaries, loops over
//! several names, and generics of the standard library.

use crate::where_used::check;

/// The class that the other files of each test use.
const CART: &str = "class Cart:
    def total(self): pass
    def __add__(self, other) -> 'Cart': ...
    def __truediv__(self, other) -> 'Cart': ...
";

/// Asserts where the method of the class is used. The first line of the file imports it.
#[track_caller]
fn check_file(text: &str, expected: &[&str]) {
    let text = format!("from cart import Cart\n{text}");
    let files = [("cart.py", CART), ("b.py", text.as_str())];
    let expected: Vec<String> = expected.iter().map(|row| format!("b.py:{row}")).collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check(&files, "cart.Cart.total", &expected);
}

#[test]
fn an_operator_calls_a_method_of_its_left_operand() {
    let text = "def use(cart: Cart, text: str):
    (cart + 1).total()
    both = cart / 2 + 1
    both.total()
    cart += 1
    cart.total()
    (cart * 2).total()
    (text % cart).total()
    line = '%s' % cart
    line.total()
    carts = [cart]
    carts += [cart]
    carts[0].total()
    for one in [cart] + carts: one.total()
    count = 0
    count += 1
    count.total()
";
    check_file(
        text,
        &[
            "3:15 call",
            "5:9 call",
            "7:9 call",
            "15:35 call",
            "8:15 call?",
            "9:18 call?",
            "11:9 call?",
            "14:13 call?",
            "18:10 call?",
        ],
    );
}

#[test]
fn an_augmented_assignment_calls_the_method_in_place() {
    let text = "class Sum:
    def __iadd__(self, other): return self
    def __add__(self, other) -> Cart: ...
    def total(self): ...
def use():
    kept = Sum()
    kept += 1
    kept.total()
    other = Sum() + 1
    other.total()
";
    check_file(text, &["11:10 call"]);
}

#[test]
fn fields_are_the_elements_of_named_tuples_and_typed_dictionaries() {
    let text = "from typing import NamedTuple, TypedDict
class Point(NamedTuple):
    left: Cart
    size: int
    last: Cart | None = None
    def total(self): ...
class Named(Point): pass
class Rules(TypedDict, total=False):
    cart: Cart
    size: int
class Other(dict):
    cart: Cart
def use(point: Point, named: Named, rules: Rules, points: list[Point], other: Other):
    left, size, last = point
    left.total()
    size.total()
    last.total()
    point[0].total()
    point[1].total()
    point[-1].total()
    named[2].total()
    for left, size, last in points: last.total()
    rules['cart'].total()
    rules['size'].total()
    other['cart'].total()
    point.total()
";
    check_file(
        text,
        &[
            "16:9 call",
            "18:9 call",
            "19:13 call",
            "22:13 call",
            "23:41 call",
            "24:18 call",
            "21:14 call?",
            "26:18 call?",
        ],
    );
}

#[test]
fn a_descriptor_gives_what_its_method_returns() {
    let text = "from typing import Generic, TypeVar, overload
T = TypeVar('T')
class Fixed:
    def __get__(self, of, owner) -> Cart: ...
class Typed(Generic[T]):
    def __init__(self, value: T): ...
    @overload
    def __get__(self, of: None, owner) -> 'Typed[T]': ...
    @overload
    def __get__(self, of: object, owner) -> T: ...
class Plain:
    def total(self): ...
class Shop:
    fixed = Fixed()
    typed: Typed[Cart] = Typed(1)
    told = Typed(Cart())
    plain = Plain()
    def __init__(self):
        self.own = Fixed()
    def use(self):
        self.fixed.total()
        self.typed.total()
        self.told.total()
        self.plain.total()
        self.own.total()
class Heir(Shop): pass
Heir().fixed.total()
";
    check_file(
        text,
        &[
            "22:19 call",
            "23:19 call",
            "24:18 call",
            "28:13 call",
            "26:17 call?",
        ],
    );
}

#[test]
fn loops_give_elements_to_names_in_brackets() {
    let text = "def use(pairs: list[tuple[Cart, int]], named: dict[str, tuple[Cart, int]],
        carts: list[Cart]):
    for at, (cart, size) in enumerate(pairs, 1): cart.total()
    for name, (cart, size) in named.items(): cart.total()
    for (cart, size), other in zip(pairs, carts): cart.total(), other.total()
    for at, (one, (cart, size)) in enumerate(zip(carts, pairs)): one.total(), cart.total()
    for at, (cart, size) in enumerate(pairs): size.total()
";
    check_file(
        text,
        &[
            "4:54 call",
            "5:50 call",
            "6:55 call",
            "6:70 call",
            "7:69 call",
            "7:83 call",
        ],
    );
}

#[test]
fn generics_of_the_standard_library_hold_their_arguments() {
    let text = "import asyncio, queue, weakref
from contextlib import AbstractContextManager
from contextvars import ContextVar
active: ContextVar[Cart] = ContextVar('active')
def use(held: queue.Queue[Cart], ref: weakref.ref[Cart], within: AbstractContextManager[Cart],
        cached: weakref.WeakValueDictionary[str, Cart]):
    active.get().total()
    held.get_nowait().total()
    ref().total()
    with within as cart: cart.total()
    cached['a'].total()
async def wait(held: asyncio.Queue[Cart], task: asyncio.Task[Cart]):
    (await held.get()).total()
    (await task).total()
    task.cancel()
";
    check_file(
        text,
        &[
            "8:17 call",
            "9:22 call",
            "10:10 call",
            "11:30 call",
            "12:16 call",
            "14:23 call",
            "15:17 call?",
        ],
    );
}
