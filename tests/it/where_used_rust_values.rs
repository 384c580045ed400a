//! `where_used` in Rust: the types of values that later statements, blocks, iterators, locks and
//! functions of the standard library tell.

use crate::where_used::{check, rows_of_totals};

const LIB: (&str, &str) = ("src/lib.rs", "pub mod cart;\nmod shop;\n");

const CART: (&str, &str) = (
    "src/cart.rs",
    "#[derive(Clone, Default)]
pub struct Cart;
impl Cart { pub fn new() -> Self { Cart } pub fn total(&self) {} }
",
);

const MANIFEST: (&str, &str) = (
    "Cargo.toml",
    "[package]\nname = \"shop\"\nedition = \"2024\"\n\
    [dependencies]\ntokio = \"1\"\nserde_json = \"1\"\nparking_lot = \"1\"\nrustc-hash = \"2\"\n",
);

/// Checks that each `.total()` of a text is a use of `Cart::total`. In a line that ends in `// ?`
/// it is only known by name, and in one that ends in `// -` it is none.
#[track_caller]
fn check_totals(text: &str) {
    let text = format!("use crate::cart::Cart;\n{text}");
    let shop = ("src/shop.rs", &*text);
    let rows = rows_of_totals(&[shop]);
    let expected: Vec<&str> = rows.iter().map(String::as_str).collect();
    let files = [LIB, CART, MANIFEST, shop];
    check(&files, "Cart.total", &expected);
}

#[test]
fn a_later_statement_tells_the_type_of_a_variable() {
    check_totals(
        "use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
fn run(xs: Vec<u8>, flag: bool, others: Vec<Cart>) -> Option<()> {
    let mut pushed = Vec::new();
    let mut made = vec![];
    for x in xs { let cart = Cart::new(); pushed.push(cart); made.push(Cart::new()); }
    pushed[0].total();
    for cart in &made { cart.total(); }
    let mut queue = VecDeque::with_capacity(2);
    queue.push_back(Cart::new());
    while let Some(cart) = queue.pop_front() { cart.total(); }
    let mut set = HashSet::new();
    set.insert(Cart::new());
    set.iter().next()?.total();
    let mut by_name = HashMap::new();
    by_name.insert(1, Cart::new());
    by_name[&1].total();
    let mut groups: BTreeMap<u8, Vec<_>> = BTreeMap::new();
    groups.entry(1).or_default().push(Cart::new());
    groups[&1][0].total();
    let mut made_once = HashMap::new();
    made_once.entry(1).or_insert_with(Cart::new);
    made_once.get(&1)?.total();
    let mut all = Vec::new();
    all.extend(others.iter());
    all[0].total();
    let mut best = None;
    for cart in &others { best = Some(cart); }
    best?.total();
    let late;
    if flag { late = Cart::new(); } else { late = Cart::new(); }
    late.total();
    let mut outer = Vec::new();
    { let mut outer = Vec::new(); outer.push(1); outer[0].total(); } // ?
    outer.push(Cart::new());
    outer[0].total();
    let mut unknown = Vec::new();
    unknown[0].total(); // ?
    None
}
",
    );
}

#[test]
fn a_block_or_a_branch_has_the_value_of_its_last_expression() {
    check_totals(
        "enum Choice { One(Cart), Named { cart: Cart }, None }
fn run(choice: Choice, flag: bool, n: Option<u8>, one: Option<Cart>) {
    let a = { let inner = Cart::new(); inner };
    a.total();
    let b = match choice { Choice::One(c) => c, Choice::Named { cart } => cart, _ => return };
    b.total();
    let c = if flag { let inner = Cart::new(); inner } else { Cart::new() };
    c.total();
    let d = if let Some(inner) = one { inner } else { return };
    d.total();
    let e = match n { Some(n) => { let inner = Cart::new(); inner } None => Default::default() };
    e.total();
    let f = loop { if flag { break Cart::new(); } };
    f.total();
    let g = loop { let inner = Cart::new(); loop { break; } break inner; };
    g.total();
    let h = unsafe { let inner = Cart::new(); inner };
    h.total();
    let i = async { let inner = Cart::new(); inner };
    let make = |n: u8| { let inner = Cart::new(); inner };
    make(1).total();
    let j = if flag { if flag { let inner = Cart::new(); inner } else { return } } else { return };
    j.total();
    let k = { let inner = n; inner };
    k.total(); // -
}
",
    );
}

#[test]
fn an_iterator_and_an_index_of_a_type_lead_to_its_elements() {
    check_totals(
        "struct All { n: u8 }
impl Iterator for All { type Item = Cart; fn next(&mut self) -> Option<Self::Item> { None } }
struct Each<T> { of: T }
impl<T> Iterator for Each<T> { type Item = T; fn next(&mut self) -> Option<T> { None } }
struct Bag { items: Vec<Cart> }
impl std::ops::Index<usize> for Bag { type Output = Cart; \
    fn index(&self, at: usize) -> &Self::Output { &self.items[at] } }
struct Holder { items: Vec<Cart> }
impl std::ops::Deref for Holder { type Target = Vec<Cart>; \
    fn deref(&self) -> &Vec<Cart> { &self.items } }
fn run(all: All, each: Each<Cart>, bag: Bag, holder: Holder) {
    for cart in all { cart.total(); }
    all.map(|cart| cart.total()).count();
    all.filter(|cart| true).last().unwrap().total();
    let found: Vec<_> = all.collect();
    found[0].total();
    for cart in each { cart.total(); }
    each.map(|cart| cart.total());
    bag[0].total();
    holder[0].total();
    holder.iter().for_each(|cart| cart.total());
    all.total(); // ?
}
",
    );
}

#[test]
fn a_lock_that_cannot_fail_leads_to_what_it_contains() {
    check_totals(
        "use std::sync::Arc;
struct State { a: Arc<tokio::sync::Mutex<Cart>>, b: parking_lot::RwLock<Vec<Cart>>, \
    c: std::sync::Mutex<Cart>, d: Own }
struct Own { cart: Cart }
impl Own { fn read(&self) -> Cart { Cart::new() } async fn write(&self) -> &Cart { &self.cart } }
impl State {
    async fn run(&self) {
        self.a.lock().await.total();
        let a = self.a.lock().await;
        a.total();
        self.b.read()[0].total();
        for cart in self.b.write().iter() { cart.total(); }
        let b = self.b.read();
        b[0].total();
        self.c.lock().unwrap().total();
        if let Ok(c) = self.c.lock() { c.total(); }
        self.d.read().total();
        self.d.write().await.total();
    }
}
",
    );
}

#[test]
fn functions_of_the_library_return_their_arguments() {
    check_totals(
        "use std::rc::Rc;
use std::{iter, mem};
struct Order { cart: Cart }
fn run(order: &mut Order, flag: bool, shared: Rc<Cart>, xs: Vec<u8>) -> Option<()> {
    mem::take(&mut order.cart).total();
    let old = mem::replace(&mut order.cart, Cart::new());
    old.total();
    Rc::make_mut(&mut shared).total();
    Rc::get_mut(&mut shared)?.total();
    Rc::try_unwrap(shared).ok()?.total();
    iter::once(Cart::new()).next()?.total();
    iter::repeat_with(Cart::new).next()?.total();
    iter::from_fn(|| Some(Cart::new())).next()?.total();
    iter::successors(Some(Cart::new()), |cart| Some(cart.clone())).last()?.total();
    flag.then(|| Cart::new())?.total();
    flag.then_some(Cart::new())?.total();
    std::thread::spawn(move || Cart::new()).join().unwrap().total();
    (0..3).map(|_| Cart::new()).next()?.total();
    xs.iter().map(|x| Cart::new()).collect::<Vec<_>>()[0].total();
    xs.iter().filter_map(|x| Some(Cart::new())).next()?.total();
    <Cart as Default>::default().total();
    None
}
async fn tasks() {
    tokio::spawn(async move { Cart::new() }).await.unwrap().total();
    tokio::time::timeout(1, async { Cart::new() }).await.unwrap().total();
}
",
    );
}

#[test]
fn type_arguments_tell_what_functions_from_elsewhere_return() {
    check_totals(
        "use rustc_hash::FxHashMap;
use std::any::Any;
use std::collections::HashMap;
struct Fields { by: FxHashMap<u8, Cart>, weak: std::rc::Weak<Cart>, \
    receiver: tokio::sync::mpsc::Receiver<Cart> }
async fn run(any: &dyn Any, mut fields: Fields) -> Option<()> {
    \"a\".parse::<Cart>().unwrap().total();
    serde_json::from_str::<Cart>(\"a\").unwrap().total();
    any.downcast_ref::<Cart>()?.total();
    let (sender, mut receiver) = tokio::sync::mpsc::channel::<Cart>(1);
    receiver.recv().await?.total();
    fields.receiver.recv().await?.total();
    fields.by[&1].total();
    fields.weak.upgrade()?.total();
    let empty = Vec::<Cart>::new();
    empty[0].total();
    HashMap::<u8, Cart>::with_capacity(1)[&1].total();
    None
}
",
    );
}

#[test]
fn methods_of_containers_tell_their_elements_apart() {
    check_totals(
        "use std::collections::HashMap;
struct Line { cart: Cart, n: u8 }
impl Line { fn cart(&self) -> Cart { Cart::new() } }
impl From<u8> for Line { fn from(n: u8) -> Self { todo!() } }
fn run(carts: Vec<Cart>, nested: Vec<Vec<Cart>>, lines: Vec<Line>, \
    mut map: HashMap<u8, Cart>, ns: Vec<u8>) -> Option<()> {
    carts.chunks(2).for_each(|some| { some[0].total(); });
    if let Some((first, rest)) = carts.split_first() { first.total(); rest[0].total(); }
    let [first, rest @ ..] = carts.as_slice() else { return None };
    first.total();
    rest[0].total();
    let (left, right): (Vec<_>, Vec<_>) = carts.iter().partition(|cart| true);
    left[0].total();
    nested.iter().flatten().for_each(|cart| cart.total());
    nested.iter().flat_map(|row| row.iter()).next()?.total();
    nested.concat()[0].total();
    for (a, b) in carts.iter().zip(nested[0].iter()) { a.total(); b.total(); }
    for (n, cart) in ns.iter().zip(&carts) { cart.total(); }
    carts.iter().fold(Cart::new(), |last, cart| last).total();
    carts.iter().cloned().reduce(|a, b| a)?.total();
    map.remove(&1)?.total();
    map.insert(1, Cart::new())?.total();
    map.entry(1).or_insert(Cart::new()).total();
    map.entry(1).and_modify(|cart| cart.total());
    lines.iter().map(Line::cart).next()?.total();
    ns.into_iter().map(Line::from).next()?.cart.total();
    lines.iter().map(|line| (line.n, &line.cart)).collect::<HashMap<_, _>>()[&1].total();
    let by: HashMap<_, _> = lines.iter().map(|line| (line.n, line.cart())).collect();
    by[&1].total();
    let (ns, all): (Vec<_>, Vec<_>) = lines.iter().map(|line| (line.n, line.cart())).unzip();
    all[0].total();
    carts.total(); // ?
    None
}
",
    );
}

#[test]
fn literals_and_operators_have_members() {
    check_totals(
        "struct Pair<A, B>(A, B);
impl std::ops::Add for Cart { type Output = Cart; fn add(self, other: Cart) -> Cart { self } }
fn run(cart: Cart) {
    [Cart::new()].iter().for_each(|one| one.total());
    Some(Cart::new()).unwrap().total();
    (1, Cart::new()).1.total();
    std::sync::Mutex::new(Cart::new()).lock().unwrap().total();
    (cart + Cart::new()).total();
    let sum = Cart::new() + Cart::new();
    sum.total();
    let pair = Pair(Cart::new(), 1);
    pair.0.total();
    pair.1.total(); // ?
    (1 + 2).total(); // -
}
",
    );
}

#[test]
fn a_method_of_the_repository_is_not_taken_for_one_of_the_library() {
    check_totals(
        "struct Parser { n: u8 }
impl Parser { fn map<F: Fn(u8) -> Cart>(&self, make: F) -> u8 { 1 } \
    fn get<T>(&self) -> T { todo!() } }
struct Line { n: u8 }
impl Line { fn take(&self) -> Cart { Cart::new() } }
mod mem { pub fn take(line: &super::Line) -> crate::cart::Cart { crate::cart::Cart::new() } }
struct Rows { rows: Vec<Cart> }
impl Rows { fn read(&self) -> Vec<Cart> { vec![] } async fn write(&self) -> Option<Cart> { None } }
trait Sorted { fn sorted(self) -> Cart; }
impl<I: Iterator> Sorted for I { fn sorted(self) -> Cart { Cart::new() } }
async fn run(parser: Parser, unknown: impl Unknown, line: Line, rows: Rows, lines: Vec<Line>) {
    parser.map(|n| Cart::new()).next().unwrap().total(); // ?
    parser.get::<Cart>().total();
    unknown.value().map(|n| Cart::new()).next().unwrap().total(); // ?
    unknown.and_then(|n| Cart::new()).total(); // ?
    mem::take(&line).total();
    let read = rows.read();
    read[0].total();
    rows.read()[0].total();
    read.total(); // ?
    rows.write().await.unwrap().total();
    if let Some(cart) = rows.write().await { cart.total(); }
    lines.iter().sorted().total(); // ?
}
",
    );
}

#[test]
fn several_implementations_of_an_operator_leave_its_result_open() {
    check_totals(
        "struct A;
struct Other;
impl Other { fn total(&self) {} }
impl std::ops::Mul<u8> for A { type Output = Cart; fn mul(self, other: u8) -> Cart { Cart::new() } }
impl std::ops::Mul<A> for A { type Output = Other; fn mul(self, other: A) -> Other { Other } }
impl std::ops::Mul<A> for f64 { type Output = Cart; fn mul(self, other: A) -> Cart { Cart::new() } }
impl std::ops::Sub<A> for A { type Output = Cart; fn sub(self, other: A) -> Cart { Cart::new() } }
impl std::ops::Sub<A> for &A { type Output = Cart; fn sub(self, other: A) -> Cart { Cart::new() } }
fn run(a: A, b: A) {
    (a * b).total(); // ?
    (a - b).total();
    (2.0 * a).total(); // ?
}
",
    );
}

#[test]
fn associated_types_of_other_traits_make_no_iterator() {
    check_totals(
        "trait Shop { type Item; }
trait Last { fn last(&self) -> Cart; }
impl<T> Last for T { fn last(&self) -> Cart { Cart::new() } }
struct Other;
struct Store;
impl Shop for Store { type Item = Other; }
impl Last for Other { fn last(&self) -> Cart { Cart::new() } }
fn run(store: Store, shape: Box<dyn Unknown>, flag: bool) {
    store.last().total(); // ?
    let boxed = if flag { shape } else { Box::new(Cart::new()) };
    boxed.total(); // ?
    let mut all = Vec::new();
    fill(&mut all);
    all.push(Box::new(Cart::new()));
    all[0].total(); // ?
}
",
    );
}
