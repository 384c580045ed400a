//! Facts of JavaScript and TypeScript texts, in the rows of `fact_rows`.

use crate::fact_rows::{
    bindings, definitions, exported, imports, kinds, lines, references, repeated, scopes,
};
use proptest::prelude::*;
use ragnav::syntax;
use ragnav::syntax::facts::{BodyHash, Facts, ScopeKind};

fn facts(language: &str, text: &str) -> Facts {
    syntax::extract_facts(syntax::find_language(language).unwrap(), text)
}

fn check(language: &str, print: fn(&Facts) -> Vec<String>, text: &str, expected: &[&str]) {
    assert_eq!(print(&facts(language, text)), expected, "{text}");
}

#[test]
fn definitions_have_name_paths() {
    check(
        "javascript",
        kinds,
        "function a() { function b() {} }\n\
         async function* c() {}\n\
         class D { constructor() {} get e() {} static f() {} #g() {} h = () => {}; static i = \
         function () {}; 'j'() {} [Symbol.iterator]() {} [k]() {} }\n\
         const l = () => {}, m = function () {}, n = class { o() {} };\n",
        &[
            "a function",
            "a.b function",
            "c function",
            "D class",
            "D.constructor method",
            "D.e method",
            "D.f method",
            "D.#g method",
            "D.h method",
            "D.i method",
            "D.j method",
            "D.@@iterator method",
            "l function",
            "m function",
            "n class",
            "n.o method",
        ],
    );
    check(
        "javascript",
        kinds,
        "const a = { b() {}, c: () => {}, 'd': function () {}, e: { f() {} }, g: 1, 'h.i': () => \
         {} };\n\
         exports.j = function () {};\n\
         module.exports.k = () => {};\n\
         module.exports = { l() {}, m: () => {}, n };\n\
         o.p = function () {};\n\
         Q.prototype.r = function () {};\n\
         Q.prototype = { s() {} };\n\
         let t; t = (() => {});\n\
         u({ v() {}, w: () => {} }, function x() {}, () => {});\n",
        &[
            "a.b method",
            "a.c method",
            "a.d method",
            "a.e.f method",
            "j function",
            "k function",
            "l function",
            "m function",
            "o.p method",
            "Q.r method",
            "Q.s method",
            "t function",
            "v function",
            "x function",
        ],
    );
    check(
        "javascript",
        kinds,
        "function A() { this.b = function () {}; }\n\
         class C { d() { this.e = () => {}; function f() {} } static g = { h() {} }; static { \
         function i() {} } }\n\
         const j = () => { const k = { l() {} }; return function m() {}; };\n\
         export default function () {}\n",
        &[
            "A function",
            "A.b method",
            "C class",
            "C.d method",
            "C.e method",
            "C.d.f function",
            "C.g.h method",
            "C.i function",
            "j function",
            "j.k.l method",
            "j.m function",
            "default function",
        ],
    );
    check(
        "javascript",
        kinds,
        "export default class { a() {} }\nexport default () => {};\n",
        &["default class", "default.a method", "default function"],
    );
    check(
        "javascript",
        kinds,
        "export default { a() {} };\n\
         module.exports = function () {};\n\
         module.exports = function b() {};\n\
         var c = module.exports = class D {};\n",
        &[
            "default.a method",
            "default function",
            "b function",
            "D class",
        ],
    );
}

#[test]
fn types_and_namespaces_are_definitions() {
    check(
        "typescript",
        kinds,
        "interface A { b(): void; c: () => void; d(x: string): void; d(x: number): void }\n\
         enum E { F, G = 1 }\n\
         const enum H {}\n\
         type I = { j(): void };\n\
         namespace K { export function l() {} export namespace M.N { class O {} } }\n\
         declare module 'p' { function q(): void }\n\
         declare function r(): void;\n\
         function s(): void; function s(x?: any) {}\n\
         abstract class T { abstract u(): void; v?(): void; declare w: X; }\n\
         declare namespace Y { const z: number }\n\
         const aa = { bb() {} } as const satisfies Cc;\n",
        &[
            "A interface",
            "A.b method",
            "A.d method",
            "A.d method",
            "E enum",
            "H enum",
            "I type",
            "K namespace",
            "K.l function",
            "K.M.N namespace",
            "K.M.N.O class",
            "q function",
            "r function",
            "s function",
            "s function",
            "T class",
            "T.u method",
            "T.v method",
            "Y namespace",
            "aa.bb method",
        ],
    );
}

#[test]
fn lines_begin_at_the_statement_and_end_at_its_last_token() {
    check(
        "javascript",
        lines,
        "// a\n\
         export\n\
         const a =\n  \
         () => {\n  \
         }\n\
         ;\n\
         const b = 1,\n  \
         c = () => {\n  \
         };\n\
         class D {\n  \
         // d\n  \
         e = () => {\n  \
         };\n  \
         // f\n\
         }\n\
         exports.g =\n  \
         function () {\n  \
         };\n\
         export default async () => {\n\
         };\n",
        &[
            "a 3 3-5",
            "c 8 8-9",
            "D 10 10-15",
            "D.e 12 12-13",
            "g 16 16-18",
            "default 19 19-20",
        ],
    );
    check(
        "typescript",
        lines,
        "@a\n\
         @b()\n\
         export class C {\n  \
         @d\n  \
         // e\n  \
         @f() g() {\n  \
         }\n\n  \
         @h i = () => {\n  \
         };\n\
         }\n\
         @j export abstract class K {\n\
         }\n\
         export declare function l(): void;\n",
        &[
            "C 1 3-11",
            "C.g 4 6-7",
            "C.i 9 9-10",
            "K 12 12-13",
            "l 14 14-14",
        ],
    );
}

#[test]
fn definitions_have_kinds() {
    check(
        "typescript",
        definitions,
        "/** First.\n \
         * Second. */\n\
         @d\n\
         @e.f(1)\n\
         export class A<T> extends b.C<D> implements E, f.G<H> {\n  \
         /**\n   \
         *\n   \
         * Third.\n   \
         */\n  \
         // comment\n  \
         @i.j g(): Promise<A | undefined> {}\n\
         }\n\
         /* no */\n\
         function k(): l.M {}\n\
         /** Far. */\n\n\
         const n = (): o is P => {};\n\
         interface Q extends R<S>, t.U {}\n\
         class V extends w(x) {}\n",
        &[
            "A 5:13 #2 [b.C<D()>,E,f.G<H()>] [d,e.f()] - First.",
            "A.g 11:7 #3 [] [i.j] A() Third.",
            "k 14:9 #4 [] [] l.M() -",
            "n 17:6 #5 [] [] - Far.",
            "Q 18:10 #6 [R<S()>,t.U] [] - -",
            "V 19:6 #7 [w(x)] [] - -",
        ],
    );
    check(
        "javascript",
        definitions,
        "class A extends B {}\nclass C extends d.E {}\nconst F = class G extends (H) {};\n",
        &[
            "A 1:6 #1 [B] [] - -",
            "C 2:6 #2 [d.E] [] - -",
            "F 3:6 #4 [H] [] - -",
        ],
    );
}

#[test]
fn scopes_nest_as_the_language_nests_them() {
    check(
        "javascript",
        scopes,
        "function a() { if (b) { let c; } else { var d; } for (const e of f) {} }\n\
         class G { h() { return () => i; } static { } j = k(); }\n\
         try { l } catch (m) { let n; }\n\
         switch (o) { case 1: let p; }\n\
         for (let q = 0;;) { q }\n",
        &[
            "#0 module - -",
            "#1 function #0 a",
            "#2 block #1 a",
            "#3 block #1 a",
            "#4 class #0 G",
            "#5 function #4 G.h",
            "#6 arrow #5 G.h",
            "#7 function #4 G",
            "#8 function #4 G",
            "#9 block #0 -",
            "#10 block #9 -",
            "#11 block #0 -",
            "#12 block #0 -",
        ],
    );
    check(
        "typescript",
        scopes,
        "function a<T>(b: <U>(c: U) => T) {}\n\
         class D<E> { f<G>() {} }\n\
         interface H { i(): void }\n\
         type J<K> = K;\n\
         enum L {}\n\
         namespace M {}\n",
        &[
            "#0 module - -",
            "#1 parameters #0 a",
            "#2 function #1 a",
            "#3 parameters #1 a",
            "#4 parameters #0 D",
            "#5 class #4 D",
            "#6 parameters #5 D.f",
            "#7 function #6 D.f",
            "#8 class #0 H",
            "#9 function #8 H.i",
            "#10 parameters #0 J",
            "#11 class #0 L",
            "#12 namespace #0 M",
            "#13 arrow #3 a",
        ],
    );
}

#[test]
fn declarations_bind_in_their_scope() {
    check(
        "javascript",
        bindings,
        "var a = b; let c = new d.E(1), f = await g();\n\
         const { h, i: j = 1, ...k } = l.m, [n, , { o }] = p();\n\
         function q() { if (r) { var s; let t; function u() {} class V {} } }\n\
         for (var w of x) {} for (const [y] of z) {}\n\
         try {} catch ({ aa }) {}\n\
         (function bb() {}); const cc = class Dd {};\n",
        &[
            "#0 1:4 a variable b",
            "#0 1:15 c variable d.E()",
            "#0 1:31 f variable g()",
            "#0 2:8 h variable l.m.h",
            "#0 2:14 j variable l.m.i",
            "#0 2:24 k variable -",
            "#0 2:36 n variable -",
            "#0 2:43 o variable -",
            "#0 3:9 q definition q",
            "#1 3:28 s variable -",
            "#2 3:35 t variable -",
            "#1 3:47 u definition q.u",
            "#2 3:60 V definition q.V",
            "#0 4:9 w variable -",
            "#5 4:32 y variable -",
            "#6 5:16 aa variable -",
            "#7 6:10 bb definition bb",
            "#0 6:26 cc definition cc",
            "#9 6:37 Dd definition cc",
        ],
    );
    check(
        "javascript",
        bindings,
        "let a; function b(c) { a = new D(); c = E.f; g = 1; [a, h] = i; a += 1; }\n\
         let j; j = function () {};\n",
        &[
            "#0 1:4 a variable -",
            "#0 1:16 b definition b",
            "#1 1:18 c parameter -",
            "#0 1:23 a variable D()",
            "#1 1:36 c variable E.f",
            "#0 1:45 g variable -",
            "#0 1:53 a variable -",
            "#0 1:56 h variable -",
            "#0 2:4 j variable -",
            "#0 2:7 j definition j",
        ],
    );
    check(
        "typescript",
        bindings,
        "let a: B; let c: d.E | null = f(); let g: Array<H>; let i: J[]; let k: typeof l; let m: \
         'n'; let o = p as Q; let r = s!;\n\
         enum T { U, V = 1 }\n\
         type W<X> = Y; interface Z { aa: Bb; cc(): void }\n\
         import Dd = Ee.Ff; namespace Gg.Hh {} abstract class Ii {} declare const jj: Kk;\n",
        &[
            "#0 1:4 a variable B()",
            "#0 1:14 c variable d.E()",
            "#0 1:39 g variable Array<H()>()",
            "#0 1:56 i variable Array<J()>()",
            "#0 1:68 k variable l",
            "#0 1:85 m variable -",
            "#0 1:97 o variable Q()",
            "#0 1:113 r variable s",
            "#0 2:5 T definition T",
            "#1 2:9 U variable -",
            "#1 2:12 V variable -",
            "#0 3:5 W definition W",
            "#2 3:7 X variable -",
            "#0 3:25 Z definition Z",
            "#3 3:29 aa attribute Bb()",
            "#3 3:37 cc definition Z.cc",
            "#0 4:7 Dd variable Ee.Ff",
            "#0 4:29 Gg variable -",
            "#0 4:53 Ii definition Ii",
            "#0 4:73 jj variable Kk()",
        ],
    );
}

#[test]
fn parameters_bind() {
    check(
        "javascript",
        bindings,
        "function a(b, c = d, { e, f: [g] = h }, ...i) {}\nj => j; (k, l) => k;\n",
        &[
            "#0 1:9 a definition a",
            "#1 1:11 b parameter -",
            "#1 1:14 c parameter -",
            "#1 1:23 e parameter -",
            "#1 1:30 g parameter -",
            "#1 1:43 i parameter -",
            "#3 2:0 j parameter -",
            "#4 2:9 k parameter -",
            "#4 2:12 l parameter -",
        ],
    );
    check(
        "typescript",
        bindings,
        "function a(this: B, c: D, e?: f.G, h = i, ...j: K[]) {}\n\
         let l: (m: N) => O; interface P { q(r: S): void }\n",
        &[
            "#0 1:9 a definition a",
            "#1 1:11 this parameter B()",
            "#1 1:20 c parameter D()",
            "#1 1:26 e parameter f.G()",
            "#1 1:35 h parameter i",
            "#1 1:45 j parameter Array<K()>()",
            "#0 2:4 l variable (#5)",
            "#5 2:8 m parameter N()",
            "#5 2:17 return variable O()",
            "#0 2:30 P definition P",
            "#3 2:34 q definition P.q",
            "#4 2:36 r parameter S()",
        ],
    );
}

#[test]
fn attributes_belong_to_the_class() {
    check(
        "typescript",
        bindings,
        "class A { b = c; d: E = f(); static g = 1; #h?: I;\n  \
         constructor(private j: K, readonly l?: M, n: O) { this.p = new Q(); this.r.s = 1; }\n  \
         t() { () => { this.u = v; }; function w() { this.x = 1; } }\n  \
         y = () => { this.z = 1; }; }\n",
        &[
            "#0 1:6 A definition A",
            "#1 1:10 b attribute c",
            "#1 1:17 d attribute E()",
            "#1 1:36 g attribute -",
            "#1 1:43 #h attribute I()",
            "#1 2:2 constructor definition A.constructor",
            "#1 2:22 j attribute K()",
            "#3 2:22 j parameter K()",
            "#1 2:37 l attribute M()",
            "#3 2:37 l parameter M()",
            "#3 2:44 n parameter O()",
            "#1 2:57 p attribute Q()",
            "#1 3:2 t definition A.t",
            "#1 3:21 u attribute v",
            "#6 3:31 this parameter -",
            "#4 3:40 w definition A.t.w",
            "#6 3:51 x attribute -",
            "#1 4:2 y definition A.y",
            "#1 4:19 z attribute -",
        ],
    );
    check(
        "javascript",
        bindings,
        "function A() { this.b = c; }\nA.prototype.d = function () { this.e = 1; };\nthis.f = 1;\n",
        &["#0 1:9 A definition A", "#1 1:20 b attribute c"],
    );
}

#[test]
fn references_have_receivers_and_kinds() {
    check(
        "javascript",
        references,
        "a.b.c(); new A().d; new e.F; g?.h?.(); i`${j}`; k[l].m(); (n).o;\n\
         this.p(); super.q; 'r'.s; ({ t, u: v, [w]: x, y() {} }); z.#aa; typeof bb; delete \
         cc.dd; ee = ff; gg += hh; ii++;\n\
         jj.kk = ll; undefined; await mm(); nn: for (;;) break nn; async () => oo;\n",
        &[
            "#0 1:0 a read",
            "#0 1:2 a.b read",
            "#0 1:4 a.b.c call",
            "#0 1:13 A call",
            "#0 1:17 A().d read",
            "#0 1:24 e read",
            "#0 1:26 e.F call",
            "#0 1:29 g read",
            "#0 1:32 g.h call",
            "#0 1:39 i call",
            "#0 1:43 j read",
            "#0 1:48 k read",
            "#0 1:50 l read",
            "#0 1:53 ?.m call",
            "#0 1:59 n read",
            "#0 1:62 n.o read",
            "#0 2:0 this read",
            "#0 2:5 this.p call",
            "#0 2:10 super read",
            "#0 2:16 super.q read",
            "#0 2:23 ?.s read",
            "#0 2:29 t read",
            "#0 2:35 v read",
            "#0 2:39 w read",
            "#0 2:43 x read",
            "#0 2:57 z read",
            "#0 2:59 z.#aa read",
            "#0 2:71 bb read",
            "#0 2:82 cc read",
            "#0 2:85 cc.dd read",
            "#0 2:94 ff read",
            "#0 2:98 gg read",
            "#0 2:104 hh read",
            "#0 2:108 ii read",
            "#0 3:0 jj read",
            "#0 3:3 jj.kk read",
            "#0 3:8 ll read",
            "#0 3:29 mm call",
            "#2 3:70 oo read",
        ],
    );
    check(
        "javascript",
        references,
        "<A b={c} {...d}>e <f.G/> <h/> <></> <i-j/> <k:l/>{m}</A>;\n",
        &[
            "#0 1:1 A call",
            "#0 1:6 c read",
            "#0 1:13 d read",
            "#0 1:19 f read",
            "#0 1:21 f.G call",
            "#0 1:50 m read",
            "#0 1:54 A read",
        ],
    );
}

#[test]
fn references_in_types_have_receivers_and_kinds() {
    check(
        "typescript",
        references,
        "let a: B<C>, d: e.F; f<G>(h as I, <J>k, l!); function m(n: O): n is P {}\n\
         class Q<R extends S = T> extends U<V> implements W {} interface X extends Y {}\n\
         type Z = { [aa in keyof Bb]: Cc[aa] } | Dd extends infer Ee ? Ee : typeof ff.gg;\n\
         @hh @ii.jj() class Kk { @ll mm: Nn; [oo]: Pp; ['qq'](): Rr {} }\n",
        &[
            "#0 1:7 B read",
            "#0 1:9 C read",
            "#0 1:16 e read",
            "#0 1:18 e.F read",
            "#0 1:21 f call",
            "#0 1:23 G read",
            "#0 1:26 h read",
            "#0 1:31 I read",
            "#0 1:35 J read",
            "#0 1:37 k read",
            "#0 1:40 l read",
            "#0 1:59 O read",
            "#0 1:68 P read",
            "#2 2:18 S read",
            "#2 2:22 T read",
            "#2 2:33 U inherit",
            "#2 2:35 V read",
            "#2 2:49 W inherit",
            "#0 2:74 Y inherit",
            "#5 3:24 Bb read",
            "#5 3:29 Cc read",
            "#5 3:32 aa read",
            "#5 3:40 Dd read",
            "#5 3:62 Ee read",
            "#5 3:74 ff read",
            "#5 3:77 ff.gg read",
            "#0 4:1 hh read",
            "#0 4:5 ii read",
            "#0 4:8 ii.jj call",
            "#0 4:25 ll read",
            "#0 4:32 Nn read",
            "#0 4:37 oo read",
            "#0 4:42 Pp read",
            "#6 4:56 Rr read",
        ],
    );
}

#[test]
fn names_are_resolved_in_their_scope() {
    check(
        "javascript",
        references,
        "class A extends B { c = d; e = f(g); [h]() { i } static { j } k = () => l }\n",
        &[
            "#0 1:16 B inherit",
            "#0 1:24 d read",
            "#2 1:31 f call",
            "#2 1:33 g read",
            "#0 1:38 h read",
            "#3 1:45 i read",
            "#4 1:58 j read",
            "#5 1:72 l read",
        ],
    );
    check(
        "typescript",
        references,
        "function a<T>(b: T, c = b): T { b }\n\
         enum D { E = f, G = E }\n\
         namespace H { i }\n\
         class J<K> { l: K; m(): K {} }\n",
        &[
            "#1 1:17 T read",
            "#2 1:24 b read",
            "#1 1:28 T read",
            "#3 1:32 b read",
            "#4 2:13 f read",
            "#4 2:20 E read",
            "#5 3:14 i read",
            "#6 4:16 K read",
            "#7 4:24 K read",
        ],
    );
}

#[test]
fn syntax_that_the_grammar_lacks_is_handled() {
    check(
        "typescript",
        bindings,
        "interface A<in T, out U = V, in out W extends X> {}",
        &[
            "#0 1:10 A definition A",
            "#1 1:15 T variable -",
            "#1 1:22 U variable V()",
            "#1 1:36 W variable X()",
        ],
    );
    check(
        "typescript",
        references,
        "type A = (this: B) => void; function c(this: D) { this }",
        &["#1 1:16 B read", "#0 1:45 D read", "#2 1:50 this read"],
    );
}

#[test]
fn signatures_on_separate_lines_are_no_type_arguments() {
    let texts = [
        "interface A {\n  <S>(r: R): S\n  <T extends any[]>(r: R): B\n}\ntype P = 1;\n",
        "interface A {\n  \
         <S>(\n    \
         r: R\n  \
         ): (s: S) => I<S, false> // c\n\n  \
         /** d */\n  \
         <B, D = E<B>>(b: B): B\n  \
         <S, T extends any[]>(r: R): B\n\
         }\n\
         type P = 1;\n",
    ];
    for text in texts {
        check("typescript", kinds, text, &["A interface", "P type"]);
    }
    let many = "T extends string,\n    ".repeat(200);
    let long = format!(
        "interface A {{\n  <S>(r: R): B<\n    S\n  >\n\n  // d\n  <\n    {many}S\n  >(r: R): B\n}}\n\
         type P = 1;\n",
    );
    check("typescript", kinds, &long, &["A interface", "P type"]);
    check(
        "typescript",
        kinds,
        "function f\n  \
         <T extends A>(a: T): void {}\n\
         const a = b(\n  \
         <T extends A>(c: T) => {\n  \
         });\n\
         let c = (d: \n",
        &["f function"],
    );
}

#[test]
fn imports_have_their_names_and_modules() {
    check(
        "typescript",
        imports,
        "import a, { b as c, type d, default as e, 'f g' as h } from './i.js';\n\
         import * as j from 'k'; import 'l'; import type { m } from 'n'; import o = \
         require('p');\n\
         export { q as r } from 's'; export * from 't'; export * as u from 'v';\n\
         let w: import('x').Y;\n",
        &[
            "#0 1:7 ./i.js default a",
            "#0 1:12 ./i.js b c",
            "#0 1:25 ./i.js d d",
            "#0 1:28 ./i.js default e",
            "#0 1:42 ./i.js f g h",
            "#0 2:12 k module j",
            "#0 2:31 l module -",
            "#0 2:50 n m m",
            "#0 2:71 p module o",
            "#0 3:9 s q -",
            "#0 3:42 t * -",
            "#0 3:66 v module -",
            "#0 4:19 x Y -",
        ],
    );
    check(
        "javascript",
        imports,
        "const a = require('b'), { c, d: e, f = 1, ...g } = require('h'), i = require('j').k;\n\
         require('l'); require('m')(n); require('o').p(); q(require('r'));\n\
         const s = await import('t'); import('u').then(v); (await import('w')).x; require(y); \
         function z() { var aa = require('bb'); }\n\
         let cc; cc = require('dd'); ee(() => import('ff'));\n",
        &[
            "#0 1:6 b module a",
            "#0 1:26 h c c",
            "#0 1:29 h d e",
            "#0 1:35 h f f",
            "#0 1:82 j k i",
            "#0 2:8 l module -",
            "#0 2:22 m module -",
            "#0 2:44 o p -",
            "#0 2:59 r module -",
            "#0 3:6 t module s",
            "#0 3:36 u module -",
            "#0 3:70 w x -",
            "#1 3:104 bb module aa",
            "#0 4:8 dd module cc",
            "#2 4:44 ff module -",
        ],
    );
    check(
        "javascript",
        references,
        "import a, { b as c } from 'd'; import * as e from 'f'; export { g as h } from 'i';\n\
         const j = require('k'), { l: m } = require('n'); require('o').p(); require('q')(r);\n",
        &[
            "#0 1:7 a import",
            "#0 1:12 b import",
            "#0 1:43 e import",
            "#0 1:64 g import",
            "#0 2:6 j import",
            "#0 2:26 l import",
            "#0 2:62 p import",
            "#0 2:80 r read",
        ],
    );
    check(
        "javascript",
        bindings,
        "import a, { b as c } from 'd'; import * as e from 'f';\n\
         const g = require('h'), { i, j: k, ...l } = require('m'), n = require('o').p;\n",
        &[
            "#0 1:7 a import 0",
            "#0 1:17 c import 1",
            "#0 1:43 e import 2",
            "#0 2:6 g import 3",
            "#0 2:26 i import 4",
            "#0 2:32 k import 5",
            "#0 2:38 l variable -",
            "#0 2:58 n import 6",
        ],
    );
}

#[test]
fn exports_name_their_definitions() {
    check(
        "typescript",
        exported,
        "export function a() {} export class B {} export const c = 1, { d, e: [f] } = g, h = () \
         => {};\n\
         export { i, j as k, l as default }; export default m; export default new N(); export \
         default function o() {}\n\
         export * from 'p'; export * as q from 'r'; export { s as t, default as u } from 'v';\n\
         export type W = X; export interface Y {} export enum Z {} export namespace Aa { export \
         const bb = 1 }\n\
         export declare const cc: Dd; export = Ee; export import Ff = Gg.Hh; export as namespace \
         Ii; export abstract class Jj {}\n",
        &[
            "1:16 a definition a",
            "1:36 B definition B",
            "1:54 c local c",
            "1:63 d local d",
            "1:70 f local f",
            "1:80 h definition h",
            "2:9 i local i",
            "2:17 k local j",
            "2:25 default local l",
            "2:51 default local m",
            "2:69 default value N()",
            "2:93 default definition o",
            "3:0 * import 0",
            "3:31 q import 1",
            "3:57 t import 2",
            "3:71 u import 3",
            "4:12 W definition W",
            "4:36 Y definition Y",
            "4:53 Z definition Z",
            "4:75 Aa definition Aa",
            "5:21 cc local cc",
            "5:38 export= local Ee",
            "5:56 Ff local Ff",
            "5:114 Jj definition Jj",
        ],
    );
    check(
        "javascript",
        exported,
        "module.exports = a; exports.b = c; module.exports.d = function () {}; exports = \
         module.exports = e.f();\n\
         module.exports = { g, h: i, j() {}, k: () => {}, ...require('l'), m: 1, n: \
         require('o').p };\n\
         exports.q = exports.r = s; exports.t = void 0; module.exports = require('u'); \
         module.exports = class V {};\n\
         exports.w.x = y; function z() { exports.aa = bb }\n",
        &[
            "1:7 export= local a",
            "1:28 b local c",
            "1:50 d definition d",
            "1:87 export= value e.f()",
            "2:19 g local g",
            "2:22 h local i",
            "2:28 j definition j",
            "2:36 k definition k",
            "2:49 * import 0",
            "2:66 m other",
            "2:72 n import 1",
            "3:8 q local s",
            "3:20 r local s",
            "3:54 export= import 2",
            "3:85 export= definition V",
            "4:40 aa local bb",
        ],
    );
    check(
        "javascript",
        exported,
        "export default () => {}\n\
         export default class {}\n\
         export default { a }\n\
         export default a ? b : c\n",
        &[
            "1:15 default definition default",
            "2:15 default definition default",
            "3:15 default value &0",
            "4:15 default other",
        ],
    );
}

#[test]
fn code_around_a_syntax_error_has_facts() {
    check(
        "javascript",
        kinds,
        "function a() {\n  b(\n}\nfunction c() { d() }\nclass E {\n  f() { if ( }\n  g() {}\n}\n",
        &[
            "a function",
            "c function",
            "E class",
            "E.f method",
            "E.g method",
        ],
    );
    check(
        "typescript",
        kinds,
        "interface A { b: }\nfunction c(d: ) { e() }\nconst f = () => { g. }\nclass H { i() {} }\n",
        &[
            "A interface",
            "c function",
            "f function",
            "H class",
            "H.i method",
        ],
    );
    check(
        "typescript",
        references,
        "const a = b.\nfunction c() { d() }\n",
        &[
            "#0 1:10 b read",
            "#0 2:0 b.function call",
            "#0 2:9 c read",
            "#0 2:15 d call",
        ],
    );
}

fn body(text: &str) -> BodyHash {
    facts("javascript", text).definitions[0].body
}

#[test]
fn hashes_of_bodies_ignore_names_and_layout() {
    let text = "function f(a) { if (a) { return f(a - 1); } return this.f; }";
    for same in [
        "function g(a) { if (a) { return g(a - 1); } return this.g; }",
        "/** Doc. */\n\
         export function f ( a ) { // comment\n \
         if (a) {\n\n \
         return f(a - 1); } /* c */ return this.f; }",
        "class A { f(a) { if (a) { return f(a - 1); } return this.f; } }"
            .trim_start_matches("class A { ")
            .trim_end_matches(" }"),
    ] {
        let same = if same.starts_with("f(") { text } else { same };
        assert_eq!(body(same), body(text), "{same}");
    }
    for different in [
        "function f(a) { if (a) { return g(a - 1); } return this.f; }",
        "function f(a) { if (a) { return f(a - 1); } return b.f; }",
        "function f(b) { if (b) { return f(b - 1); } return this.f; }",
    ] {
        assert_ne!(body(different), body(text), "{different}");
    }
    assert_eq!(body("const f = () => f();"), body("exports.g = () => g();"));
    assert_eq!(body("function f() { return 'a b' }").tokens, 6);
    assert_ne!(
        body("function f() { return `a b` }"),
        body("function f() { return `a  b` }")
    );
}

/// Texts with trees as deep as the text is long.
fn deep(times: usize) -> Vec<String> {
    vec![
        repeated("(", "a", ")", times),
        repeated("f(", "a", ")", times),
        repeated("() => ", "a", "", times),
        repeated("function f() {", "a", "}", times),
        repeated("class A { m() {", "a", "}}", times),
        repeated("{ let a; ", "a", "}", times),
        repeated("a = ", "b", "", times),
        repeated("if (a) {} else ", "b", "", times),
        repeated("[", "a", "]", times),
        format!("x = {}", repeated("{ a: ", "() => 1", "}", times)),
        format!("const {} = b", repeated("{ a: ", "c", "}", times)),
        format!("x{}", ".a".repeat(times)),
        format!("x{}", ".a()".repeat(times)),
        format!("x{}", "?.a".repeat(times)),
        format!("x = a{}", " + b".repeat(times)),
        format!("x = {}", repeated("a ? b : ", "c", "", times)),
        format!("x = [{}]", "'é', a, ".repeat(times)),
        format!("var {}a", "a = () => 1, ".repeat(times)),
        format!("module.exports = {{ {} }}", "a() {}, ".repeat(times)),
        repeated("`${", "a", "}`", times),
        "function f() {}\n".repeat(times),
        "/** a */\n".repeat(times),
        "class A { @d m() {} }\n".repeat(times),
        "function f() {".repeat(times),
        "class A {".repeat(times),
        "import {".repeat(times),
        format!("let {}", "a, ".repeat(times)),
        format!("{}{}", "{ let b; ".repeat(times), "a = 1;".repeat(times)),
    ]
}

fn deep_types(times: usize) -> Vec<String> {
    vec![
        format!("let x: {}", repeated("A<", "B", ">", times)),
        format!("let x: a{}", " | b".repeat(times)),
        format!("let x: A{}", "[]".repeat(times)),
        format!("let x: {}", repeated("(", "A", ")", times)),
        format!("type A = {}", repeated("{ a: ", "B", "}", times)),
        repeated("namespace A {", "", "}", times),
        format!("interface A {{ {} }}", "a(): B; ".repeat(times)),
        format!("enum A {{ {} }}", "a, ".repeat(times)),
        format!("class A {{ {} }}", "@d a: B; ".repeat(times)),
        "@d ".repeat(times),
    ]
}

/// Anything slower than linear would take minutes here.
#[test]
fn deep_and_long_texts_come_to_an_end() {
    let typed = deep_types(10_000)
        .into_iter()
        .map(|text| ("typescript", text));
    let elements = ("tsx", repeated("<A>", "b", "</A>", 10_000));
    let plain = deep(10_000).into_iter().map(|text| ("javascript", text));
    for (language, text) in plain.chain(typed).chain([elements]) {
        let found = facts(language, &text);
        let start: String = text.chars().take(30).collect();
        let symbols = syntax::extract_symbols(syntax::find_language(language).unwrap(), &text);
        assert_eq!(found.symbols(), symbols, "{start}");
    }
}

const PIECES: [&str; 80] = [
    "function f",
    "class A",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    ".",
    "?.",
    "=",
    "=>",
    "...",
    "@d ",
    "\n",
    "\r",
    ";",
    "import ",
    "export ",
    "default ",
    " from 'm'",
    " as ",
    "* ",
    "require('m')",
    "import('m')",
    "module.exports",
    "exports.a",
    "const ",
    "let ",
    "var ",
    "a",
    "#b",
    "this.x",
    "super",
    "new ",
    "async ",
    "await ",
    "static ",
    "get ",
    "constructor",
    "prototype",
    "for (",
    " of ",
    "catch (e)",
    "switch (a) {",
    "case 1:",
    "`${",
    "`",
    "'s'",
    "/r/",
    "// c\n",
    "/** d */",
    "/** @param {",
    "/** @type {",
    "/**\n * @typedef {",
    "@returns {",
    "@import { a as b, c } from 'm'",
    "} a",
    "*/",
    "typeof ",
    "<A>",
    "</A>",
    "<B/>",
    "interface I",
    "enum E",
    "type T",
    "namespace N",
    "declare ",
    "abstract ",
    "private ",
    "readonly ",
    "<T>",
    " | null",
    "extends ",
    "implements ",
    "é😀",
    "\0",
    "!",
];

fn mangled() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60)
        .prop_map(|pieces| pieces.concat())
}

fn consistent(text: &str) {
    for language in ["javascript", "typescript", "tsx"] {
        let facts = facts(language, text);
        let symbols = syntax::extract_symbols(syntax::find_language(language).unwrap(), text);
        assert_eq!(facts.symbols(), symbols, "{text:?}");
        assert_eq!(facts.scopes[0].kind, ScopeKind::Module);
        for (id, scope) in facts.scopes.iter().enumerate().skip(1) {
            assert!((scope.parent.unwrap().0 as usize) < id, "{text:?}");
        }
        for (id, definition) in facts.definitions.iter().enumerate() {
            let parent = definition.parent.map(|parent| parent.0 as usize);
            assert!(parent.is_none_or(|parent| parent < id), "{text:?}");
        }
        assert!(
            facts.references.is_sorted_by_key(|row| row.position),
            "{text:?}"
        );
        let names = facts.references.iter().map(|row| row.name);
        let names = names.chain(facts.bindings.iter().map(|row| row.name));
        let names = names.chain(facts.definitions.iter().map(|row| row.name));
        for name in names {
            assert!(!facts.name(name).is_empty(), "{text:?}");
        }
    }
}

proptest! {
    #[test]
    fn any_text_has_facts(text in any::<String>()) {
        consistent(&text);
    }

    #[test]
    fn any_mangled_text_has_facts(text in mangled()) {
        consistent(&text);
    }
}

#[test]
fn hostile_documentation_has_facts() {
    let nested = |of: &str| format!("/** @type {{{}}} */\nlet a;\n", of.repeat(600));
    for text in [
        nested("{a:"),
        nested("A<"),
        nested("["),
        nested("("),
        nested("A|"),
        nested("a.b."),
        nested("import('./a')."),
        nested("Promise<A>,"),
        "/** @param {A".repeat(20_000),
        format!("/**{}*/\nlet a;\n", "\n * @param {A<B>} a".repeat(20_000)),
        "/** @param {A} a */\nfunction f(a) {}\n".repeat(10_000),
        "/** @typedef {B} A @typedef {A} B */\n/** @type {A} */ let a;\n".repeat(5_000),
        format!("/** @import {{ {} }} from 'm' */\n", "a, ".repeat(20_000)),
        "/** @type {import('./a').B | import('./b').C} */ let a;\n".repeat(5_000),
    ] {
        let facts = syntax::extract_facts(syntax::find_language("javascript").unwrap(), &text);
        let size: usize = facts.names.iter().map(String::len).sum();
        assert!(size <= 250 * text.len() + 1_000, "{size}");
    }
}

#[test]
fn hostile_global_declarations_have_facts() {
    for text in [
        format!("{}var a;", "declare global { ".repeat(60)),
        "declare global { var a; } ".repeat(20_000),
        "import('./a')\n".repeat(20_000),
        "interface A {} var A = 1; ".repeat(5_000),
    ] {
        let facts = syntax::extract_facts(syntax::find_language("typescript").unwrap(), &text);
        let size: usize = facts.names.iter().map(String::len).sum();
        assert!(size <= 250 * text.len() + 1_000, "{size}");
    }
}
