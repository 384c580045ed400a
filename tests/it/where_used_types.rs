//! Where used in TypeScript: receivers by their declared types, type arguments and the types that
//! functions get from their place.

use crate::where_used::{check, rows_of_totals};

/// The declarations that the texts of the tests use.
const DECLARATIONS: &str = "\
export class Cart { total() {} }
export interface Observer { next: (value: Cart) => void; done(value: Cart): void }
export type Handler = (cart: Cart) => Promise<void>;
export type Factory = () => Handler;
export interface Runner { (cart: Cart): void }
export declare function each(run: (cart: Cart, index: number) => void): void;
export declare class Stream { constructor(start: (cart: Cart) => void); subscribe(to: Partial<Observer>): void }
export class List<T> { first(): T { return null! } items: T[] = []; each(run: (item: T) => void) {} self(): this { return this } }
export class Carts extends List<Cart> { clear() {} }
export class Pair<A, B> { a!: A; b!: B }
";

/// Checks the references to a method in one file that imports all declarations.
fn check_file(symbol: &str, text: &str, expected: &[&str]) {
    let text = format!("import * as d from './a';\n{text}");
    let expected: Vec<String> = expected.iter().map(|row| format!("b.ts:{row}")).collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check(
        &[("a.ts", DECLARATIONS), ("b.ts", &text)],
        symbol,
        &expected,
    );
}

#[test]
fn parameters_of_callbacks_have_the_types_that_their_place_declares() {
    check_file(
        "a.Cart.total",
        "d.each((cart) => cart.total());\n\
         d.each(function (cart) { cart.total(); });\n\
         d.each(cart => { cart.total(); });\n\
         new d.Stream(cart => cart.total()).subscribe({ next: (cart) => cart.total(), done(cart) { cart.total(); } });\n\
         const handler: d.Handler = async (cart) => cart.total();\n\
         const make = (): d.Factory => () => async (cart) => cart.total();\n\
         function build(): d.Handler { return async (cart) => { cart.total(); }; }\n\
         const run: d.Runner = ({ total }) => total();\n\
         const all: d.Handler[] = [async (cart) => cart.total()];\n\
         d.each((cart, index) => index.total());\n",
        &[
            "2:22 call",
            "3:30 call",
            "4:22 call",
            "5:26 call",
            "5:68 call",
            "5:95 call",
            "6:48 call",
            "7:57 call",
            "8:60 call",
            "9:25 reference",
            "9:37 call",
            "10:47 call",
            "11:30 call?",
        ],
    );
}

#[test]
fn type_arguments_are_followed_through_members_and_base_classes() {
    check_file(
        "a.Cart.total",
        "declare const list: d.List<d.Cart>; declare const carts: d.Carts;\n\
         list.first().total();\n\
         carts.first().total();\n\
         list.self().first().total();\n\
         list.each((cart) => cart.total());\n\
         carts.each((cart) => cart.total());\n\
         new d.List<d.Cart>().first().total();\n\
         declare const pair: d.Pair<string, d.List<d.Cart>>;\n\
         pair.b.first().total();\n\
         pair.a.total();\n\
         function get<T>(): T { return null! }\n\
         get<d.Cart>().total();\n\
         type Lists<T> = d.List<T> | null;\n\
         declare const lists: Lists<d.Cart>;\n\
         lists!.first().total();\n",
        &[
            "3:13 call",
            "4:14 call",
            "5:20 call",
            "6:25 call",
            "7:26 call",
            "8:29 call",
            "10:15 call",
            "13:14 call",
            "16:15 call",
        ],
    );
}

#[test]
fn a_method_that_returns_this_returns_its_receiver() {
    check_file(
        "a.Carts.clear",
        "declare const carts: d.Carts; declare const list: d.List<d.Cart>;\n\
         carts.self().clear();\n\
         list.self().clear();\n",
        &["3:13 call"],
    );
}

#[test]
fn an_unresolved_type_argument_is_a_candidate() {
    check_file(
        "a.Cart.total",
        "function same<T>(of: T): T { return of }\n\
         same(1).total();\n\
         function bounded<T extends d.Cart>(of: T) { of.total(); }\n",
        &["4:47 call", "3:8 call?"],
    );
}

#[test]
fn the_expected_result_of_a_call_tells_its_type_arguments() {
    check_file(
        "a.Cart.total",
        "declare function define<T>(init: (of: T) => void): d.List<T>;\n\
         const list: d.List<d.Cart> = define((of) => of.total());\n\
         const other = define((of) => of.total());\n",
        &["3:47 call", "4:32 call?"],
    );
}

#[test]
fn unions_object_types_and_utility_types_have_the_members_of_their_parts() {
    check_file(
        "a.Cart.total",
        "declare const either: d.Cart | Date;\n\
         either.total();\n\
         declare const both: { cart: d.Cart; get(): d.Cart; [key: string]: d.Cart } & { other: Date };\n\
         both.cart.total(); both.get().total(); both.any.total();\n\
         declare const part: Readonly<Pick<d.Cart, 'total'>>;\n\
         part.total();\n\
         declare const of: { cart: d.Cart }['cart'];\n\
         of.total();\n\
         function make() { return new d.Cart() }\n\
         declare const made: ReturnType<typeof make>;\n\
         made.total();\n\
         const object = { cart: new d.Cart() };\n\
         object.cart.total();\n\
         const chosen = Math.random() > 0.5 ? new d.Cart() : null;\n\
         chosen?.total();\n\
         (null || new d.Cart()).total();\n",
        &[
            "3:7 call",
            "5:10 call",
            "5:30 call",
            "5:48 call",
            "7:5 call",
            "9:3 call",
            "12:5 call",
            "14:12 call",
            "16:8 call",
            "17:23 call",
        ],
    );
}

#[test]
fn elements_of_standard_containers_have_their_types() {
    check_file(
        "a.Cart.total",
        "declare const carts: d.Cart[]; declare const byName: Map<string, d.Cart>;\n\
         carts.forEach((cart) => cart.total());\n\
         carts.filter((cart) => cart.total()).map((cart) => cart.total());\n\
         for (const cart of carts) cart.total();\n\
         carts[0].total(); carts.pop()!.total();\n\
         byName.get('a')!.total();\n\
         byName.forEach((cart) => cart.total());\n\
         for (const cart of byName.values()) cart.total();\n\
         declare const record: Record<string, d.Cart>;\n\
         record.a.total(); record['b c'].total();\n\
         const made = [new d.Cart()];\n\
         made[0].total();\n\
         carts.length.total();\n",
        &[
            "3:29 call",
            "4:28 call",
            "4:56 call",
            "5:31 call",
            "6:9 call",
            "6:31 call",
            "7:17 call",
            "8:30 call",
            "9:41 call",
            "11:9 call",
            "11:32 call",
            "13:8 call",
        ],
    );
}

#[test]
fn a_declared_type_holds_whatever_is_assigned() {
    check_file(
        "a.Cart.total",
        "declare function load(): any;\n\
         let other: Date = new Date(); other = new d.Cart(); other.total();\n\
         class Shop { cart: d.Cart = load(); constructor() { this.cart = load(); } pay() { this.cart.total(); } }\n\
         function pay(cart: Date) { cart = new d.Cart(); cart.total(); }\n",
        &["4:92 call"],
    );
}

#[test]
fn an_assignment_to_a_declared_member_refers_to_it() {
    check_file(
        "a.Cart.total",
        "declare const cart: d.Cart;\n\
         cart.total = () => {};\n\
         cart.total();\n\
         const object = { total() {} };\n\
         object.total();\n",
        &["3:5 reference", "4:5 call"],
    );
}

#[test]
fn a_getter_is_read_and_a_method_is_not() {
    check_file(
        "a.Cart.total",
        "class Shop { get cart() { return new d.Cart() } set cart(of: d.Cart) {} find() { return new d.Cart() } }\n\
         const shop = new Shop();\n\
         shop.cart.total();\n\
         shop.find.total();\n\
         const { cart } = shop;\n\
         cart.total();\n",
        &["4:10 call", "7:5 call", "5:10 call?"],
    );
}

#[test]
fn a_test_of_the_type_narrows_a_variable() {
    check_file(
        "a.Cart.total",
        "declare function isCart(of: unknown): of is d.Cart;\n\
         declare function isGood(of: unknown): boolean;\n\
         function pay(one: unknown, cart: d.Cart) {\n\
           if (one instanceof d.Cart && one !== null) { one.total(); }\n\
           if (isCart(one)) { one.total(); } else { one.total(); }\n\
           if (isGood(cart)) { cart.total(); }\n\
           one.total();\n\
         }\n",
        &[
            "5:49 call",
            "6:23 call",
            "7:25 call",
            "6:45 call?",
            "8:4 call?",
        ],
    );
}

#[test]
fn a_variable_is_narrowed_behind_its_test() {
    check_file(
        "a.Cart.total",
        "declare function isCart(of: unknown): of is d.Cart;\n\
         declare function isGood(of: unknown): boolean;\n\
         function early(one: unknown) {\n\
           one.total();\n\
           if (!isCart(one)) return;\n\
           if (!isGood(one)) { throw 1; }\n\
           one.total();\n\
         }\n\
         function both(one: unknown, two: unknown) {\n\
           for (const three of [one]) {\n\
             if (!three || !(three instanceof d.Cart)) continue;\n\
             three.total();\n\
           }\n\
           if (!isCart(two)) { isGood(two); } else { two.total(); }\n\
           two.total();\n\
         }\n\
         const short = (one: unknown) => isCart(one) && isGood(one) && one.total();\n\
         const either = (one: unknown) => !isCart(one) || one.total();\n\
         const chosen = (one: unknown) => isCart(one) ? one.total() : one.total();\n\
         function again(one: unknown) {\n\
           if (!isCart(one)) return;\n\
           one = other();\n\
           one.total();\n\
         }\n\
         function single(one: unknown) { if (isCart(one)) one.total(); }\n",
        &[
            "8:4 call",
            "13:6 call",
            "15:46 call",
            "18:66 call",
            "19:53 call",
            "20:51 call",
            "26:53 call",
            "5:4 call?",
            "16:4 call?",
            "20:65 call?",
            "24:4 call?",
        ],
    );
}

#[test]
fn a_variable_may_test_types_and_any_of_several_tests_narrows() {
    check_file(
        "a.Cart.total",
        "declare function testOf(kind: unknown): any;\n\
         export const isCart = testOf(d.Cart) as (of: any) => of is d.Cart;\n\
         declare const isOther: (of: unknown) => of is Date;\n\
         function pay(one: any, other: any) {\n\
           if (isCart(one)) { one.total(); }\n\
           if (isOther(one) || isCart(one)) { one.total(); }\n\
           if (isOther(one) || one instanceof d.Cart || isCart(one)) { one.total(); }\n\
           if (isOther(other) || isCart(one)) { one.total(); }\n\
           isCart(one).total();\n\
         }\n",
        &[
            "6:23 call",
            "7:39 call",
            "8:64 call",
            "9:41 call?",
            "10:12 call?",
        ],
    );
}

#[test]
fn types_that_refer_to_each_other_end() {
    check_file(
        "a.Cart.total",
        "class A<T extends U, U extends T> {\n\
           f(of: T) { of.total(); for (const one of of as any) one.total(); of[0].total(); }\n\
         }\n\
         interface B { '()': B; '[]': B }\n\
         declare const b: B & { (): B };\n\
         b().total(); b[0].total();\n\
         type C<T> = C<C<T>> | T;\n\
         declare const c: C<d.Cart>;\n\
         c.total();\n\
         class Deep<T> { next(): Deep<Deep<T>> { return null! } value!: T }\n\
         declare const deep: Deep<d.Cart>;\n\
         deep.next().next().next().next().next().value.total();\n",
        &[
            "10:2 call",
            "3:14 call?",
            "3:56 call?",
            "3:71 call?",
            "7:4 call?",
            "7:18 call?",
        ],
    );
}

#[test]
fn a_type_and_a_value_of_one_name_are_distinct() {
    check_file(
        "a.Cart.total",
        "interface Shop { run(): void }\n\
         const Shop = () => new d.Cart();\n\
         declare const shop: Shop;\n\
         shop.total();\n\
         Shop().total();\n",
        &["6:7 call"],
    );
}

#[test]
fn a_variable_merges_with_a_type_of_its_name() {
    let a = "export interface Shape { x: number; parse(): void }
export const Shape = makeCtor<Shape>(\"Shape\");
export type BRAND = string;
export const BRAND: unique symbol = Symbol(\"b\");
const Own = make(), other = Own;
type Own = typeof Own;
Own();
declare function makeCtor<T>(n: string): { new (): T; parse(): T };
";
    let b = "import { Shape, BRAND } from \"./a\";
import * as all from \"./a\";
export function f(s: Shape) { return new Shape(); }
export const y = Shape.parse();
export const z = new all.Shape();
export const o = { [BRAND]: 1 };
function g() {
  const Shape = 1;
  return Shape;
}
";
    let files = [("a.ts", a), ("b.ts", b)];
    check(
        &files,
        "a.Shape",
        &[
            "a.ts:2:30 reference",
            "b.ts:1:9 import",
            "b.ts:3:21 reference",
            "a.ts:2:13 reference?",
            "b.ts:3:41 call?",
            "b.ts:4:17 reference?",
            "b.ts:5:25 call?",
        ],
    );
    check(
        &files,
        "a.BRAND",
        &[
            "b.ts:1:16 import",
            "a.ts:4:13 reference?",
            "b.ts:6:20 reference?",
        ],
    );
    check(
        &files,
        "a.Own",
        &[
            "a.ts:5:6 reference?",
            "a.ts:5:28 reference?",
            "a.ts:6:18 reference?",
            "a.ts:7:0 call?",
        ],
    );
}

#[test]
fn declaration_files_give_names_to_all_files_of_their_package() {
    let globals = "declare function helper(a: number): void;
interface Opts { a: number }
declare class Big { run(): void }
declare namespace NS { interface In {} function f(): void }
declare const big: Big;
interface Array<T> { own(): void }
";
    let augmented = "import { x } from './x';
declare global { interface Page { show(): void } function log(): void }
interface Own {}
declare const page: Page;
";
    let m = "import { x } from './x';
helper(1);
const o: Opts = { a: 1 };
new Big().run();
big.run();
let i: NS.In; NS.f();
function g(page: Page) { page.show(); log(); let own: Own; }
function h(helper: () => void) { helper(); }
";
    let files = [
        ("package.json", "{}"),
        ("packages/a/package.json", "{}"),
        ("packages/a/types/globals.d.ts", globals),
        ("packages/a/augmented.d.ts", augmented),
        ("packages/a/m.ts", m),
        ("packages/a/x.ts", "export const x = 1;\n"),
        ("packages/a/s.js", "helper(2);\n"),
        // A file of another package sees none of these names.
        ("packages/b/m.ts", "import x from 'x';\nhelper(1);\n"),
    ];
    let rows = |symbol: &str, rows: &[&str]| {
        let rows: Vec<String> = rows.iter().map(|row| format!("packages/a/{row}")).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        check(&files, symbol, &rows);
    };
    rows("helper", &["m.ts:2:0 call", "s.js:1:0 call"]);
    rows("Opts", &["m.ts:3:9 reference"]);
    rows(
        "Big",
        &["m.ts:4:4 call", "types/globals.d.ts:5:19 reference"],
    );
    rows("Big.run", &["m.ts:4:10 call", "m.ts:5:4 call"]);
    rows("NS.In", &["m.ts:6:10 reference"]);
    rows("NS.f", &["m.ts:6:17 call"]);
    rows(
        "Page",
        &["augmented.d.ts:4:20 reference", "m.ts:7:17 reference"],
    );
    rows("Page.show", &["m.ts:7:30 call"]);
    rows("log", &["m.ts:7:38 call"]);
    rows("Own", &[]);
}

#[test]
fn the_parts_of_a_tuple_type_have_their_types() {
    let text = "class Cart { total() {} }
class Price { total() {} }
declare function pair(): [Cart, string];
declare function named(): readonly [price: Price, cart?: Cart, ...rest: Price[]];
declare function many(): [Price, Cart?][];
const [cart, name] = pair(); cart.total(); name.total();
pair()[0].total();
const [price, second, third] = named(); price.total(); second.total(); third.total();
for (const [a, b] of many()) { a.total(); b.total(); }
function take([a, b]: [Price, Cart]) { b.total(); }
type Two = { both: [Cart, Price] };
declare const rest: [Price, ...Cart[]];
rest.forEach((x) => x.total());
for (const x of rest) x.total();
function use(two: Two) { two.both[0].total(); two.both[1].total(); two.both.forEach((x) => x.total()); }
";
    check(
        &[("a.ts", text)],
        "Cart.total",
        &[
            "a.ts:6:34 call",
            "a.ts:7:10 call",
            "a.ts:8:62 call",
            "a.ts:9:44 call",
            "a.ts:10:41 call",
            "a.ts:15:37 call",
            "a.ts:15:93 call",
            "a.ts:6:48 call?",
            "a.ts:8:77 call?",
            "a.ts:13:22 call?",
            "a.ts:14:24 call?",
        ],
    );
}

#[test]
fn promises_and_entries_pass_their_values() {
    let text = "class Cart { total() {} }
class Price { then(f: (p: Price) => void) {} total() {} }
declare function load(): Promise<Cart>;
declare function all(): Promise<Cart[]>;
declare const price: Price;
load().then((x) => x.total());
load().catch((e) => e.total());
all().then((list) => list[0].total());
price.then((p) => p.total());
function use(named: Map<string, Cart>, list: Cart[]) {
  for (const [key, value] of named) value.total();
  for (const [key, value] of named.entries()) value.total();
  for (const [at, value] of list.entries()) value.total();
  for (const value of named.values()) value.total();
}
";
    let files = [("a.ts", text)];
    check(
        &files,
        "Cart.total",
        &[
            "a.ts:6:21 call",
            "a.ts:8:29 call",
            "a.ts:11:42 call",
            "a.ts:12:52 call",
            "a.ts:13:50 call",
            "a.ts:14:44 call",
            "a.ts:7:22 call?",
        ],
    );
    check(&files, "Price.then", &["a.ts:9:6 call"]);
}

#[test]
fn functions_of_the_standard_library_return_their_arguments() {
    check_file(
        "a.Cart.total",
        "declare function load(): Promise<d.Cart>;\n\
         declare const by: Record<string, d.Cart>, all: d.Cart[], kinds: Set<d.Cart>;\n\
         const [x, y] = await Promise.all([load(), 1]); x.total(); y.total();\n\
         Promise.all([load(), load()]).then(([a, b]) => { a.total(); b.total(); });\n\
         Object.values(by).forEach((c) => c.total());\n\
         for (const [k, v] of Object.entries(by)) { v.total(); k.total(); }\n\
         Object.entries(by).map(([, c]) => c.total());\n\
         Array.from(kinds).map((c) => c.total());\n\
         Promise.resolve(new d.Cart()).then((c) => c.total());\n\
         (await Promise.race([load()])).total();\n\
         Object.freeze(new d.Cart()).total();\n\
         (await Promise.all(all))[0].total();\n",
        &[
            "4:49 call",
            "5:51 call",
            "5:62 call",
            "6:35 call",
            "7:45 call",
            "8:36 call",
            "9:31 call",
            "10:44 call",
            "11:31 call",
            "12:28 call",
            "13:28 call",
            "4:60 call?",
            "7:56 call?",
        ],
    );
}

#[test]
fn generators_and_the_rest_of_an_array_keep_their_elements() {
    check_file(
        "a.Cart.total",
        "function* make() { yield new d.Cart(); }\n\
         for (const one of make()) one.total();\n\
         function* all() { yield* make(); }\n\
         for (const two of all()) two.total();\n\
         async function* later() { yield new d.Cart(); }\n\
         for await (const three of later()) three.total();\n\
         declare const carts: d.Cart[];\n\
         const [first, ...rest] = carts; first.total(); rest[0].total();\n\
         const [, ...pair] = [1, new d.Cart()]; pair[0].total();\n\
         rest.forEach((four) => four.total());\n",
        &[
            "3:30 call",
            "5:29 call",
            "7:41 call",
            "9:38 call",
            "9:55 call",
            "10:47 call",
            "11:28 call",
        ],
    );
}

#[test]
fn an_array_with_a_spread_may_have_further_elements() {
    check_file(
        "a.Cart.total",
        "declare const carts: d.Cart[];\n\
         for (const c of await Promise.all([1, ...carts])) c.total();\n\
         const [one] = await Promise.all([carts[0], ...carts]); one.total();\n\
         (await Promise.race([carts[0], other()])).total();\n\
         Object.assign({ version: 1 }, carts[0]).total();\n",
        &["4:59 call", "5:42 call", "3:52 call?", "6:40 call?"],
    );
}

#[test]
fn a_call_with_a_callback_returns_what_the_callback_does() {
    check_file(
        "a.Cart.total",
        "declare function load(id: string): Promise<d.Cart>;\n\
         declare const ids: string[], pairs: { cart: d.Cart }[];\n\
         const all = await Promise.all(ids.map((id) => load(id))); all[0].total();\n\
         pairs.map((one) => one.cart).forEach((cart) => cart.total());\n\
         for (const two of ids.map(load)) two.total();\n\
         const three = await load('a').then((cart) => cart); three.total();\n\
         pairs.map((four) => ({ inner: four.cart }))[0].inner.total();\n\
         pairs.map((five) => { return five.cart; })[0].total();\n\
         class Own { map(f: (id: string) => string): d.Pair<d.Cart, string> { return null!; } }\n\
         new Own().map((id) => id).a.total();\n",
        &[
            "4:65 call",
            "5:52 call",
            "6:37 call",
            "7:58 call",
            "8:53 call",
            "9:46 call",
            "11:28 call",
        ],
    );
}

#[test]
fn objects_have_the_members_of_others_and_arrays_those_of_callbacks() {
    let text = "class Cart { total() {} parts: Cart[] = []; }
class Basket { total() {} }
interface State { cart: Cart; other: Basket }
function run(state: State, carts: Cart[], any: any) {
  const a = { ...state, more: 1 };
  a.cart.total();
  a.other.total();
  const b = { ...state, cart: new Basket() };
  b.cart.total();
  const c = { cart: new Basket(), ...state };
  c.cart.total();
  const d = { first: new Cart(), ...any };
  d.first.total();
  const e = { ...any, first: new Cart() };
  e.first.total();
  e.second.total();
  carts.flatMap((one) => one.parts).forEach((part) => part.total());
  carts.flatMap((one) => [one])[0].total();
  const f = { ...state, ...{ cart: new Basket() } };
  f.cart.total();
}
";
    check(
        &[("a.ts", text)],
        "Cart.total",
        &[
            "a.ts:6:9 call",
            "a.ts:15:10 call",
            "a.ts:17:59 call",
            "a.ts:18:35 call",
            "a.ts:11:9 call?",
            "a.ts:13:10 call?",
            "a.ts:16:11 call?",
            "a.ts:20:9 call?",
        ],
    );
    check(
        &[("a.ts", text)],
        "Basket.total",
        &[
            "a.ts:7:10 call",
            "a.ts:9:9 call",
            "a.ts:11:9 call?",
            "a.ts:13:10 call?",
            "a.ts:16:11 call?",
            "a.ts:20:9 call?",
        ],
    );
}

#[test]
fn classes_extend_what_constructor_types_make() {
    check_file(
        "a.Cart.total",
        "type Constructor<T = {}> = new (...rest: any[]) => T;\n\
         declare const Made: Constructor<d.Cart>;\n\
         class A extends Made { run() { this.total(); } }\n\
         declare const Both: Constructor<d.Pair<string, d.Cart>> & typeof d.Cart;\n\
         class B extends Both { run() { this.total(); this.b.total(); } }\n\
         function mixin<T extends Constructor<d.Cart>>(Base: T) {\n\
         \x20 return class C extends Base { run() { this.total(); } };\n}\n\
         class Own extends Made { total() {} }\n\
         const own = new Own();\nown.total();\n",
        &["4:36 call", "6:36 call", "6:52 call", "8:45 call"],
    );
}

#[test]
fn a_class_without_a_name_has_the_members_of_its_bases() {
    let files = [
        ("a.ts", DECLARATIONS),
        (
            "b.ts",
            "import { Cart } from './a';\ntype Constructor<T> = new (...rest: any[]) => T;\n\
             export interface Named { title(): string }\n\
             export function Named<T extends Constructor<Cart>>(\
             Base: T): Constructor<Named> & T {\n\
             \x20 return class extends Base implements Named {\n\
             \x20   run = () => this.total();\n\
             \x20   title() { super.total(); this.total(); return this.own(); }\n\
             \x20   own() { return ''; }\n  };\n}\n\
             class Shelf extends Named(Cart) { run() { this.title(); } }\n",
        ),
        (
            "c.js",
            "module.exports = () => class { open() { this.close(); } close() {} };\n",
        ),
    ];
    let total = ["b.ts:6:21 call", "b.ts:7:20 call", "b.ts:7:34 call"];
    check(&files, "a.Cart.total", &total);
    check(&files, "b.ts:3:26", &["b.ts:11:47 call"]);
    check(&files, "b.Named.own", &["b.ts:7:55 call"]);
    check(&files, "c.js:1:57", &["c.js:1:45 call"]);
}

#[test]
fn a_base_that_is_not_known_may_have_the_member() {
    check_file(
        "a.Cart.total",
        "import { EventEmitter } from 'events';\n\
         export const m = () => class extends EventEmitter { \
         run() { this.total(); super.total(); } };\n\
         declare const Made: { new (): d.Pair<string, d.Cart>; make(): d.Cart };\n\
         class A extends Made { static of() { return this.make().total(); } \
         run() { this.b.total(); } }\n\
         A.make().total();\n",
        &[
            "5:56 call",
            "5:82 call",
            "6:9 call",
            "3:65 call?",
            "3:80 call?",
        ],
    );
}

#[test]
fn a_class_has_the_elements_of_the_container_that_it_extends() {
    check_file(
        "a.Cart.total",
        "import type { Cart } from './a';\n\
         class Carts extends Array<Cart> { first() { this[0].total(); } \
         all() { for (const one of this) one.total(); } }\n\
         class Named extends Map<string, Cart> {}\n\
         class Unique extends Set<Cart> {}\n\
         interface Index extends Record<string, Cart> {}\n\
         function use(a: Carts, b: Named, c: Unique, d: Index) {\n\
         a[0].total(); a.pop().total();\n\
         for (const one of a) one.total();\n\
         for (const [, one] of b) one.total();\n\
         for (const one of c) one.total();\n\
         d['a'].total();\n\
         for (const [one] of b) one.total();\n\
         }\n",
        &[
            "3:52 call",
            "3:99 call",
            "8:5 call",
            "8:22 call",
            "9:25 call",
            "10:29 call",
            "11:25 call",
            "12:7 call",
            "13:27 call?",
        ],
    );
}

#[test]
fn a_promise_that_is_created_has_its_declared_value() {
    check_file(
        "a.Cart.total",
        "import { Cart } from './a';\n\
         new Promise<Cart>((resolve) => resolve(new Cart())).then((one) => one.total());\n\
         const kept = new Promise<Cart>(() => {});\n\
         async function use() { (await kept).total(); }\n\
         function make() { return new Promise<Cart | null>(() => {}); }\n\
         make().then((one) => one.total());\n\
         let lazy: Cart | undefined;\n\
         function get() { return (lazy ??= new Cart()); }\n\
         get().total();\n",
        &["3:70 call", "5:36 call", "7:25 call", "10:6 call"],
    );
}

#[test]
fn the_rest_of_an_object_keeps_its_members() {
    let text = "export class Cart { total() {} }
interface Props { one: Cart; cart: Cart; count: number }
declare const props: Props;
function run({ one, ...rest }: Props) { rest.cart.total(); }
const view = ({ one, ...rest }: Props) => rest.cart.total();
const { one: renamed = new Cart(), ...others } = props;
others.cart.total();
let a: Cart, more: Props;
({ one: a, ...more } = props);
more.cart.total();
others.count.total(); // ?
";
    let files = [("a.ts", text)];
    let rows = rows_of_totals(&files);
    let expected: Vec<&str> = rows.iter().map(String::as_str).collect();
    check(&files, "a.Cart.total", &expected);
}
