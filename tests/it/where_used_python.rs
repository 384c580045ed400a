//! Where-used in Python: values that come back from outside of the repository, `Self`, and members
//! that a class does not declare itself.

use crate::where_used::check;

#[test]
fn builtin_containers_return_their_elements() {
    let text = "class Cart:
    def total(self): pass

def f(named: dict[str, Cart], many: list[Cart]):
    named.get('a').total()
    named.pop('a').total()
    found = named.setdefault('a', Cart())
    if found: found.total()
    many.pop().total()
    many.copy()[0].total()
";
    check(
        &[("a.py", text)],
        "Cart.total",
        &[
            "a.py:5:19 call",
            "a.py:6:19 call",
            "a.py:8:20 call",
            "a.py:9:15 call",
            "a.py:10:19 call",
        ],
    );
}

#[test]
fn containers_that_the_file_writes_out_return_their_elements() {
    let text = "class Cart:
    def total(self): pass
named = {'a': Cart()}
named.get('a').total()
many = [Cart()]
many.pop().total()
";
    check(
        &[("a.py", text)],
        "Cart.total",
        &["a.py:4:15 call", "a.py:6:11 call"],
    );
}

#[test]
fn functions_from_outside_may_return_what_they_are_given() {
    let text = "import copy, json, typing as t
class Cart:
    def total(self): pass

def f(cart: Cart, many, text: str, out: json.JSONDecoder):
    copy.copy(cart).total()
    t.cast(Cart, cart).total()
    next(iter(many)).total()
    max(many).total()
    json.loads(text, object_hook=Cart).total()
    text.total()
    text.strip().total()
    len(many).total()
    out.total()
    json.JSONDecoder().total()
";
    check(
        &[("a.py", text)],
        "Cart.total",
        &[
            "a.py:6:20 call",
            "a.py:7:23 call",
            "a.py:8:21 call?",
            "a.py:9:14 call?",
            "a.py:10:39 call?",
        ],
    );
}

#[test]
fn self_is_the_type_of_the_receiver() {
    let text = "import typing as t
from typing_extensions import Self
class Cart:
    def add(self) -> Self: return self
    @classmethod
    def make(cls) -> t.Self: return cls()
    @property
    def same(self) -> 'Self': return self
    def total(self): pass
class Basket(Cart):
    def carry(self): pass

Cart().add().total()
Cart.make().total()
Cart().same.total()
Basket().add().carry()
";
    let files = [("a.py", text)];
    check(
        &files,
        "Cart.total",
        &["a.py:13:13 call", "a.py:14:12 call", "a.py:15:12 call"],
    );
    check(&files, "Basket.carry", &["a.py:16:15 call"]);
}

#[test]
fn a_class_that_inherits_may_declare_what_the_class_lacks() {
    let text = "class Mixin:
    def run(self):
        self.step()
        self.part.step()
    @classmethod
    def make(cls): cls.step()

class Cart(Mixin):
    def step(self): pass
";
    check(
        &[("a.py", text)],
        "Cart.step",
        &["a.py:3:13 call?", "a.py:4:18 call?", "a.py:6:23 call?"],
    );
}

#[test]
fn a_name_in_the_body_of_a_class_has_its_outer_meaning_until_the_class_binds_it() {
    check(
        &[(
            "a.py",
            "def total(): pass
class A:
    total = total
    alias = total
    def run(self): total()
",
        )],
        "total",
        &[
            "a.py:3:12 reference",
            "a.py:4:12 reference",
            "a.py:5:19 call",
        ],
    );
}

#[test]
fn a_method_is_no_name_of_its_class_before_it_is_defined() {
    let files = [
        ("re_.py", "class Pattern: pass\ndef list(): pass\n"),
        (
            "a.py",
            "from re_ import list, Pattern
class A:
    def box(self, x: list) -> list: return x
    def list(self) -> list[int]: return 1
    @property
    def Pattern(self) -> Pattern: pass
    items = list
",
        ),
    ];
    let outside = [
        "a.py:1:16 import",
        "a.py:3:21 reference",
        "a.py:3:30 reference",
    ];
    check(
        &files,
        "re_.list",
        &[&outside[..], &["a.py:4:22 reference"]].concat(),
    );
    check(&files, "a.A.list", &["a.py:7:12 reference"]);
    check(
        &files,
        "re_.Pattern",
        &["a.py:1:22 import", "a.py:6:25 reference"],
    );
}

#[test]
fn an_annotation_without_a_value_binds_no_name_of_a_class() {
    let files = [
        ("dates.py", "class date:\n    def day(self): pass\n"),
        (
            "a.py",
            "from dates import date
class Event:
    date: date
    other: date
    def at(self, d: date) -> date:
        self.date.day()
        return d
",
        ),
    ];
    let uses = [
        "a.py:1:18 import",
        "a.py:3:10 reference",
        "a.py:4:11 reference",
        "a.py:5:20 reference",
        "a.py:5:29 reference",
    ];
    check(&files, "dates.date", &uses);
    check(&files, "date.day", &["a.py:6:18 call"]);
}

#[test]
fn parameters_of_tests_may_be_fixtures() {
    check(
        &[
            (
                "tests/conftest.py",
                "import pytest
@pytest.fixture
def client(): return 1
",
            ),
            (
                "tests/deep/test_a.py",
                "def test_x(client, other):
    client.get()
    run(lambda: client)
def helper(client): client
@fixture
def logged_in(client): return client
class TestB:
    def test_y(self, client): pass
    def test_z(self):
        client = 1
        client
",
            ),
            ("app/test_b.py", "def test_x(client): pass\n"),
        ],
        "client",
        &[
            "tests/deep/test_a.py:1:11 reference?",
            "tests/deep/test_a.py:2:4 reference?",
            "tests/deep/test_a.py:3:16 reference?",
            "tests/deep/test_a.py:6:14 reference?",
            "tests/deep/test_a.py:6:30 reference?",
            "tests/deep/test_a.py:8:21 reference?",
        ],
    );
}

#[test]
fn a_member_is_no_name_of_its_class_before_its_definition_ends() {
    let files = [
        ("m.py", "def trace(f): return f\nclass Meta: pass\n"),
        (
            "a.py",
            "from m import trace, Meta
class A:
    @trace
    def trace(self): pass
    other = trace
class B:
    base = Meta
    class Meta(Meta): pass
    kind: 'Late'
    class Late: pass
",
        ),
    ];
    check(&files, "m.trace", &["a.py:1:14 import", "a.py:3:5 call"]);
    check(
        &files,
        "m.Meta",
        &[
            "a.py:1:21 import",
            "a.py:7:11 reference",
            "a.py:8:15 inherit",
        ],
    );
    check(&files, "B.Late", &["a.py:9:11 reference"]);
}

#[test]
fn a_head_with_type_parameters_is_complete_beside_a_repaired_one() {
    // Defaults of type parameters are repaired, since the grammar does not know them.
    let text = "\
class Item:
    def run(self): pass
class Box[T = Item]: pass
def first[T](item: Item, all: list[T]) -> T:
    item.run()
    return all[0]
";
    check(&[("a.py", text)], "Item.run", &["a.py:5:9 call"]);
}

#[test]
fn an_assignment_to_an_inherited_property_declares_no_attribute() {
    let text = "class Plain:
    shown = 1
class App(Plain):
    @property
    def debug(self): return 1
    @debug.setter
    def debug(self, value): pass
    @property
    def shown(self): return 1
    @property
    def made(self): return 1
class Mixed: pass
class Flask(App, Mixed):
    made = 2
    def run(self):
        self.debug = 2
        return self.debug, self.shown, self.made
class Cheap(Flask):
    def run(self):
        self.debug = 3
        self.other = 4
        return self.debug, self.other
    def other(self): pass
";
    let files = [("app.py", text)];
    check(
        &files,
        "App.debug",
        &[
            "app.py:6:5 reference",
            "app.py:16:13 reference",
            "app.py:17:20 reference",
            "app.py:20:13 reference",
            "app.py:22:20 reference",
        ],
    );
    check(&files, "App.made", &["app.py:17:44 reference?"]);
}

#[test]
fn the_parts_of_an_annotated_tuple_have_their_types() {
    let text = "import typing as t
class Cart:
    def total(self): pass
class Price:
    def total(self): pass
def plain() -> tuple[Cart, str]: ...
def quoted() -> t.Tuple['Cart', Price]: ...
def nested() -> list[tuple[int, tuple[Cart, Price]]]: ...
def either() -> tuple[Cart | Price, str]: ...
def texts() -> tuple[str, int]: ...
class Shop:
    last: tuple[Price, Cart]
    def find(self, name: str) -> tuple[Cart, ...]: ...
    def use(self, given: tuple[str, Cart], all: dict[str, tuple[Cart, int]]):
        cart, name = plain()
        cart.total()
        name.total()
        cart, price = quoted()
        cart.total()
        price.total()
        for count, (cart, price) in nested():
            cart.total()
            price.total()
        cart, name = either()
        cart.total()
        self.last[1].total()
        given[1].total()
        given[0].total()
        one, two = self.find('a')
        two.total()
        for cart, count in all.values():
            cart.total()
        first, second = texts()
        first.total()
";
    check(
        &[("a.py", text)],
        "Cart.total",
        &[
            "a.py:16:13 call",
            "a.py:19:13 call",
            "a.py:22:17 call",
            "a.py:25:13 call",
            "a.py:26:21 call",
            "a.py:27:17 call",
            "a.py:30:12 call",
            "a.py:32:17 call",
        ],
    );
}

#[test]
fn each_side_of_a_declared_union_counts() {
    let text = "class Zed:
    def ring(self): ...
class Yak:
    def ring(self): ...
class Base:
    other: Zed | Yak = Zed()
    def __init__(self):
        self.item: 'Zed | Yak' = Zed()
    def make(self) -> Zed | Yak: return Zed()
current: Zed | Yak = Zed()
def use(base: Base):
    base.make().ring()
    base.item.ring()
    base.other.ring()
    current.ring()
    local: Zed | Yak = Zed()
    local.ring()
";
    let files = [("a.py", text)];
    let both = [
        "a.py:12:16 call",
        "a.py:13:14 call",
        "a.py:14:15 call",
        "a.py:15:12 call",
    ];
    check(&files, "Yak.ring", &both);
    check(
        &files,
        "Zed.ring",
        &[&both[..], &["a.py:17:10 call"]].concat(),
    );
}

#[test]
fn a_class_may_implement_a_protocol_that_it_does_not_name() {
    let text = "from typing import Protocol
class Mailer(Protocol):
    def send(self, to: str) -> None: ...
class Smtp:
    def send(self, to: str) -> None: print(to)
class Pigeon:
    def send(self, to: str) -> None: print(to)
    def fly(self): pass
class Sender(Protocol):
    def send(self, to: str) -> None: ...
    def close(self): ...
def notify(m: Mailer, s: Sender):
    m.send('x')
    s.send('x')
";
    let files = [("a.py", text)];
    check(&files, "Smtp.send", &["a.py:13:6 call?"]);
    check(&files, "Pigeon.send", &["a.py:13:6 call?"]);
    check(&files, "Mailer.send", &["a.py:13:6 call"]);
    check(&files, "Sender.send", &["a.py:14:6 call"]);
}

#[test]
fn a_method_of_a_class_returns_its_argument() {
    let text = "class Cart:
    def total(self): pass
class Shop:
    def same(self, one): return one
    @classmethod
    def of(cls, one): return one
    @staticmethod
    def plain(one): return one
    def itself(self, one): return self
    def total(self): pass
Shop().same(Cart()).total()
Shop.same(Shop(), Cart()).total()
Shop.of(Cart()).total()
Shop().of(Cart()).total()
Shop.plain(Cart()).total()
Shop().itself(Cart()).total()
";
    check(
        &[("a.py", text)],
        "Cart.total",
        &[
            "a.py:11:20 call",
            "a.py:12:26 call",
            "a.py:13:16 call",
            "a.py:14:18 call",
            "a.py:15:19 call",
        ],
    );
}

#[test]
fn members_of_an_enumeration_are_instances_of_it() {
    let kinds = "import enum
from enum import Enum
class Base(str, Enum):
    def open(self): pass
class Kind(Base):
    A = 'a'
    def other(self): self.B.open()
    B = 'b'
class Flags(enum.Flag):
    A = enum.auto()
    def open(self): pass
class Plain:
    A = 1
    def open(self): pass
";
    let text = "from kinds import Kind, Flags, Plain
Kind.A.open()
Kind['A'].open()
for kind in Kind:
    kind.open()
kept = Kind.B
kept.open()
Flags.A.open()
Plain.A.open()
";
    let files = [("kinds.py", kinds), ("use.py", text)];
    check(
        &files,
        "Base.open",
        &[
            "kinds.py:7:28 call",
            "use.py:2:7 call",
            "use.py:3:10 call",
            "use.py:5:9 call",
            "use.py:7:5 call",
            "use.py:9:8 call?",
        ],
    );
    check(
        &files,
        "Flags.open",
        &["use.py:8:8 call", "use.py:9:8 call?"],
    );
}
