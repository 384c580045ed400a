//! Where used in TypeScript, by types that follow from other types or from values: defaults,
//! aliases, mapped and imported types, mixins, guards, and functions of the standard library.

use crate::where_used::check;

const CLASSES: &str = "\
export class Cart { total(): number { return 1; } }
export class Shop { main!: Cart; carts: Cart[] = []; }
export interface Registry { cart: Cart; other: Cart }
export function use(first: Cart, second: Shop) {}
export function isCart(one: unknown): one is Cart { return true; }
export function assertCart(one: unknown, text?: string): asserts one is Cart {}
export function assertTrue(one: unknown): asserts one {}
";

/// Asserts that all calls of `total` in some code are resolved to `Cart.total`, and that there are no
/// other rows.
fn check_calls(code: &str) {
    let text = format!("import {{ Cart, Shop, Registry, use, isCart }} from './a';\n{code}");
    let lines = (1..).zip(text.lines());
    let calls = lines.flat_map(|(number, line)| {
        let places = line.match_indices(".total(");
        places.map(move |(at, _)| format!("b.ts:{number}:{} call", at + 1))
    });
    let calls: Vec<String> = calls.collect();
    let calls: Vec<&str> = calls.iter().map(String::as_str).collect();
    check(
        &[("a.ts", CLASSES), ("b.ts", &text)],
        "a.Cart.total",
        &calls,
    );
}

#[test]
fn parameters_have_the_types_of_their_default_values() {
    check_calls(
        "function a(one = new Cart(), two = one) { one.total(); two.total(); }\n\
         function b({ c } = { c: new Cart() }, [d] = [new Cart()]) { c.total(); d.total(); }\n\
         class E { constructor(private f = new Cart(), g = f) { this.f.total(); g.total(); } }\n",
    );
}

#[test]
fn an_alias_stands_for_its_type_arguments() {
    check_calls(
        "type Maybe<T> = T | null;\ntype Later<T> = Promise<T>;\ntype Same<T> = T;\n\
         function a(one: Maybe<Cart>, two: Same<Cart>[]) { one?.total(); two[0].total(); }\n\
         async function b(one: Later<Cart>) { (await one).total(); }\n",
    );
}

#[test]
fn mapped_types_have_the_members_of_their_type() {
    check_calls(
        "type Open<T> = { -readonly [K in keyof T]?: T[K] };\n\
         function a(one: { [K in keyof Registry]: Registry[K] }) { one.cart.total(); }\n\
         function b(one: Open<Registry>) { one.cart?.total(); }\n",
    );
}

#[test]
fn types_of_parts_are_followed() {
    check_calls(
        "function a(one: Parameters<typeof use>[0], two: Parameters<typeof use>[1]) {\n\
         one.total(); two.main.total(); }\n\
         function b(one: Shop['carts'][number], two: [Cart, Shop][1]) {\n\
         one.total(); two.main.total(); }\n\
         function d(one: Registry[keyof Registry]) { one.total(); }\n\
         function c(one: Registry, key: keyof Registry) { one[key].total(); }\n",
    );
}

#[test]
fn types_that_an_expression_imports_are_found() {
    check_calls(
        "function a(one: import('./a').Cart, two: typeof import('./a')) {\n\
         one.total(); new two.Cart().total(); }\n\
         function b(one: InstanceType<typeof import('./a').Cart>) { one.total(); }\n\
         async function c() { (await import('./a')).Cart.prototype.total(); }\n",
    );
}

#[test]
fn a_class_that_a_function_makes_has_the_members_of_its_argument() {
    check_calls(
        "type Constructor = new (...all: any[]) => {};\n\
         function nameless<B extends Constructor>(Base: B) {\n\
         return class extends Base { own() { return new Cart(); } }; }\n\
         function named<B extends Constructor>(Base: B) {\n\
         abstract class Named extends Base { own() { return new Cart(); } }\nreturn Named; }\n\
         const short = <B extends Constructor>(Base: B) =>\n\
         class extends Base { field = new Cart(); };\n\
         class A extends nameless(Shop) { run() { this.own().total(); this.main.total(); } }\n\
         class C extends named(Shop) { run() { this.own().total(); this.main.total(); } }\n\
         class D extends short(named(Shop)) {}\n\
         new D().field.total(); new D().own().total(); new D().main.total();\n\
         const E = nameless(Shop);\nnew E().main.total();\n",
    );
}

#[test]
fn assertions_narrow_what_follows_them() {
    check_calls(
        "import { assertCart, assertTrue } from './a';\nimport assert from 'node:assert';\n\
         function a(one: unknown, two: unknown) {\n\
         assertCart(one, 'no cart'); one.total();\n\
         assert.ok(two instanceof Cart); two.total(); }\n\
         function b(one: unknown, two: unknown) {\n\
         assertTrue(isCart(one)); one.total(); assert(isCart(two)); two.total(); }\n",
    );
}

#[test]
fn before_an_assertion_and_in_other_blocks_nothing_is_narrowed() {
    let text = "import { Cart, assertCart } from './a';\n\
                function a(one: unknown) {\n\
                one.total();\n\
                if (one) { assertCart(one); }\n\
                one.total(); }\n";
    let rows = ["b.ts:3:4 call?", "b.ts:5:4 call?"];
    check(&[("a.ts", CLASSES), ("b.ts", text)], "a.Cart.total", &rows);
}

#[test]
fn filters_keep_what_passes_their_guard() {
    check_calls(
        "function a(all: unknown[]) {\n\
         all.filter(isCart)[0].total();\n\
         all.filter((one): one is Cart => !!one).forEach((one) => one.total()); }\n\
         class Carts { filter(by: (one: Cart) => boolean) { return this; }\n\
         first() { return new Cart(); } }\n\
         function b(all: Carts) { all.filter(isCart).first().total(); }\n",
    );
}

#[test]
fn functions_of_the_library_keep_the_types_of_elements() {
    check_calls(
        "const table = { one: new Cart(), two: new Cart() };\n\
         Object.values(table).forEach((one) => one.total());\n\
         for (const [key, one] of Object.entries(table)) one.total();\n\
         function a(all: Cart[], many: Cart[][], by: Map<string, Cart>) {\n\
         many.flat()[0].total(); all.flat()[0].total();\n\
         Array.from(by.values(), (one) => one.total());\n\
         Array.from(by.values(), (one) => one)[0].total();\n\
         Object.fromEntries(all.map((one) => ['a', one]))['a'].total();\n\
         Object.groupBy(all, () => 'a')['a']![0].total(); }\n",
    );
}

#[test]
fn declaration_files_may_add_members_to_modules_and_to_the_global_object() {
    let text = "import { Shop } from './a';\n\
                function a(one: Shop) { one.added.total(); }\n\
                window.cart.total();\n";
    let declarations = "import { Cart } from './a';\n\
                        declare global { interface Window { cart: Cart } }\n\
                        declare module './a' { interface Shop { added: Cart } }\n";
    let files = [
        ("a.ts", CLASSES),
        ("b.ts", text),
        ("types.d.ts", declarations),
    ];
    let rows = ["b.ts:3:12 call", "b.ts:2:34 call?"];
    check(&files, "a.Cart.total", &rows);
}

#[test]
fn what_is_no_type_of_the_repository_stays_open() {
    let text = "import { Cart, Shop, isCart } from './a';\nimport assert from 'node:assert';\n\
                type Named = { [K in keyof Shop as `get_${string & K}`]: Shop[K] };\n\
                function a(one: Named) { one.main.total(); }\n\
                interface Open { [key: string]: any; cart: Cart }\n\
                function b(one: Open, key: string) { one[key].total(); }\n\
                function c(one: unknown) { assert.isFalse(isCart(one)); one.total(); }\n";
    let files = [("a.ts", CLASSES), ("b.ts", text)];
    let rows = ["b.ts:4:34 call?", "b.ts:6:46 call?", "b.ts:7:60 call?"];
    check(&files, "a.Cart.total", &rows);
}
