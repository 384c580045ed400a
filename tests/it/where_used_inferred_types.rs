//! Where used in TypeScript: type arguments that calls tell, by their arguments or by the types
//! that are expected of their results.

use crate::where_used::check;

/// The classes that the other files of each test use.
const CLASSES: &str = "export class Cart { total() {} next(): Basket { return null!; } }\n\
                       export class Basket { sum() {} }\n\
                       export class SmallCart extends Cart {}\n";

/// Asserts where a method of the classes is used. The first line of the file imports them.
#[track_caller]
fn check_file(symbol: &str, text: &str, expected: &[&str]) {
    let text = format!("import * as d from './a';\n{text}");
    let files = [("a.ts", CLASSES), ("b.ts", text.as_str())];
    let expected: Vec<String> = expected.iter().map(|row| format!("b.ts:{row}")).collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check(&files, symbol, &expected);
}

#[test]
fn arguments_tell_what_a_function_returns() {
    let text = "function same<T>(one: T): T { return one; }\n\
                function first<T>(all: T[]): T { return all[0]; }\n\
                function maybe<T>(one: T | undefined): NonNullable<T> { return one!; }\n\
                function rest<T>(...all: T[]): T { return all[0]; }\n\
                function both<T, U>(a: T, b: U): T & U { return null!; }\n\
                const arrow = <T,>(one: T): T => one;\n\
                declare const cart: d.Cart, all: d.Cart[];\n\
                same(cart).total();\n\
                first(all).total();\n\
                first([cart]).total();\n\
                maybe(cart).total();\n\
                rest(cart, cart).total();\n\
                both(cart, new d.Basket()).total();\n\
                arrow(cart).total();\n\
                same(same(cart)).total();\n\
                same(new d.SmallCart()).total();\n\
                same(1).total();\n";
    check_file(
        "a.Cart.total",
        text,
        &[
            "9:11 call",
            "10:11 call",
            "11:14 call",
            "12:12 call",
            "13:17 call",
            "14:27 call",
            "15:12 call",
            "16:17 call",
            "17:24 call",
            "18:8 call?",
        ],
    );
}

#[test]
fn arguments_tell_what_functions_among_them_receive() {
    let text = "function each<T>(all: T[], run: (one: T) => void) {}\n\
                function convert<T, U>(all: T[], run: (one: T) => U): U[] { return []; }\n\
                function pipe<A, B, C>(a: A, f: (a: A) => B, g: (b: B) => C): C { return null!; }\n\
                declare const cart: d.Cart, all: d.Cart[];\n\
                each(all, (one) => one.next().sum());\n\
                each(all, function (one) { one.next().sum(); });\n\
                convert(all, (one) => one.next())[0].sum();\n\
                convert(all, (one) => { return one.next(); }).forEach((two) => two.sum());\n\
                pipe(cart, (a) => a.next(), (b) => { b.sum(); return b; }).sum();\n\
                all.reduce((x, one) => { x.sum(); return one.next(); }, new d.Basket()).sum();\n";
    check_file(
        "a.Basket.sum",
        text,
        &[
            "6:30 call",
            "7:38 call",
            "8:37 call",
            "9:67 call",
            "10:39 call",
            "10:59 call",
            "11:27 call",
            "11:72 call",
        ],
    );
}

#[test]
fn classes_and_functions_are_arguments() {
    let text = "type Constructor<T> = new (...all: any[]) => T;\n\
                interface Newable<T> { new (): T }\n\
                class Container {\n  \
                get<T>(of: Constructor<T>): T { return new of(); }\n  \
                load<T>(of: Newable<T> | string): T { return null!; }\n  \
                make<T>(of: { new (): T }): T { return new of(); }\n  \
                all<T>(of: Newable<T>[]): T[] { return []; }\n\
                }\n\
                function memo<T>(run: () => T, on: any[]): T { return run(); }\n\
                function later<T>(run: () => Promise<T>): Promise<T> { return run(); }\n\
                declare const container: Container, cart: d.Cart;\n\
                container.get(d.Cart).total();\n\
                container.load(d.Cart).total();\n\
                container.make(d.Cart).total();\n\
                container.all([d.Cart])[0].total();\n\
                memo(() => new d.Cart(), []).total();\n\
                memo(() => { const made = new d.Cart(); return made; }, []).total();\n\
                memo((): d.Cart => load(), []).total();\n\
                later(async () => cart).then((one) => one.total());\n";
    check_file(
        "a.Cart.total",
        text,
        &[
            "13:22 call",
            "14:23 call",
            "15:23 call",
            "16:27 call",
            "17:29 call",
            "18:60 call",
            "19:31 call",
            "20:42 call",
        ],
    );
}

#[test]
fn constructors_tell_the_type_arguments_of_their_class() {
    let text = "class Box<T> { constructor(public value: T) {} get(): T { return this.value; } }\n\
                class Cell<T> { private v: T; constructor(v: T) { this.v = v; }\n  \
                read(): T { return this.v; } keep(one: T): this { return this; } }\n\
                class Column<T> { constructor(all: T[]) {} first(): T { return null!; }\n  \
                map<U>(run: (one: T) => U): Column<U> { return null!; } }\n\
                function cell<T>(v: T): Cell<T> { return new Cell(v); }\n\
                declare const cart: d.Cart;\n\
                new Box(cart).get().total();\n\
                new Box(cart).value.total();\n\
                const box = new Box(cart);\n\
                box.get().total();\n\
                new Cell(cart).keep(cart).read().total();\n\
                cell(cart).read().total();\n\
                new Column([cart]).map((one) => one).first().total();\n\
                for (const one of new Set([cart])) one.total();\n\
                new Map([['a', cart]]).get('a')!.total();\n";
    check_file(
        "a.Cart.total",
        text,
        &[
            "9:20 call",
            "10:20 call",
            "12:10 call",
            "13:33 call",
            "14:18 call",
            "15:45 call",
            "16:39 call",
            "17:33 call",
        ],
    );
}

#[test]
fn bases_and_members_tell_type_arguments() {
    let text = "interface Reader<T> { read(): T }\n\
                class CartReader implements Reader<d.Cart> { read() { return new d.Cart(); } }\n\
                class Base<T> { value!: T }\n\
                class Derived extends Base<d.Cart> {}\n\
                class Middle<U> extends Base<U[]> {}\n\
                function read<T>(from: Reader<T>): T { return from.read(); }\n\
                function value<T>(of: Base<T>): T { return of.value; }\n\
                function part<T>(of: { value: T }): T { return of.value; }\n\
                read(new CartReader()).total();\n\
                value(new Derived()).total();\n\
                value(new Middle<d.Cart>())[0].total();\n\
                part({ value: new d.Cart() }).total();\n\
                read({ read() { return new d.Cart(); } }).total();\n";
    check_file(
        "a.Cart.total",
        text,
        &[
            "10:23 call",
            "11:21 call",
            "12:31 call",
            "13:30 call",
            "14:42 call",
        ],
    );
}

#[test]
fn bounds_and_defaults_stand_for_what_no_argument_tells() {
    let text = "function find<T extends d.Cart>(): T { return null!; }\n\
                class Signal<T = d.Cart> { get(): T { return null!; } }\n\
                class Own<T extends d.Cart = d.SmallCart> { get(): T { return null!; } }\n\
                find().total();\n\
                new Signal().get().total();\n\
                declare const signal: Signal, own: Own;\n\
                signal.get().total();\n\
                own.get().total();\n\
                new Signal<d.Basket>().get().total();\n";
    check_file(
        "a.Cart.total",
        text,
        &["5:7 call", "6:19 call", "8:13 call", "9:10 call"],
    );
}

#[test]
fn mixins_pass_on_the_class_that_they_receive() {
    let text = "type Constructor<T> = new (...all: any[]) => T;\n\
                interface Extra { more(): void }\n\
                declare function mixin<B extends Constructor<object>>(base: B):\n  \
                B & Constructor<Extra>;\n\
                class Mixed extends mixin(d.Cart) { run() { this.total(); this.more(); } }\n\
                new Mixed().total();\n\
                const make = <B extends typeof d.Cart>(base: B) => mixin(mixin(mixin(base)));\n\
                const Made = make(d.Cart);\n\
                class Deep extends Made { run() { this.total(); this.more(); } }\n\
                new Deep().total();\n";
    let rows = ["6:49 call", "7:12 call", "10:39 call", "11:11 call"];
    check_file("a.Cart.total", text, &rows);
    check_file("b.Extra.more", text, &["6:63 call", "10:53 call"]);
}

#[test]
fn overloads_and_unknown_arguments_tell_nothing_wrong() {
    let text = "declare function load(one: d.Cart): d.Cart;\n\
                declare function load(one: d.Basket): d.Basket;\n\
                declare function same<T>(one: T): T;\n\
                declare const any: any, basket: d.Basket;\n\
                load(basket).sum();\n\
                same(any).sum();\n\
                same(basket).sum();\n\
                same(...any).sum();\n";
    check_file(
        "a.Basket.sum",
        text,
        &["6:13 call", "8:13 call", "7:10 call?", "9:13 call?"],
    );
}

#[test]
fn what_an_argument_may_tell_is_not_its_bound() {
    let text = "import { ext } from 'external';\n\
                declare function same<T extends d.Cart>(one: T): T;\n\
                declare function other<T = d.Cart>(one?: T): T;\n\
                declare function both<T>(a: T, b: T): T;\n\
                declare const any: any;\n\
                same(any).small();\n\
                same((new d.SmallCart())).small();\n\
                same(ext.find('a')).small();\n\
                same(...any).small();\n\
                other(ext).small();\n\
                both(any, new d.Basket()).small();\n\
                new Set([new d.Basket(), ext]).forEach((one) => one.small());\n\
                class Own<T = d.Cart> { constructor(one?: T) {} get(): T { return null!; } }\n\
                new Own(ext).get().small();\n";
    let classes = CLASSES.replace("extends Cart {", "extends Cart { small() {} ");
    let text = format!("import * as d from './a';\n{text}");
    let files = [("a.ts", classes.as_str()), ("b.ts", text.as_str())];
    let rows = [
        "b.ts:8:26 call",
        "b.ts:7:10 call?",
        "b.ts:9:20 call?",
        "b.ts:10:13 call?",
        "b.ts:11:11 call?",
        "b.ts:12:26 call?",
        "b.ts:13:52 call?",
        "b.ts:15:19 call?",
    ];
    check(&files, "a.SmallCart.small", &rows);
}

#[test]
fn a_set_of_another_module_is_not_the_global_one() {
    let text = "import { Map } from 'other';\n\
                declare const carts: d.Cart[], pairs: [string, d.Cart][];\n\
                function run(Set: any) { new Set(carts).forEach((one) => one.total()); }\n\
                new Map(pairs).get('a').total();\n\
                new WeakMap([[new d.Basket(), new d.Cart()]]).get(carts)!.total();\n";
    check_file(
        "a.Cart.total",
        text,
        &["4:61 call?", "5:24 call?", "6:58 call?"],
    );
}

#[test]
fn nothing_is_known_of_any() {
    let text = "class Box<T> { get(): T { return null!; } all(): T[] { return []; } }\n\
                declare const box: Box<any>, other: Box<unknown>, text: Box<string>;\n\
                declare const all: any[], named: Map<string, any>;\n\
                box.get().total();\n\
                box.all()[0].total();\n\
                other.get().total();\n\
                text.get().total();\n\
                all[0].total();\n\
                all.map((one) => one.total());\n\
                named.get('a').total();\n";
    check_file(
        "a.Cart.total",
        text,
        &[
            "5:10 call?",
            "6:13 call?",
            "7:12 call?",
            "9:7 call?",
            "10:21 call?",
            "11:15 call?",
        ],
    );
}
