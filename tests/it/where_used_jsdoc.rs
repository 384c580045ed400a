//! `where_used` in JavaScript: types that documentation comments declare.

use crate::where_used::check;

const CART: (&str, &str) = (
    "cart.js",
    "export class Cart { total() { return 1; } same() { return this; } }\n\
     export class Other { total() {} }\n",
);

/// Checks the references of `Cart.total`.
#[track_caller]
fn check_total(text: &str, expected: &[&str]) {
    let text = format!("import {{ Cart }} from './cart.js';\n{text}");
    check(&[CART, ("a.js", &text)], "cart.Cart.total", expected);
}

#[test]
fn parameters_and_results_have_documented_types() {
    check_total(
        "/**\n * Pays.\n * @param {Cart} cart what is paid\n * @param {?Cart} [extra=null]\n */\n\
         function pay(cart, extra) { cart.total(); extra.total(); }\n\
         /** @returns {Promise<Cart | null>} */\n\
         async function load() { return fetch('/cart'); }\n\
         (await load()).total();\n\
         /** @param {Cart} cart */\n\
         export const show = (cart) => cart.total();\n\
         const one = (/** @type {Cart} */ cart) => cart.total();\n\
         class Shop {\n\
           /** @param {Cart} cart */\n\
           sell(cart) { cart.total(); }\n\
         }\n",
        &[
            "a.js:7:33 call",
            "a.js:7:48 call",
            "a.js:10:15 call",
            "a.js:12:35 call",
            "a.js:13:47 call",
            "a.js:16:18 call",
        ],
    );
}

#[test]
fn a_function_has_a_documented_instance() {
    check_total(
        "/** @this {Cart} */\n\
         function sum() { return this.total(); }\n\
         export class Shop {\n\
           /** @this {Cart} */\n\
           static sum() { return this.total(); }\n\
         }\n",
        &["a.js:3:29 call", "a.js:6:27 call"],
    );
    let text = "export class K {\n\
           total() {}\n\
           /** @this {Missing} */\n\
           sum() { this.total(); [].map(() => this.total()); }\n\
         }\n";
    check(
        &[("a.js", text)],
        "a.K.total",
        &["a.js:4:13 call", "a.js:4:40 call"],
    );
}

#[test]
fn constructor_functions_are_types() {
    let text = "function Cart() {}\n\
         Cart.prototype.total = function () {};\n\
         module.exports = { Cart };\n";
    let user = "const { Cart } = require('./cart');\n\
         /** @param {Cart} cart */\n\
         function pay(cart) { cart.total(); }\n\
         /** @param {import('./cart').Cart} cart */\n\
         function sell(cart) { cart.total(); }\n";
    let files = [("cart.js", text), ("a.js", user)];
    check(
        &files,
        "cart.Cart.total",
        &["a.js:3:26 call", "a.js:5:27 call"],
    );
    check(
        &files,
        "cart.Cart",
        &[
            "a.js:1:8 import",
            "a.js:2:12 reference",
            "a.js:4:29 reference",
            "cart.js:2:0 reference",
            "cart.js:3:19 reference",
        ],
    );
}

#[test]
fn types_of_typescript_are_documented_types() {
    let types = "export interface Cart { total(): number }\n\
         export type Alias = Cart;\n\
         export namespace inner { export interface Cart { total(): number } }\n";
    let user = "/** @param {import('./types').Cart} cart */\n\
         function one(cart) { cart.total(); }\n\
         /** @import { Cart, Alias, inner } from './types' */\n\
         /** @param {Cart} cart @param {Alias} alias */\n\
         function two(cart) { cart.total(); }\n\
         /** @param {Alias} cart */\n\
         function three(cart) { cart.total(); }\n\
         /** @param {inner.Cart} cart */\n\
         function four(cart) { cart.total(); }\n";
    check(
        &[("types.d.ts", types), ("a.js", user)],
        "sym:types%2Ed.Cart.total",
        &["a.js:2:26 call", "a.js:5:26 call", "a.js:7:28 call"],
    );
}

#[test]
fn variables_and_attributes_have_documented_types() {
    check_total(
        "/** @type {Cart | undefined} */\n\
         let cart;\n\
         cart.total();\n\
         class Shop {\n\
           /** @type {Cart} */\n\
           first = null;\n\
           constructor(options) {\n\
             /** @type {Cart} */\n\
             this.second = options.cart;\n\
           }\n\
           sum() { return this.first.total() + this.second.total(); }\n\
         }\n\
         const found = /** @type {Cart} */ (find('cart'));\n\
         found.total();\n",
        &[
            "a.js:4:5 call",
            "a.js:12:26 call",
            "a.js:12:48 call",
            "a.js:15:6 call",
        ],
    );
}

#[test]
fn expressions_in_brackets_have_documented_types() {
    check_total(
        "const one = (/** @type {Cart} */ (find()));\n\
         one.total();\n\
         (/** @type {Cart} */ (find())).total();\n\
         function two(value) { return /** @type {Cart} */ (value); }\n\
         two().total();\n\
         const three = (value) => /** @type {Cart} */ (value);\n\
         three(1).total();\n\
         function four(value) {\n\
           return (/** @type {Cart} */ (value)).total() + (/** plain */ (value)).total();\n\
         }\n",
        &[
            "a.js:3:4 call",
            "a.js:4:31 call",
            "a.js:6:6 call",
            "a.js:8:9 call",
            "a.js:10:37 call",
            "a.js:10:70 call?",
        ],
    );
}

#[test]
fn containers_have_documented_elements() {
    check_total(
        "/** @param {Cart[]} carts @param */\n\
         function each(carts) {\n\
           for (const cart of carts) cart.total();\n\
           carts.forEach((cart) => cart.total());\n\
           carts[0].total();\n\
         }\n\
         /** @param {Map<string, Cart>} byName */\n\
         function named(byName) { byName.get('a').total(); }\n\
         /** @param {Array.<Cart>} carts\n  *  @param {Object<string, Cart>} byName */\n\
         function older(carts, byName) { carts[1].total(); byName.a.total(); }\n\
         /** @param {...Cart} carts */\n\
         function many(...carts) { carts[0].total(); }\n\
         /** @type {{ [name: string]: Cart }} */\n\
         const all = {};\n\
         all['a'].total();\n",
        &[
            "a.js:4:31 call",
            "a.js:5:29 call",
            "a.js:6:9 call",
            "a.js:9:41 call",
            "a.js:12:41 call",
            "a.js:12:59 call",
            "a.js:14:35 call",
            "a.js:17:9 call",
        ],
    );
}

#[test]
fn objects_have_documented_members() {
    check_total(
        "/** @param {{ cart: Cart, other?: () => void, extra: { cart: Cart } }} options */\n\
         function literal(options) { options.cart.total(); options.extra.cart.total(); }\n\
         /**\n * @param {Object} options\n * @param {Cart} options.cart\n */\n\
         function members(options) { options.cart.total(); }\n\
         /** @param {{ cart: Cart }} options */\n\
         function pattern({ cart, other }) { cart.total(); other.total(); }\n\
         /**\n * @typedef {object} Options\n * @property {Cart} cart\n \
         * @prop {Options} [inner]\n */\n\
         /** @param {Options} options */\n\
         function named(options) { options.cart.total(); }\n",
        &[
            "a.js:3:41 call",
            "a.js:3:69 call",
            "a.js:8:41 call",
            "a.js:10:41 call",
            "a.js:17:39 call",
            "a.js:10:56 call?",
        ],
    );
}

#[test]
fn comments_import_types() {
    let text = "/** @typedef {import('./cart.js').Cart} Cart */\n\
         /** @import { Cart as Paid, Other } from './cart.js' */\n\
         /** @param {Cart} cart */\n\
         function a(cart) { cart.total(); }\n\
         /** @param {import(\"./cart.js\").Cart} cart */\n\
         function b(cart) { cart.total(); }\n\
         /** @param {Paid} cart @returns {void} */\n\
         function c(cart) { cart.total(); }\n\
         /** @param {typeof import('./cart.js')} shop */\n\
         function d(shop) { new shop.Cart().total(); }\n\
         /** @param {Other} other */\n\
         function e(other) { other.total(); }\n";
    check(
        &[CART, ("a.js", text)],
        "cart.Cart.total",
        &[
            "a.js:4:24 call",
            "a.js:6:24 call",
            "a.js:8:24 call",
            "a.js:10:35 call",
        ],
    );
}

#[test]
fn functions_have_documented_types() {
    check_total(
        "/** @type {(cart: Cart, ...others: Cart[]) => void} */\n\
         const one = (cart) => { cart.total(); };\n\
         /** @typedef {function(Cart): boolean} Test */\n\
         /** @type {Test} */\n\
         export const two = function (cart) { return cart.total() > 0; };\n\
         /**\n * @callback Three\n * @param {Cart} cart\n * @returns {Cart}\n */\n\
         /** @type {Three} */\n\
         const three = ({ total }) => total();\n\
         /** @param {Three} make @param {() => Cart} */\n\
         function call(make) { make().total(); }\n\
         /** @param {(value: any) => value is Cart} is */\n\
         function test(is) { is().total(); }\n",
        &[
            "a.js:3:29 call",
            "a.js:6:49 call",
            "a.js:13:17 reference",
            "a.js:13:29 call",
            "a.js:15:29 call",
            "a.js:17:25 call?",
        ],
    );
}

#[test]
fn types_that_comments_name_are_imported() {
    let types = "/**\n * @typedef {import('./cart.js').Cart} Basket\n */\n\
         /**\n * @typedef {object} Options\n * @property {Basket[]} carts\n */\n\
         class Types {}\n\
         module.exports = Types;\n";
    let user = "/**\n * @import Types, {\n * \tOptions,\n * \tBasket as Paid\n \
         * } from './types'\n */\n\
         /** @param {Options} options @param */\n\
         function one(options) { options.carts[0].total(); }\n\
         /** @param {Paid} paid */\n\
         function two(paid) { paid.total(); }\n\
         /** @param {import('./types').Options} options */\n\
         function three({ carts }) { carts.map((cart) => cart.total()); }\n";
    let files = [CART, ("types.js", types), ("a.js", user)];
    check(
        &files,
        "cart.Cart.total",
        &["a.js:8:41 call", "a.js:10:26 call", "a.js:12:53 call"],
    );
    check(
        &files,
        "types.Types",
        &["a.js:2:11 import", "types.js:9:17 reference"],
    );
}

#[test]
fn types_of_comments_are_references() {
    let imported = "/** @import { Cart, Other as Paid } from './cart.js' */\n\
         /**\n * @template T\n * @param {Map<string, Cart[]> | T} carts\n * @returns {Paid}\n */\n\
         export function pay(carts) {}\n";
    let inline = "import * as shop from './cart.js';\n\
         /** @typedef {import('./cart.js').Cart} Basket */\n\
         /** @type {{ one: shop.Cart, two?: Basket }} */\n\
         export const both = {};\n\
         /** @type {Cart} of another file */\n\
         export const other = {};\n";
    let files = [CART, ("a.js", imported), ("b.js", inline)];
    check(
        &files,
        "cart.Cart",
        &[
            "a.js:1:14 import",
            "a.js:4:23 reference",
            "b.js:2:34 reference",
            "b.js:3:23 reference",
        ],
    );
    check(
        &files,
        "cart.Other",
        &["a.js:1:20 import", "a.js:5:13 reference"],
    );
}

#[test]
fn a_comment_that_imports_a_type_uses_the_module() {
    check(
        &[
            ("src/cart.js", CART.1),
            (
                "src/a.js",
                "/** @typedef {import('./cart.js').Cart} Cart */\n",
            ),
        ],
        "sym:src.cart",
        &["src/a.js:1:22 import"],
    );
}

#[test]
fn a_script_with_types_of_comments_is_a_script() {
    let script = "/** @param {import('./cart.js').Cart} cart */\n\
         function pay(cart) { cart.total(); }\n";
    check(
        &[CART, ("a.js", script), ("b.js", "pay();\n")],
        "a.pay",
        &["b.js:1:0 call?"],
    );
}

#[test]
fn names_mean_what_the_code_sees_after_the_comment() {
    let text = "import { Cart, Other } from './cart.js';\n\
         export function f() {\n\
           class Cart { total() {} }\n\
           /** @param {Cart} cart */\n\
           function g(cart) { cart.total(); }\n\
           g(new Cart());\n\
         }\n\
         new Cart();\n";
    let files = [CART, ("a.js", text)];
    check(&files, "cart.Cart", &["a.js:1:9 import", "a.js:8:4 call"]);
    check(
        &files,
        "a.f.Cart",
        &["a.js:4:12 reference", "a.js:6:6 call"],
    );
    check(&files, "a.f.Cart.total", &["a.js:5:24 call"]);
}

#[test]
fn types_name_each_other() {
    check_total(
        "/** @typedef {{builds: Build[]}} App */\n\
         /** @typedef {{confs: Conf[]}} Build */\n\
         /** @typedef {{carts: Cart[], app: App}} Conf */\n\
         /** @param {Conf} conf */\n\
         export function f(conf) { conf.carts[0].total(); }\n\
         /** @typedef {{next: List, cart: Cart}} List */\n\
         /** @param {List} list */\n\
         export function g(list) { list.next.next.cart.total(); }\n\
         /** @typedef {One} Two @typedef {Two} One */\n\
         /** @param {One} one */\n\
         export function h(one) { one.total(); }\n",
        &["a.js:6:40 call", "a.js:9:46 call", "a.js:12:29 call?"],
    );
    let cycle = [
        CART,
        ("a.js", "/** @typedef {import('./b.js').B} A */\n"),
        (
            "b.js",
            "/** @typedef {import('./a.js').A} B */\n\
             /** @param {B} b */\nfunction f(b) { b.total(); }\n",
        ),
    ];
    check(&cycle, "cart.Cart.total", &["b.js:3:18 call?"]);
}

#[test]
fn only_the_tags_of_a_function_are_its_own() {
    check_total(
        "/**\n * @callback Done\n * @param {Cart} cart\n * @returns {Cart}\n */\n\
         export function done(cart) { cart.total(); }\n\
         done().total();\n\
         /** @template T the type of a Cart */\n\
         /** @param {Cart} cart @returns {Cart} what */\n\
         export function f(cart) { cart.total(); }\n\
         f().total();\n\
         /**\n * @param {Object[]} all\n * @param {Cart} all[].cart\n */\n\
         export function g(all) { all.total(); }\n\
         let n = 1; /** @type {Cart} */\n\
         let c = make();\n\
         c.total();\n\
         /** @deprecated {Cart} @default {Cart.total} */\n\
         let d = 1;\n",
        &[
            "a.js:11:31 call",
            "a.js:12:4 call",
            "a.js:7:34 call?",
            "a.js:8:7 call?",
            "a.js:17:29 call?",
            "a.js:20:2 call?",
        ],
    );
}

#[test]
fn tags_share_a_line() {
    check_total(
        "class Shop {\n\
           /** @private @type {Cart} */\n\
           cart = find();\n\
           /** @override @param {Cart} a @returns {Cart} */\n\
           sell(a) { a.total(); return find(); }\n\
           run() { this.cart.total(); this.sell().total(); }\n\
         }\n\
         /** @param a @returns {Cart} by mail: a@b.c */\n\
         function find(a) { return fetch(a); }\n\
         find().total();\n",
        &[
            "a.js:6:12 call",
            "a.js:7:18 call",
            "a.js:7:39 call",
            "a.js:11:7 call",
        ],
    );
}

#[test]
fn a_template_holds_where_its_comment_does() {
    check_total(
        "/** @template Cart\n * @param {Cart} cart */\n\
         export function any(cart) { cart.total(); }\n\
         /** @template Cart */\n\
         export class Box {\n\
           /** @param {Cart} cart */\n\
           put(cart) { cart.total(); }\n\
         }\n\
         /** @param {Cart} cart */\n\
         export function one(cart) { cart.total(); }\n",
        &["a.js:11:33 call", "a.js:4:33 call?", "a.js:8:17 call?"],
    );
}

#[test]
fn functions_in_objects_have_documented_parameters() {
    check_total(
        "use({\n\
           /** @param {Cart} cart */\n\
           one: (cart) => cart.total(),\n\
           /** @param {Cart} cart */\n\
           two: function (cart) { cart.total(); },\n\
           /** @param {Cart} cart */\n\
           three(cart) { cart.total(); },\n\
         });\n\
         export function make() {\n\
           /** @param {Cart} cart */\n\
           return function (cart) { cart.total(); };\n\
         }\n",
        &[
            "a.js:4:20 call",
            "a.js:6:28 call",
            "a.js:8:19 call",
            "a.js:12:30 call",
        ],
    );
}

#[test]
fn a_module_that_exports_a_class_is_the_type_of_its_instances() {
    let class = "class Cart { total() {} }\nmodule.exports = Cart;\n";
    let user = "/** @typedef {import('./cart')} Cart */\n\
         /** @param {Cart} cart */\n\
         function one(cart) { cart.total(); }\n\
         /** @param {import('./cart')} cart @returns {cart is Cart} */\n\
         function two(cart) { cart.total(); }\n";
    check(
        &[("cart.js", class), ("a.js", user)],
        "cart.Cart.total",
        &["a.js:3:26 call", "a.js:5:26 call"],
    );
}

#[test]
fn a_documented_parameter_is_returned() {
    check_total(
        "/** @param {object} value */\n\
         function same(value) { return value; }\n\
         same(new Cart()).total();\n\
         /** @param {Shop} value */\n\
         function other(value) { return value; }\n\
         other(new Cart()).total();\n\
         class Shop {}\n",
        &["a.js:4:17 call", "a.js:7:18 call"],
    );
}

#[test]
fn a_function_is_no_type_of_what_it_returns() {
    check_total(
        "function cart() { return new Cart(); }\n\
         /** @param {cart} one */\n\
         export function f(one) { one.total(); }\n",
        &["a.js:4:29 call?"],
    );
}

#[test]
fn code_does_not_see_types_of_comments() {
    let types = "/** @typedef {import('./cart.js').Cart} Paid */\nexport const a = 1;\n";
    let user = "import { Paid } from './types.js';\nPaid.total();\n\
         import * as types from './types.js';\ntypes.Paid.total();\n";
    check(
        &[CART, ("types.js", types), ("a.js", user)],
        "cart.Cart.total",
        &["a.js:2:5 call?"],
    );
}

#[test]
fn documented_types_are_beside_what_flows() {
    // Nothing has checked the comment.
    check_total(
        "/** @param {Missing} cart */\n\
         function pay(cart) { cart.total(); }\n\
         pay(new Cart());\n\
         /** @template T @param {T} cart */\n\
         function generic(cart) { cart.total(); }\n\
         generic(new Cart());\n\
         /** @param {Other} cart @returns {Other} */\n\
         function wrong(cart) { return cart; }\n\
         wrong(new Cart()).total();\n",
        &["a.js:3:26 call", "a.js:6:30 call", "a.js:10:18 call"],
    );
}

#[test]
fn types_of_other_syntax_are_unknown() {
    for of in [
        "(a: Cart) => void",
        "function(Cart): void",
        "*",
        "{",
        "Cart[",
        "Cart<",
        "keyof Cart",
        "[Cart",
        "import(",
        "import('./cart.js'",
        "((((((((((((((Cart))))))))))))))",
        "Map<string, ",
    ] {
        let text = format!("/** @param {{{of}}} cart */\nfunction pay(cart) {{ cart.total(); }}\n");
        check_total(&text, &["a.js:3:26 call?"]);
    }
}
