//! Where used in Python: type arguments of classes, and type variables of classes and functions.

use crate::where_used::check;

/// The classes that the other files of each test use.
const CART: &str = "class Cart:
    def total(self): pass
class Base:
    def save(self): pass
class Sub(Base):
    def extra(self): pass
";

/// Asserts where a method of the classes is used. The first line of the file imports them.
#[track_caller]
fn check_file(symbol: &str, text: &str, expected: &[&str]) {
    let text = format!("from cart import Cart, Base, Sub\n{text}");
    let files = [("cart.py", CART), ("b.py", text.as_str())];
    let expected: Vec<String> = expected.iter().map(|row| format!("b.py:{row}")).collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check(&files, symbol, &expected);
}

#[test]
fn type_arguments_tell_the_types_of_members() {
    let text = "from typing import Any, Generic, Iterator, Optional, TypeVar, Union
T = TypeVar('T')
class Box(Generic[T]):
    item: T
    def __init__(self, item: T): self.own = item
    def get(self) -> T: ...
    def maybe(self) -> Optional[T]: ...
    def all(self) -> list[T]: ...
    def copy(self) -> 'Box[T]': ...
    def inferred(self): return self.item
    def walk(self):
        for one in self.all():
            yield one
    @property
    def read(self) -> T: ...
    def __iter__(self) -> Iterator[T]: ...
    def __getitem__(self, at) -> T: ...
    def __enter__(self) -> T: ...
    async def fetch(self) -> T: ...
async def use(box: Box[Cart], quoted: 'Box[Cart] | None', of: type[Box[Cart]]):
    box.item.total()
    box.own.total()
    box.get().total()
    box.maybe().total()
    box.all()[0].total()
    box.copy().copy().get().total()
    box.inferred().total()
    for one in box.walk(): one.total()
    box.read.total()
    for one in box: one.total()
    box[0].total()
    with box as one: one.total()
    (await box.fetch()).total()
    quoted.get().total()
    of(1).get().total()
def others(plain: Box, any: Box[Any], number: Box[int], either: Box[Union[Cart, Base]],
           nested: Box[Box[Cart]], boxes: dict[str, Box[Cart]]):
    plain.get().total()
    any.get().total()
    number.get().total()
    either.get().total()
    nested.get().get().total()
    boxes['a'].get().total()
";
    check_file(
        "cart.Cart.total",
        text,
        &[
            "22:13 call",
            "23:12 call",
            "24:14 call",
            "25:16 call",
            "26:17 call",
            "27:28 call",
            "28:19 call",
            "29:31 call",
            "30:13 call",
            "31:24 call",
            "32:11 call",
            "33:25 call",
            "34:24 call",
            "35:17 call",
            "36:16 call",
            "42:17 call",
            "43:23 call",
            "44:21 call",
            "39:16 call?",
            "40:14 call?",
        ],
    );
}

#[test]
fn a_class_passes_type_arguments_to_its_bases() {
    let text = "from typing import Generic, Protocol, TypeVar
T = TypeVar('T')
K = TypeVar('K')
class Box(Generic[T]):
    def get(self) -> T: ...
class Named(Protocol[K]):
    def name(self) -> K: ...
class SubBox(Box[T]):
    def own(self): self.get().total()
class CartBox(Box[Cart]):
    def own(self): self.get().total()
class Mixed(Base, Box[K], Named[T], Generic[T, K]): pass
class Open(Box, Generic[T]): pass
def use(sub: SubBox[Cart], cart: CartBox, mixed: Mixed[int, Cart], other: Mixed[Cart, int],
        open: Open[Cart]):
    sub.get().total()
    cart.get().total()
    mixed.get().total()
    mixed.name().total()
    other.get().total()
    other.name().total()
    open.get().total()
";
    check_file(
        "cart.Cart.total",
        text,
        &[
            "12:30 call",
            "17:14 call",
            "18:15 call",
            "19:16 call",
            "22:17 call",
            "10:30 call?",
            "23:15 call?",
        ],
    );
}

#[test]
fn the_syntax_for_type_parameters_counts() {
    let text = "class Box[T]:
    def get(self) -> T: ...
class Store[B: Base]:
    def find(self) -> B: ...
    def use(self): self.find().save()
class SubBox[K](Box[K]): pass
def first[T](all: list[T]) -> T: ...
type Boxed = Box[Sub]
type Paired[T] = list[Box[T]]
def use(box: Box[Sub], sub: SubBox[Sub], all: list[Sub], store: Store[Sub], boxed: Boxed):
    box.get().save()
    sub.get().save()
    first(all).save()
    store.find().save()
    boxed.get().save()
def plain(store: Store, box: Box):
    store.find().save()
    box.get().save()
";
    check_file(
        "cart.Base.save",
        text,
        &[
            "6:31 call",
            "12:14 call",
            "13:14 call",
            "14:15 call",
            "15:17 call",
            "16:16 call",
            "18:17 call",
            "19:14 call?",
        ],
    );
}

#[test]
fn a_type_variable_has_the_members_of_its_bound() {
    let text = "from typing import TypeVar
B = TypeVar('B', bound='Base')
E = TypeVar('E', Cart, Base)
def use(one: B, all: list[B], either: E) -> B:
    one.save()
    all[0].save()
    either.save()
    return one
def made() -> B: ...
made().save()
";
    check_file(
        "cart.Base.save",
        text,
        &["6:8 call", "7:11 call", "8:11 call", "11:7 call"],
    );
}

#[test]
fn a_type_variable_of_the_first_parameter_is_the_own_type() {
    let text = "from typing import TypeVar
T = TypeVar('T', bound='Builder')
class Builder:
    def set(self: T) -> T:
        self.build()
        return self
    @classmethod
    def make(cls: type[T]) -> T: return cls()
    def build(self): pass
class Special(Builder):
    def special(self): pass
Special().set().special()
Special.make().special()
Builder().set().special()
";
    check_file(
        "b.Special.special",
        text,
        &["13:16 call", "14:15 call", "15:16 call?"],
    );
    check_file("b.Builder.build", text, &["6:13 call"]);
}

#[test]
fn arguments_tell_type_variables() {
    let text = "from dataclasses import dataclass
from typing import Callable, Generic, TypeVar
T = TypeVar('T')
K = TypeVar('K')
class Box(Generic[T]):
    def __init__(self, item: T, name: str = ''): ...
    def get(self) -> T: ...
    def ask(self, of: type[K]) -> K: ...
class SubBox(Box[K]): pass
@dataclass
class Pair(Generic[K, T]):
    left: K
    right: T
def first(all: list[T]) -> T: ...
def same(one: T) -> T: ...
def build(of: type[T]) -> T: ...
def apply(run: Callable[[T], K], one: T) -> K: ...
def rest(*all: T) -> T: ...
def pair(one: T, other: K) -> tuple[K, T]: ...
def made(): return Box(Cart())
def use(cart: Cart, carts: list[Cart], box: Box[int], unknown):
    first(carts).total()
    first([cart]).total()
    same(cart).total()
    same(one=cart).total()
    build(Cart).total()
    apply(lambda one: Cart(), 1).total()
    rest(cart).total()
    pair(1, cart)[0].total()
    pair(1, cart)[1].total()
    Box(cart).get().total()
    Box(name='a', item=cart).get().total()
    SubBox(cart).get().total()
    Pair(cart, 1).left.total()
    Pair(right=cart, left=1).right.total()
    box.ask(Cart).total()
    made().get().total()
    kept = Box(cart)
    kept.get().total()
    for one in same(carts): one.total()
    same(unknown).total()
    same(1).total()
";
    check_file(
        "cart.Cart.total",
        text,
        &[
            "23:17 call",
            "24:18 call",
            "25:15 call",
            "26:19 call",
            "27:16 call",
            "28:33 call",
            "29:15 call",
            "30:21 call",
            "32:20 call",
            "33:35 call",
            "34:23 call",
            "35:23 call",
            "36:35 call",
            "37:18 call",
            "38:17 call",
            "40:15 call",
            "41:32 call",
            "31:21 call?",
            "42:18 call?",
            "43:12 call?",
        ],
    );
}

#[test]
fn aliases_keep_type_arguments() {
    let text = "from typing import Callable, Generic, Optional, TypeAlias, TypeVar, Union
T = TypeVar('T')
class Box(Generic[T]):
    def get(self) -> T: ...
Boxed = Box[Cart]
HANDLERS = {'a': Cart()}
Handlers = {'a': Cart()}
Key = 'a'
Either = Union[Base, 'Cart']
Both = Cart | Base
Maybe = Optional[Cart]
Carts = list[Cart]
Named: TypeAlias = 'Cart | Base'
Run = Callable[[], Cart]
def use(boxed: Boxed, name: str, either: Either, both: Both, maybe: Maybe, carts: Carts,
        named: Named, run: Run, all: list[Either]):
    boxed.get().total()
    made = Box[Cart](1)
    made.get().total()
    HANDLERS[name].total()
    found = Handlers[Key]
    found.total()
    either.total()
    both.total()
    maybe.total()
    carts[0].total()
    named.total()
    run.total()
    all[0].total()
    filled = dict[str, Cart]()
    filled['a'].total()
";
    check_file(
        "cart.Cart.total",
        text,
        &[
            "18:16 call",
            "20:15 call",
            "21:19 call",
            "23:10 call",
            "24:11 call",
            "25:9 call",
            "26:10 call",
            "27:13 call",
            "28:10 call",
            "30:11 call",
            "32:16 call",
            "29:8 call?",
        ],
    );
}

#[test]
fn imported_type_variables_count() {
    let types = "from typing import TypeVar\nT = TypeVar('T')\nB = TypeVar('B', bound='Cart')\n\
                 from cart import Cart\n";
    let text = "from typing import Generic
from types_ import T, B
import types_ as t
from cart import Cart
class Box(Generic[T]):
    def get(self) -> T: ...
class Other(Box[t.T]): pass
def bounded(one: B): one.total()
def use(box: Box[Cart], other: Other[Cart]):
    box.get().total()
    other.get().total()
";
    check(
        &[("cart.py", CART), ("types_.py", types), ("b.py", text)],
        "cart.Cart.total",
        &["b.py:8:25 call", "b.py:10:14 call", "b.py:11:16 call"],
    );
}

#[test]
fn a_class_may_have_the_name_of_a_generic_of_the_library() {
    let text = "from cart import Cart
from other import Sequence
import other
T = TypeVar('T')
class Container(Generic[T]):
    def get(self) -> T: ...
def use(container: Container[Cart], sequence: Sequence[Cart], task: other.Task[Cart]):
    container.get().total()
    sequence.load().total()
    task.load().total()
";
    let other = "from typing import Generic, TypeVar
T = TypeVar('T')
class Sequence(Generic[T]):
    def load(self) -> T: ...
class Task(Generic[T]):
    def load(self) -> T: ...
";
    let text = text.replace(
        "from cart",
        "from typing import Generic, TypeVar\nfrom cart",
    );
    check(
        &[("cart.py", CART), ("other.py", other), ("b.py", &text)],
        "cart.Cart.total",
        &["b.py:9:20 call", "b.py:10:20 call", "b.py:11:16 call"],
    );
}

#[test]
fn a_module_may_pass_on_the_generics_of_the_library() {
    let compat = "from typing import Annotated, Callable, Dict, List, Optional, Tuple, Type\n\
                  from asyncio.queues import Queue\n";
    let text = "from cart import Cart
from compat import *
from compat import List
def use(all: List[Cart], one: Annotated[Cart, 1], maybe: Optional[Cart], of: Type[Cart],
        named: Dict[str, Cart], held: Queue[Cart], run: Callable[[], Cart],
        pair: Tuple[int, Cart]):
    all[0].total()
    one.total()
    maybe.total()
    of().total()
    named['a'].total()
    held.get_nowait().total()
    run().total()
    pair[1].total()
";
    check(
        &[("cart.py", CART), ("compat.py", compat), ("b.py", text)],
        "cart.Cart.total",
        &[
            "b.py:7:11 call",
            "b.py:8:8 call",
            "b.py:9:10 call",
            "b.py:10:9 call",
            "b.py:11:15 call",
            "b.py:12:22 call",
            "b.py:13:10 call",
            "b.py:14:12 call",
        ],
    );
}

#[test]
fn calls_of_a_function_with_its_own_results_come_to_an_end() {
    let text = "from typing import Callable, Generic, TypeVar
T = TypeVar('T')
K = TypeVar('K')
def deco(run: Callable[..., T]) -> Callable[..., T]: ...
@deco
@deco
def made() -> Cart: ...
class Box(Generic[T]):
    def map(self, run: Callable[[T], K]) -> 'Box[K]':
        return Box(lambda one: self.map(run(one))(one))
    def get(self) -> T: ...
class Node(Generic[T], 'Base[Node[T]]'): pass
def use(box: Box[int]): box.map(use).get().total()
made().total()
deco(deco(made))().total()
";
    check_file(
        "cart.Cart.total",
        text,
        &["15:7 call", "16:19 call", "14:43 call?"],
    );
}

#[test]
fn a_field_of_a_base_comes_before_those_of_a_class() {
    let text = "from dataclasses import dataclass
from typing import Generic, TypeVar
T = TypeVar('T')
K = TypeVar('K')
@dataclass
class First(Generic[T]):
    first: T
@dataclass
class Both(First[T], Generic[T, K]):
    second: K = None
def use(cart: Cart):
    Both(cart, 1).second.total()
    Both(1, second=cart).second.total()
";
    check_file("cart.Cart.total", text, &["14:32 call", "13:25 call?"]);
}

#[test]
fn a_property_of_a_generic_base_is_assigned() {
    let text = "from typing import Generic, TypeVar
T = TypeVar('T')
class Named(Generic[T]):
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, to): ...
class Sub(Named[T]):
    def __init__(self, name): self.name = name
    def use(self): return self.name
";
    check_file(
        "b.Named.name",
        text,
        &["7:5 reference", "10:35 reference", "11:31 reference"],
    );
}

#[test]
fn parameters_for_further_arguments_have_their_types() {
    let text = "from typing import Any
def use(*carts: Cart, **named: Cart):
    for cart in carts: cart.total()
    carts[0].total()
    named['a'].total()
    for cart in named.values(): cart.total()
def open(*carts: Any, **named: object):
    carts[0].total()
    named['a'].total()
";
    check_file(
        "cart.Cart.total",
        text,
        &[
            "4:28 call",
            "5:13 call",
            "6:15 call",
            "7:37 call",
            "9:13 call?",
            "10:15 call?",
        ],
    );
}

#[test]
fn an_instance_with_type_arguments_is_called_and_iterated() {
    let text = "from typing import Generic, TypeVar
T = TypeVar('T')
class Steps(Generic[T]):
    def __next__(self) -> T: ...
class Run(Generic[T]):
    def __init__(self): self.held = []
    def __call__(self, one) -> T: ...
    def __iter__(self) -> Steps[T]: ...
    def keep(self, one: T): self.held.append(one)
def use(run: Run[Cart], other):
    run(1).total()
    for one in run: one.total()
    run.held[0].total()
    run.missing()
class Other:
    def missing(self): pass
";
    check_file(
        "cart.Cart.total",
        text,
        &["12:11 call", "13:24 call", "14:16 call"],
    );
    check_file("b.Other.missing", text, &["15:8 call?"]);
}
