//! `where_used` in Python: the types of values in containers that later statements fill, of what
//! functions of the standard library return, and of fixtures of pytest.

use crate::where_used::{check, rows_of_totals};

const CART: (&str, &str) = (
    "cart.py",
    "class Cart:
    def total(self): pass
class Box:
    def total(self): pass
def make(): return Cart()
",
);

/// Checks that each `.total()` of a text is a use of `Cart.total`. In a line that ends in `# ?`
/// it is only known by name, and in one that ends in `# -` it is none.
#[track_caller]
fn check_totals(text: &str) {
    check_files(&[(
        "shop.py",
        &format!("from cart import Cart, Box, make\n{text}"),
    )]);
}

#[track_caller]
fn check_files(files: &[(&str, &str)]) {
    let rows = rows_of_totals(files);
    let expected: Vec<&str> = rows.iter().map(String::as_str).collect();
    check(&[&[CART], files].concat(), "Cart.total", &expected);
}

#[test]
fn a_container_has_what_later_statements_add() {
    check_totals(
        "import queue
from collections import defaultdict, deque
def run(xs, others):
    made = []
    for x in xs: made.append(Cart())
    made.pop().total()
    sorted(made)[0].total()
    more = []
    more.extend(made)
    more += [Cart()]
    more[0].total()
    by_name = {}
    by_name['a'] = Cart()
    by_name.get('b').total()
    for cart in by_name.values(): cart.total()
    for name, cart in sorted(by_name.items()): cart.total()
    for name in by_name: name.total() # ?
    groups = defaultdict(list)
    groups[xs].append(Cart())
    for name, carts in groups.items(): carts[0].total()
    lists = {}
    lists.setdefault(xs, []).append(Cart())
    lists['a'][0].total()
    carts = set()
    carts.add(Cart())
    carts.pop().total()
    waiting = deque(maxlen=3)
    waiting.append(Cart())
    waiting.popleft().total()
    jobs = queue.Queue(5)
    jobs.put(Cart())
    jobs.get().total()
    return made
run([], [])[0].total()
",
    );
}

#[test]
fn an_attribute_with_a_container_has_what_any_method_adds() {
    check_totals(
        "class Shop:
    def __init__(self):
        self.carts = []
        self.by_name = {}
    def add(self, name):
        self.carts.append(Cart())
        self.by_name[name] = Cart()
    def run(self):
        self.carts.pop().total()
        for cart in self.carts: cart.total()
        for cart in self.by_name.values(): cart.total()
        self.by_name.get('a').total()
    def __iter__(self): return iter(self.carts)
for cart in Shop(): cart.total()
",
    );
}

#[test]
fn only_a_container_that_is_created_is_filled() {
    check_totals(
        "class Session:
    def add(self, one): pass
    def append(self, one): pass
    def get(self, name): return Box()
    def pop(self): return Box()
def run(session, other: Session, xs):
    session.add(Cart())
    session.get(1).total() # ?
    other.append(Cart())
    other.pop().total() # -
    made = []
    made.append(Cart())
    made = []
    made.append(Box())
    made.pop().total() # -
    made = Box()
    made.total() # -
    itself = []
    itself.append(itself.pop())
    itself.pop().total() # ?
    one, two = [], []
    one.append(two)
    two.append(one)
    one[0][0].total() # ?
",
    );
}

#[test]
fn functions_of_the_library_return_what_they_are_given() {
    check_totals(
        "import asyncio, contextlib, copy, functools, heapq, itertools as it, \
    random, typing, weakref
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import chain, pairwise
def run(flag, unknown):
    carts = [Cart(), Cart()]
    list(carts)[0].total()
    (carts or [])[0].total()
    [*carts][0].total()
    list(map(Cart, range(3)))[0].total()
    list(zip(range(3), carts))[0][1].total()
    list(enumerate(carts))[0][1].total()
    dict(a=Cart())['a'].total()
    dict(zip('ab', carts))['a'].total()
    dict.fromkeys('ab', Cart())['b'].total()
    max(Cart(), Cart()).total()
    copy.copy(carts[0]).total()
    typing.cast('Cart', unknown).total()
    random.choice(carts).total()
    heapq.nlargest(2, carts)[0].total()
    functools.reduce(lambda one, other: one, carts).total()
    for one, other in it.product(carts, carts): one.total()
    for one, other in pairwise(carts): other.total()
    for name, group in it.groupby(carts):
        for cart in group: cart.total()
    for cart in chain.from_iterable([carts]): cart.total()
    for cart in it.cycle(carts): cart.total()
    with contextlib.closing(Cart()) as cart: cart.total()
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.nullcontext(Cart())).total()
    weak = weakref.ref(Cart())
    weak().total()
    (lambda: Cart())().total()
    asyncio.run(make()).total()
    with ThreadPoolExecutor() as pool:
        pool.submit(make).result().total()
        jobs = [pool.submit(make) for _ in range(3)]
        for job in as_completed(jobs): job.result().total()
async def wait(loop):
    (await asyncio.wait_for(make(), 1)).total()
    (await asyncio.to_thread(make)).total()
    (await loop.run_in_executor(None, make)).total()
",
    );
}

#[test]
fn a_function_of_another_module_is_not_that_of_the_library() {
    check_totals(
        "from mylib import chain, deque, sorted
import mylib as itertools
class Pool:
    def submit(self, function): return Box()
    def map(self, function, values): return [Box()]
def run(pool: Pool):
    sorted([Cart()])[0].total() # ?
    deque([Cart()])[0].total() # ?
    for cart in chain([Cart()]): cart.total() # ?
    for cart in itertools.chain([Cart()]): cart.total() # ?
    pool.submit(Cart).total() # -
    for box in pool.map(Cart, [1]): box.total() # -
",
    );
}

#[test]
fn a_copy_of_a_dictionary_has_its_keys() {
    check_totals(
        "import collections
def run(name, queue):
    carts = {}
    carts['a'] = Cart()
    todo = list(carts)
    todo.pop().total() # ?
    collections.deque(carts).popleft().total() # ?
    for one in carts.copy(): one.total() # ?
    carts.copy().get(name).total()
    for cart in list(carts.values()): cart.total()
    queue.total() # ?
    grown = {}
    grown[name] = Cart()
    for one in grown: one.total() # ?
    list(grown).pop().total() # ?
    for one in grown.values(): one.total()
",
    );
}

#[test]
fn a_class_may_have_methods_of_the_names_of_those_of_the_library() {
    let files = [
        (
            "pool.py",
            "from cart import Box, Cart
class Pool:
    def submit(self, job): return Cart()
    def map(self, job): return Cart()
    def enter_context(self, one): return Box()
class Stash:
    def pop(self, name): return Cart()
",
        ),
        (
            "shop.py",
            "import concurrent.futures
from cart import Cart
from pool import Pool
def run(jobs: Pool, job):
    jobs.submit(job).total()
    jobs.map(job).total()
    jobs.enter_context(Cart()).total() # -
    made = {}
    made['a'] = Cart()
    made.pop('a').total()
",
        ),
    ];
    check_files(&files);
    check(&[&[CART], &files[..]].concat(), "Stash.pop", &[]);
}

#[test]
fn what_is_no_test_of_pytest_gets_no_fixtures() {
    check_files(&[
        (
            "conftest.py",
            "import pytest
from cart import Box, Cart
@pytest.fixture
def cart(): return Cart()
@pytest.fixture
def carts(): return [Cart()]
@pytest.fixture
def last(): return Cart()
@pytest.fixture
def last(): return Box()
",
        ),
        (
            "shop.py",
            "class Service:
    def test_connection(self, cart): cart.total() # ?
",
        ),
        (
            "test_shop.py",
            "import pytest, unittest
from cart import Box, Cart
from unittest.mock import patch
@pytest.mark.parametrize('cart, other', [(Box(), Cart())])
def test_given(cart, other):
    cart.total() # -
    other.total()
@pytest.mark.parametrize('cart', [1], indirect=True)
def test_indirect(cart): cart.total()
@pytest.mark.parametrize('cart', unknown())
def test_unknown(cart): cart.total() # ?
@patch('shop.Cart')
def test_patched(cart): cart.total() # ?
class CartTest(unittest.TestCase):
    def test_own(self, cart): cart.total() # ?
def test_outer(cart):
    def test_inner(cart): cart.total() # -
    test_inner(Box())
    cart.total()
    cart = Box()
    cart.total() # -
def test_list(carts, last):
    carts.total() # ?
    last.total() # -
",
        ),
    ]);
}

#[test]
fn a_test_gets_what_the_nearest_fixture_with_its_name_returns() {
    check_files(&[
        (
            "conftest.py",
            "import pytest
from cart import Box, Cart
@pytest.fixture
def cart(): return Cart()
@pytest.fixture
def carts(): return [Cart()]
@pytest.fixture
def box(): return Box()
def plain(): return Cart()
",
        ),
        (
            "test_shop.py",
            "def test_shop(box, cart):
    box.total() # -
    cart.total()
",
        ),
        (
            "tests/conftest.py",
            "import pytest
from cart import Cart
@pytest.fixture(scope='session')
def box(): return Cart()
@pytest.fixture
def cart(cart):
    cart.total()
    return cart
",
        ),
        (
            "tests/test_cart.py",
            "import pytest
from cart import Box, Cart
@pytest.fixture
def local(cart):
    cart.total()
    yield cart
def helper(cart):
    cart.total() # ?
def test_all(box, cart, local, plain):
    box.total()
    cart.total()
    local.total()
    plain.total() # ?
class TestCart:
    @pytest.fixture
    def own(self): return Cart()
    @pytest.fixture
    def cart(self): return Box()
    def test_own(self, own, cart, carts):
        own.total()
        cart.total() # -
        for one in carts: one.total()
def test_typed(cart: Box):
    cart.total() # -
",
        ),
    ]);
}
