//! `where_used` in Python: values that flow between the functions of one file.

use crate::where_used::check;

/// Checks the calls of `job` in one file.
#[track_caller]
fn check_calls(text: &str, expected: &[&str]) {
    let text = format!("def job(): pass\n{text}");
    check(&[("a.py", &text)], "a.job", expected);
}

#[test]
fn a_parameter_has_its_argument_until_it_is_assigned() {
    check_calls(
        "def run(task, other=None):\n  \
         task(1)\n  \
         if other is None:\n    \
         other(2)\n    \
         other = job\n  \
         other(3)\n  \
         task = job\n  \
         task(4)\n\
         def each(task):\n  \
         while task(5):\n    \
         task = job\n",
        &[
            "a.py:6:12 reference",
            "a.py:7:2 call",
            "a.py:8:9 reference",
            "a.py:9:2 call",
            "a.py:11:8 call",
            "a.py:12:11 reference",
        ],
    );
}

#[test]
fn arguments_reach_parameters() {
    check_calls(
        "def run(task): task()\n\
         def later(*, task=None): task()\n\
         def all(*tasks):\n  \
         for task in tasks: task()\n\
         run(job)\n\
         later(task=job)\n\
         all(1, job)\n\
         run2 = run\n",
        &[
            "a.py:2:15 call",
            "a.py:3:25 call",
            "a.py:5:21 call",
            "a.py:6:4 reference",
            "a.py:7:11 reference",
            "a.py:8:7 reference",
        ],
    );
    check_calls(
        "class Queue:\n  \
         def __init__(self, task): self.task = task\n  \
         def run(self, task=job): task(); self.task()\n\
         Queue(job).run()\n",
        &[
            "a.py:3:33 reference",
            "a.py:3:40 reference",
            "a.py:4:21 reference",
            "a.py:4:27 call",
            "a.py:4:40 call",
            "a.py:5:6 reference",
        ],
    );
}

#[test]
fn results_are_called() {
    check_calls(
        "def choose(): return job\n\
         choose()()\n\
         chosen = choose()\n\
         chosen()\n\
         make = lambda: job\n\
         make()()\n\
         def same(task): return task\n\
         same(job)()\n\
         same(print)()\n",
        &[
            "a.py:2:21 reference",
            "a.py:3:0 call",
            "a.py:5:0 call",
            "a.py:6:15 reference",
            "a.py:7:0 call",
            "a.py:8:23 reference",
            "a.py:9:0 call",
            "a.py:9:5 reference",
        ],
    );
}

#[test]
fn elements_and_members_are_followed() {
    check_calls(
        "tasks = {'a': job, 'b': print}\n\
         tasks['a']()\n\
         tasks['b']()\n\
         first, (second, *rest) = [print, (job, print)]\n\
         first()\n\
         second()\n\
         rest[0]()\n\
         many = []\n\
         many.append(job)\n\
         for one in many: one()\n\
         class Box: pass\n\
         box = Box()\n\
         box.task = job\n\
         box.task()\n",
        &[
            "a.py:2:14 reference",
            "a.py:3:0 call",
            "a.py:5:34 reference",
            "a.py:7:0 call",
            "a.py:10:12 reference",
            "a.py:11:17 call",
            "a.py:14:11 reference",
            "a.py:15:4 call",
        ],
    );
}

#[test]
fn the_last_assignment_holds() {
    check_calls(
        "task = job\n\
         task()\n\
         task = print\n\
         task()\n\
         if task: task = job\n\
         task()\n\
         for x in []:\n  \
         task()\n  \
         task = print\n",
        &[
            "a.py:2:7 reference",
            "a.py:3:0 call",
            "a.py:6:16 reference",
            "a.py:7:0 call",
            "a.py:9:2 call",
        ],
    );
}

#[test]
fn decorators_and_builtins_call() {
    check_calls(
        "def twice(f):\n  \
         def inner(): f(); f()\n  \
         return inner\n\
         @job\n\
         def g(): pass\n\
         wrapped = twice(job)\n\
         list(map(job, [1]))\n\
         sorted([1], key=job)\n",
        &[
            "a.py:3:15 call",
            "a.py:3:20 call",
            "a.py:5:1 call",
            "a.py:7:16 reference",
            "a.py:8:9 call",
            "a.py:9:16 call",
        ],
    );
    check(
        &[(
            "a.py",
            "def dec(f):\n  \
             def inner(): f()\n  \
             return inner\n\
             @dec\n\
             def g(): pass\n\
             g()\n",
        )],
        "a.dec.inner",
        &["a.py:3:9 reference", "a.py:6:0 call"],
    );
}

#[test]
fn protocols_run_methods() {
    let text = "class Rows:\n  \
                def __iter__(self): return self\n  \
                def __next__(self): return 1\n  \
                def __enter__(self): return self\n  \
                def __exit__(self, *x): pass\n  \
                def __call__(self): pass\n\
                rows = Rows()\n\
                for row in rows: pass\n\
                with rows as r: r.__iter__()\n\
                rows()\n\
                class Bad(Exception):\n  \
                def __init__(self): pass\n\
                raise Bad\n";
    let files = [("a.py", text)];
    let iterations = ["a.py:8:11 call", "a.py:9:18 call"];
    check(&files, "a.Rows.__iter__", &iterations);
    check(&files, "a.Rows.__next__", &["a.py:8:11 call"]);
    check(&files, "a.Rows.__enter__", &["a.py:9:5 call"]);
    check(&files, "a.Rows.__call__", &["a.py:10:0 call"]);
}

#[test]
fn tests_of_types_narrow_names() {
    check(
        &[(
            "a.py",
            "class A:\n  \
             def m(self): pass\n\
             def f(x, y, z: 'A | str'):\n  \
             if isinstance(x, (A, str)): x.m()\n  \
             x.m\n  \
             if not isinstance(y, A): return\n  \
             y.m()\n  \
             z.m()\n",
        )],
        "a.A.m",
        &[
            "a.py:4:32 call",
            "a.py:7:4 call",
            "a.py:8:4 call",
            "a.py:5:4 reference?",
        ],
    );
}

#[test]
fn several_bases_are_searched_in_the_order_of_python() {
    let text = "class A:\n  \
                def m(self): pass\n\
                class B(A): pass\n\
                class C(A):\n  \
                def m(self): pass\n\
                class D(B, C): pass\n\
                D().m()\n";
    check(&[("a.py", text)], "a.C.m", &["a.py:7:4 call"]);
}

#[test]
fn casts_and_copies_have_types() {
    let text = "import copy\n\
                import typing as t\n\
                from typing import cast\n\
                class Cart:\n  \
                def total(self): pass\n\
                def f(v):\n  \
                a = t.cast(Cart, v)\n  \
                a.total()\n  \
                b = cast('Cart', v)\n  \
                b.total()\n  \
                c = copy.deepcopy(Cart())\n  \
                c.total()\n";
    let expected = ["a.py:8:4 call", "a.py:10:4 call", "a.py:12:4 call"];
    check(&[("a.py", text)], "a.Cart.total", &expected);
}

#[test]
fn an_attribute_that_may_have_another_value_is_not_followed() {
    let queue = "class Queue:\n  def __init__(self, task): self.task = task\n";
    let references = ["a.py:3:40 reference", "a.py:4:14 reference"];
    for change in ["queue.task = print", "from b import change; change(queue)"] {
        let text = format!("{queue}queue = Queue(job)\n{change}\nqueue.task()\n");
        check_calls(&text, &references);
    }
    check_calls(
        &format!("{queue}queue = Queue(job)\nqueue.task()\nqueue.task = None\n"),
        &[
            "a.py:3:33 reference",
            "a.py:3:40 reference",
            "a.py:4:14 reference",
            "a.py:5:6 call",
            "a.py:6:6 reference",
        ],
    );
}

#[test]
fn an_attribute_keeps_the_type_of_its_parameter() {
    check(
        &[(
            "a.py",
            "class Task:\n  def run(self): pass\n\
             class Queue:\n  def __init__(self, task: Task): self.task = task\n  \
             def change(self, task): self.task = task\n  \
             def start(self): self.task.run()\n",
        )],
        "a.Task.run",
        &["a.py:6:29 call"],
    );
}

#[test]
fn a_function_that_an_imported_one_returns_is_called() {
    check(
        &[
            ("jobs.py", "def job(): pass\n"),
            (
                "choose.py",
                "from jobs import job\ndef choose(): return job\n",
            ),
            (
                "main.py",
                "from choose import choose\nchosen = choose()\nchosen()\nchoose()()\n",
            ),
        ],
        "jobs.job",
        &[
            "choose.py:1:17 import",
            "choose.py:2:21 reference",
            "main.py:3:0 call",
            "main.py:4:0 call",
        ],
    );
}

#[test]
fn a_declared_callable_returns_what_its_type_says() {
    check(
        &[
            (
                "core.py",
                "from typing import Any, Callable\n\
                 class Group:\n  def command(self): pass\n\
                 def group(name: str) -> Callable[[Callable[..., Any]], Group]:\n  ...\n\
                 def run(make: \"Callable[[], Group]\"): make().command()\n",
            ),
            (
                "main.py",
                "from core import group\n@group('main')\ndef main(): pass\nmain.command()\n",
            ),
        ],
        "core.Group.command",
        &["core.py:6:45 call", "main.py:4:5 call"],
    );
}

#[test]
fn a_declared_callable_is_what_its_calls_pass() {
    check_calls(
        "from typing import Callable\n\
         class Task: pass\n\
         def run(task: Callable[[], Task]): task()\n\
         run(job)\n\
         def same(task) -> Callable[[], Task]: return job\n\
         same(print)()\n",
        &[
            "a.py:4:35 call",
            "a.py:5:4 reference",
            "a.py:6:45 reference",
            "a.py:7:0 call",
        ],
    );
}

#[test]
fn functions_of_the_standard_library_pass_and_return_elements() {
    let text = "from collections import deque
from functools import reduce
class Cart:
    def total(self): pass
def use(carts: list[Cart], names: list[str]):
    for name, cart in zip(names, carts): cart.total()
    for name, cart in zip(names, carts): name.total()
    sorted(carts, key=lambda one: one.total())
    carts.sort(key=lambda one: one.total())
    max(carts, key=lambda one: one.total()).total()
    next(one for one in carts).total()
    next((one for one in carts if one), None).total()
    reduce(lambda sum, one: one.total(), carts, 0)
    reduce(lambda sum, one: sum.total(), carts, 0)
    for one in set(carts): one.total()
    for one in deque(carts): one.total()
    [two.total() for one, two in zip(names, carts)]
    min(1, 2, key=lambda one: one.total())
    names.max(carts).total()
    (one := Cart()).total()
    (carts[0] if names else Cart()).total()
    (carts[0] or None).total()
";
    check(
        &[("a.py", text)],
        "Cart.total",
        &[
            "a.py:6:46 call",
            "a.py:8:38 call",
            "a.py:9:35 call",
            "a.py:10:35 call",
            "a.py:10:44 call",
            "a.py:11:31 call",
            "a.py:12:46 call",
            "a.py:13:32 call",
            "a.py:15:31 call",
            "a.py:16:33 call",
            "a.py:17:9 call",
            "a.py:20:20 call",
            "a.py:21:36 call",
            "a.py:22:23 call",
            "a.py:7:46 call?",
            "a.py:14:32 call?",
            "a.py:18:34 call?",
            "a.py:19:21 call?",
        ],
    );
}

#[test]
fn a_loop_over_an_attribute_has_the_elements_that_methods_add() {
    check(
        &[
            ("cart.py", "class Cart:\n    def total(self): ...\n"),
            (
                "shop.py",
                "from cart import Cart\n\n\
                 class Shop:\n\
                 \x20   def __init__(self):\n\
                 \x20       self.all = []\n\
                 \x20   def fill(self):\n\
                 \x20       self.all.append(Cart())\n\
                 \x20   def run(self):\n\
                 \x20       for cart in self.all:\n\
                 \x20           cart.total()\n",
            ),
        ],
        "Cart.total",
        &["shop.py:10:17 call"],
    );
}

#[test]
fn slices_and_functions_of_asyncio_keep_their_elements() {
    check_calls(
        "def other(): pass\n\
         async def load(): return job\n\
         all = [other, job, other]\n\
         rest = all[1:]\n\
         rest[0]()\n\
         rest[1]()\n\
         for one in all[1:2]: one()\n\
         all[::-1][0]()\n\
         import asyncio, itertools\n\
         async def run():\n\
         \x20   a, b = await asyncio.gather(load(), other())\n\
         \x20   a()\n\
         \x20   b()\n\
         \x20   c = await asyncio.wait_for(load(), 1)\n\
         \x20   c()\n\
         for two in itertools.chain([other], [job]): two()\n",
        &[
            "a.py:3:25 reference",
            "a.py:4:14 reference",
            "a.py:6:0 call",
            "a.py:8:21 call",
            "a.py:9:0 call",
            "a.py:13:4 call",
            "a.py:16:4 call",
            "a.py:17:37 reference",
            "a.py:17:44 call",
        ],
    );
}

#[test]
fn patterns_of_match_test_classes_and_bind_their_parts() {
    check(
        &[
            (
                "shapes.py",
                "class Cart:\n    def total(self): ...\nclass Other:\n    other: Cart\n    \
                 def total(self): ...\n",
            ),
            (
                "app.py",
                "from shapes import Cart, Other\n\
                 def run(value, carts: list[Cart], by: dict[str, Cart]):\n    \
                 match value:\n        \
                 case Cart():\n            \
                 value.total()\n        \
                 case Other(other=inner) as whole:\n            \
                 inner.total()\n            \
                 whole.total()\n            \
                 value.total()\n        \
                 case (Cart() | Other()) as both:\n            \
                 both.total()\n        \
                 case Other(first):\n            \
                 first.total()\n        \
                 case rest:\n            \
                 rest.total()\n    \
                 match carts:\n        \
                 case [one, *others]:\n            \
                 one.total()\n            \
                 others[0].total()\n    \
                 match by:\n        \
                 case {'a': found}:\n            \
                 found.total()\n    \
                 first, *last = carts\n    \
                 last[0].total()\n",
            ),
        ],
        "Cart.total",
        &[
            "app.py:5:18 call",
            "app.py:7:18 call",
            "app.py:11:17 call",
            "app.py:18:16 call",
            "app.py:19:22 call",
            "app.py:22:18 call",
            "app.py:24:12 call",
            "app.py:13:18 call?",
            "app.py:15:17 call?",
        ],
    );
}

#[test]
fn a_pattern_of_a_sequence_says_nothing_about_the_class_of_the_whole() {
    let text = "class Cart:
    def total(self): ...
def run(value, pair, carts: list[Cart], by: dict[int, Cart]):
    match value:
        case [Cart()]: value.total()
    match pair:
        case Cart(), n: pair.total()
    match carts:
        case [one]: one.total()
        case first, second: second.total()
        case (only): only[0].total()
    match by:
        case {1: found}: found.total()
";
    check(
        &[("a.py", text)],
        "a.Cart.total",
        &[
            "a.py:9:24 call",
            "a.py:10:35 call",
            "a.py:11:29 call",
            "a.py:13:31 call",
            "a.py:5:29 call?",
            "a.py:7:29 call?",
        ],
    );
}

#[test]
fn a_slice_has_what_lies_beyond_unknown_elements_and_what_is_added() {
    check_calls(
        "all = ['a', job]\n\
         for one in all[:]: one()\n\
         more = ['a']\n\
         more.append(job)\n\
         for two in more[0:]: two()\n\
         all[18446744073709551615:][0]()\n\
         from helpers import wait_for, gather\n\
         three = wait_for(job)\n\
         three()\n\
         four, five = gather(job, job)\n\
         four()\n",
        &[
            "a.py:2:12 reference",
            "a.py:3:19 call",
            "a.py:5:12 reference",
            "a.py:6:21 call",
            "a.py:9:17 reference",
            "a.py:11:20 reference",
            "a.py:11:25 reference",
        ],
    );
}

#[test]
fn a_loop_over_a_dictionary_has_its_keys() {
    let text = "class Cart:
    def total(self): ...
class Shop:
    def __init__(self):
        self.by = {}
    def add(self, key):
        self.by[key] = Cart()
    def run(self):
        for key in self.by: key.total()
        self.by[1].total()
";
    check(
        &[("a.py", text)],
        "a.Cart.total",
        &["a.py:10:19 call", "a.py:9:32 call?"],
    );
}

#[test]
fn a_function_may_return_a_parameter_or_what_it_returns_itself() {
    let text = "class Cart:
    def total(self): ...
def unwrap(cart, n):
    if n:
        return cart
    return unwrap(cart, n - 1)
unwrap(Cart(), 1).total()
def even(cart, n):
    return cart if n else odd(cart, n - 1)
def odd(cart, n):
    if n:
        return cart
    return even(Cart(), n - 1)
even(Cart(), 1).total()
last = lambda cart, n: cart if n else last(cart.next, n - 1)
last(Cart(), 1).total()
";
    check(
        &[("a.py", text)],
        "a.Cart.total",
        &["a.py:7:18 call", "a.py:14:16 call", "a.py:16:16 call"],
    );
}

#[test]
fn a_function_assigns_to_a_name_of_an_outer_scope() {
    let text = "class Cart:
    def total(self): ...
_cart = None
def cart():
    global _cart
    if _cart is None:
        _cart = Cart()
    return _cart
def show():
    _cart.total()
    cart().total()
def make():
    global made
    made = Cart()
def outer():
    kept = None
    def keep():
        nonlocal kept
        kept = 1
        def deeper():
            nonlocal kept
            kept = Cart()
            kept.total()
    keep()
    kept.total()
def other(kept):
    kept.total()
";
    let other = "import a\na.made.total()\na.cart().total()\n";
    check(
        &[("a.py", text), ("b.py", other)],
        "a.Cart.total",
        &[
            "a.py:10:10 call",
            "a.py:11:11 call",
            "a.py:23:17 call",
            "a.py:25:9 call",
            "b.py:2:7 call",
            "b.py:3:9 call",
            "a.py:27:9 call?",
        ],
    );
}

#[test]
fn a_module_may_declare_its_names_as_global() {
    let text = "class Cart:
    def total(self): ...
global cart
cart = Cart()
def show():
    cart.total()
class Shop:
    global kept
    kept = Cart()
kept.total()
";
    let expected = ["a.py:6:9 call", "a.py:10:5 call"];
    check(&[("a.py", text)], "a.Cart.total", &expected);
}

#[test]
fn a_class_has_the_elements_of_the_container_that_it_extends() {
    let text = "from typing import TypeVar
T = TypeVar(\"T\")
class Cart:
    def total(self): ...
class Carts(list[Cart]):
    def first(self):
        return self[0].total()
class Items(list[T]): ...
class More(Items[Cart]): ...
class Named(dict[str, Cart]): ...
def f(a: Carts, b: Items[Cart], c: More, d: Named):
    a[0].total()
    for one in a: one.total()
    for one in a[1:]: one.total()
    a.pop().total()
    b[0].total()
    for one in b[1:]: one.total()
    for one in c: one.total()
    d[\"a\"].total()
    d.get(\"a\").total()
    for _, one in d.items(): one.total()
    for key in d: key.total()
    a.total()
";
    check(
        &[("a.py", text)],
        "a.Cart.total",
        &[
            "a.py:7:23 call",
            "a.py:12:9 call",
            "a.py:13:22 call",
            "a.py:14:26 call",
            "a.py:15:12 call",
            "a.py:16:9 call",
            "a.py:17:26 call",
            "a.py:18:22 call",
            "a.py:19:11 call",
            "a.py:20:15 call",
            "a.py:21:33 call",
            "a.py:22:22 call?",
            "a.py:23:6 call?",
        ],
    );
}
