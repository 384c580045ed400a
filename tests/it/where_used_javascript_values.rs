//! `where_used` in JavaScript: the types of values that later statements, builtin methods, promises
//! and tests tell.

use crate::where_used::{check, rows_of_totals};

const CART: (&str, &str) = (
    "cart.js",
    "export class Cart { total() {} }
export class Box { total() {} }
export class Thenable { then(f) { return f(1); } }
",
);

/// Checks that each `.total()` of a text is a use of `Cart.total`. In a line that ends in `// ?`
/// it is only known by name, and in one that ends in `// -` it is none.
#[track_caller]
fn check_totals(text: &str) {
    let text = format!("import {{ Cart, Box, Thenable }} from './cart.js';\n{text}");
    let shop = ("shop.js", &*text);
    let rows = rows_of_totals(&[shop]);
    let expected: Vec<&str> = rows.iter().map(String::as_str).collect();
    check(&[CART, shop], "Cart.total", &expected);
}

#[test]
fn operators_tell_what_a_method_is_called_on() {
    check_totals(
        "export function run(flag) {
  (flag ? new Cart() : null).total();
  (flag && new Cart()).total();
  (flag || new Cart()).total();
  (flag ?? new Cart()).total();
  (0, new Cart()).total();
  (flag ? new Box() : new Cart()).total();
}
",
    );
}

#[test]
fn later_statements_fill_an_array() {
    check_totals(
        "export function run(xs) {
  const made = [];
  for (const x of xs) made.push(new Cart());
  made.pop().total();
  made.at(-1).total();
  made.find(one => one.total()).total();
  made.filter(one => one.total())[0].total();
  made.map(one => one)[0].total();
  for (const one of made.values()) one.total();
  for (const [at, one] of made.entries()) one.total();
  const grown = [];
  grown.push(...made);
  grown[0].total();
  const placed = new Array(2);
  placed[0] = new Cart();
  placed.pop().total();
  const other = [];
  other.push(new Box());
  other.pop().total(); // -
}
",
    );
}

#[test]
fn later_statements_fill_maps_sets_and_objects() {
    check_totals(
        "export function run(key) {
  const by = new Map();
  by.set(key, new Cart());
  by.get(key).total();
  for (const [name, one] of by) one.total();
  for (const one of by.values()) one.total();
  by.forEach((one, name) => one.total());
  [...by.values()][0].total();
  new Map([[key, new Cart()]]).get(key).total();
  const set = new Set();
  set.add(new Cart());
  for (const one of set) one.total();
  [...set][0].total();
  const table = {};
  table[key] = new Cart();
  table[key].total();
  for (const one of Object.values(table)) one.total();
  for (const name in table) table[name].total();
}
",
    );
}

#[test]
fn methods_fill_the_containers_of_an_instance() {
    check_totals(
        "export class Shop {
  queue = [];
  constructor() { this.items = []; this.by = new Map(); }
  add(key) {
    this.items.push(new Cart());
    this.by.set(key, new Cart());
    this.queue.push(new Cart());
  }
  run(key) {
    this.items.pop().total();
    this.queue.shift().total();
    this.by.get(key).total();
    for (const one of this.by.values()) one.total();
  }
}
",
    );
}

#[test]
fn other_objects_with_such_methods_are_no_containers() {
    check_totals(
        "export function run(session, cache, key) {
  session.add(new Cart());
  session.get(key).total(); // ?
  cache.set(key, new Cart());
  cache.get(key).total(); // ?
  let again = [];
  again.push(new Cart());
  again = new Box();
  again.total(); // -
}
",
    );
}

#[test]
fn own_names_are_not_those_of_the_library() {
    check_totals(
        "import { structuredClone, Reflect } from './own.js';
class Map { set(key, value) {} get(key) { return new Box(); } }
export function run(key) {
  const by = new Map();
  by.set(key, new Cart());
  by.get(key).total(); // -
  structuredClone(new Cart()).total(); // ?
  Reflect.construct(Cart, []).total(); // ?
}
",
    );
}

#[test]
fn a_promise_counts_as_its_value() {
    check_totals(
        "async function make() { return new Cart(); }
export async function run(flag) {
  make().then(one => one.total());
  make().then(one => one).then(one => one.total());
  make().catch(() => {}).then(one => one.total());
  make().finally(() => {}).then(one => one.total());
  (await make().then(one => one)).total();
  const [first, second] = await Promise.all([make(), new Box()]);
  first.total();
  second.total(); // -
  const all = await Promise.all([1, 2].map(async () => new Cart()));
  all[0].total();
  (await Promise.race([make()])).total();
  (await Promise.resolve(new Cart())).total();
  (await new Promise(done => done(new Cart()))).total();
  (await Promise.allSettled([make()]))[0].value.total();
}
",
    );
}

#[test]
fn an_own_method_then_is_meant() {
    check_totals(
        "export function run() {
  new Thenable().then(one => one.total()); // ?
}
",
    );
}

#[test]
fn a_getter_gives_its_result() {
    check_totals(
        "export class Shop {
  constructor() { this.own = new Cart(); }
  get lazy() { return this.own; }
  method() { return this.own; }
  run() { this.lazy.total(); }
}
export function run(shop = new Shop()) {
  const object = { get made() { return new Cart(); } };
  object.made.total();
  new Shop().lazy.total();
}
",
    );
}

#[test]
fn a_test_tells_the_class_of_a_parameter() {
    check_totals(
        "export function run(flag) {
  if (flag instanceof Cart) flag.total();
  if (flag instanceof Cart) { flag.total(); }
  if (flag instanceof Box) { flag.total(); } // -
  if (!(flag instanceof Cart)) return;
  flag.total();
}
",
    );
}

#[test]
fn a_class_of_another_file_may_have_its_own_methods() {
    let files = [
        (
            "query.js",
            "export class Query { filter(f) { return new Query(); } \
    find(f) {} map(f) { return this; } }
",
        ),
        (
            "shop.js",
            "import { Query } from './query.js';
new Query().filter(one => one).find(1);
const query = new Query();
query.filter(1).find(2);
const found = query.map(one => one).filter(one => one);
found.find(3);
",
        ),
    ];
    let rows = ["shop.js:2:31 call", "shop.js:4:16 call", "shop.js:6:6 call"];
    check(&files, "Query.find", &rows);
}

#[test]
fn a_method_of_a_class_is_no_builtin_one() {
    let files = [
        CART,
        (
            "all.js",
            "import { Box } from './cart.js';
export class All {
  concat(other) { return [new Box()]; }
  fill(one) { return [new Box()]; }
  map(f) { return [new Box()]; }
  reduce(f) { return new Box(); }
}
export const all = new All();
",
        ),
        (
            "shop.js",
            "import { Cart } from './cart.js';
import { All, all } from './all.js';
all.concat([new Cart()])[0].total();
new All().fill(new Cart())[0].total();
all.map(() => new Cart())[0].total();
all.reduce((one) => one, new Cart()).total();
",
        ),
    ];
    check(&files, "Cart.total", &[]);
    let rows = [
        "shop.js:3:28 call",
        "shop.js:4:30 call",
        "shop.js:5:29 call",
        "shop.js:6:37 call",
    ];
    check(&files, "Box.total", &rows);
}

#[test]
fn a_variable_has_the_container_that_was_assigned_last() {
    check_totals(
        "export function run() {
  let found = new Map();
  found.set('a', new Cart());
  found.get('a').total();
  found = new Map();
  found.set('a', new Box());
  found.get('a').total(); // -
  let all = [];
  all.push(new Cart());
  all = [];
  all.push(new Box());
  all[0].total(); // -
}
",
    );
}

#[test]
fn the_second_function_of_then_gives_a_result_too() {
    check_totals(
        "async function make() { return new Cart(); }
make().then(() => new Box(), () => new Cart()).then((one) => one.total());
Object.assign(new Box(), new Cart()).total(); // -
",
    );
}

#[test]
fn an_exported_object_has_what_it_contains() {
    let api = "import { Cart, Box } from './cart.js';
function make() { return new Cart(); }
const one = new Cart();
export default { make, one, box: new Box(), inner: { make }, of: () => new Cart() };
";
    let common = "const { Cart } = require('./cart.js');
const make = () => new Cart();
module.exports = { make, inner: { make }, deep: { inner: { one: new Cart() } } };
exports.late = { make };
";
    let shop = "import api from './api.js';
api.make().total();
api.one.total();
api.of().total();
api.inner.make().total();
api.box.total(); // -
";
    let node = "const lib = require('./common.js');
lib.inner.make().total();
lib.deep.inner.one.total();
lib.late.make().total();
require('./common.js').make().total();
require('./common.js').inner.make().total();
const { inner: { make: renamed }, deep: { inner } } = require('./common.js');
renamed().total();
inner.one.total();
";
    let files = [
        CART,
        ("api.js", api),
        ("common.js", common),
        ("node.js", node),
        ("shop.js", shop),
    ];
    let rows = rows_of_totals(&files);
    let expected: Vec<&str> = rows.iter().map(String::as_str).collect();
    check(&files, "Cart.total", &expected);
}

#[test]
fn a_class_that_a_call_imports_is_created() {
    let shop = "new (require('./cart.js').Cart)().total();
new (require('./cart.js').Box)().total(); // -
";
    let shop = ("shop.js", shop);
    let rows = rows_of_totals(&[shop]);
    let expected: Vec<&str> = rows.iter().map(String::as_str).collect();
    check(&[CART, shop], "Cart.total", &expected);
}

#[test]
fn an_object_has_the_members_that_it_copies() {
    check_totals(
        "const both = { cart: new Cart(), box: new Box() };
({ ...both }).cart.total();
const more = { ...both, other: new Cart() };
more.cart.total();
more.other.total();
more.box.total(); // -
({ ...both, cart: new Box() }).cart.total(); // -
({ cart: new Box(), ...both }).cart.total();
const { box, ...rest } = both;
rest.cart.total();
function run({ box, ...others }) { others.cart.total(); }
run(both);
let state = { cart: new Cart() };
state = { ...state, count: 1 };
state.cart.total();
const reduce = (state, action) => ({ ...state, last: action.cart });
reduce(both, both).last.total();
",
    );
}
