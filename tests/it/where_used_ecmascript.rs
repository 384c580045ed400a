//! Where used in JavaScript and TypeScript: modules, packages, `this`, classes, prototypes and
//! objects.

use crate::where_used::check;

#[test]
fn names_are_followed_through_modules() {
    check(
        &[
            ("a.js", "export function f() {}\nf();\n"),
            ("b.js", "import { f } from './a.js';\nf();\n"),
            ("c.js", "import * as a from './a';\na.f();\n"),
            (
                "d.js",
                "import { f as g } from './a';\ng();\nexport { g as h };\n",
            ),
            ("e.ts", "import { h } from './d.js';\nconst k = h;\nk();\n"),
            ("f.js", "function f() {}\nf();\n"),
            ("g.js", "export * from './a';\n"),
            ("h.js", "import { f } from './g';\nf;\n"),
            (
                "i.js",
                "const { f: x } = require('./a');\nx();\n(await import('./a')).f();\n",
            ),
        ],
        "a.f",
        &[
            "a.js:2:0 call",
            "b.js:1:9 import",
            "b.js:2:0 call",
            "c.js:2:2 call",
            "d.js:1:9 import",
            "d.js:2:0 call",
            "d.js:3:9 reference",
            "e.ts:1:9 import",
            "e.ts:2:10 reference",
            "e.ts:3:0 call",
            "h.js:1:9 import",
            "h.js:2:0 reference",
            "i.js:1:8 import",
            "i.js:2:0 call",
            "i.js:3:22 import",
        ],
    );
}

#[test]
fn default_exports_have_the_names_that_importers_choose() {
    check(
        &[
            (
                "lib/index.js",
                "export default function make() {}\nmake();\n",
            ),
            ("a.js", "import build from './lib';\nbuild();\n"),
            ("b.js", "export { default } from './lib/index.js';\n"),
            ("c.js", "import other, { x } from './b';\nother();\n"),
            ("d.js", "export { default as named } from './b';\n"),
            ("e.js", "import { named } from './d';\nnamed();\n"),
            ("lib/f.js", "import up from '.';\nup();\n"),
            ("g.js", "import build from './other';\nbuild();\n"),
            ("h.js", "const x = (await import('./lib')).default;\nx();\n"),
            ("other.js", "export default () => {};\n"),
        ],
        "lib.make",
        &[
            "a.js:1:7 import",
            "a.js:2:0 call",
            "b.js:1:9 import",
            "c.js:1:7 import",
            "c.js:2:0 call",
            "d.js:1:9 import",
            "e.js:1:9 import",
            "e.js:2:0 call",
            "h.js:1:34 import",
            "h.js:2:0 call",
            "lib/f.js:1:7 import",
            "lib/f.js:2:0 call",
            "lib/index.js:2:0 call",
        ],
    );
}

#[test]
fn what_module_exports_is_is_what_require_gives() {
    check(
        &[
            (
                "a.js",
                "module.exports = create;\n\
                 function create() {}\n\
                 module.exports.other = other;\n\
                 function other() {}\n",
            ),
            (
                "b.js",
                "const make = require('./a');\nmake();\nmake.other();\n",
            ),
            ("c.js", "module.exports = require('./a');\n"),
            (
                "d.js",
                "var x = require('./c'), y = 1;\nx();\nrequire('./a')();\n",
            ),
            (
                "e.ts",
                "import z = require('./a');\nz();\nimport w from './a';\nw();\n",
            ),
        ],
        "a.create",
        &[
            "a.js:1:17 reference",
            "b.js:1:6 import",
            "b.js:2:0 call",
            "b.js:3:0 reference",
            "d.js:1:4 import",
            "d.js:2:0 call",
            "e.ts:1:7 import",
            "e.ts:2:0 call",
            "e.ts:3:7 import",
            "e.ts:4:0 call",
        ],
    );
    check(
        &[
            (
                "a.js",
                "exports.f = function () {};\n\
                 exports.g = () => exports.f();\n\
                 module.exports.h = function () { this.f(); };\n",
            ),
            (
                "b.js",
                "const a = require('./a');\na.f();\nconst { f } = a;\nf();\n",
            ),
        ],
        "a.f",
        &[
            "a.js:2:26 call",
            "b.js:2:2 call",
            "b.js:3:8 reference",
            "b.js:4:0 call",
            "a.js:3:38 call?",
        ],
    );
}

#[test]
fn methods_are_found_through_this_instances_and_inheritance() {
    check(
        &[
            (
                "a.ts",
                "export class A {\n  \
                 m() {}\n  \
                 n() { this.m(); [1].map(() => this.m()); }\n  \
                 k = () => this.m();\n  \
                 static s() { return new A().m(); }\n\
                 }\n\
                 export class B extends A {\n  \
                 m2() { super.m(); this.m(); function f() { this.m(); } }\n\
                 }\n",
            ),
            (
                "b.ts",
                "import { A, B } from './a';\n\
                 new A().m();\n\
                 const b = new B();\n\
                 b.m();\n\
                 function f(x: A, y, z?: B | null) { x.m(); y.m(); z?.m(); }\n\
                 function make(): B { return b; }\n\
                 make().m();\n\
                 class C {\n  \
                 private a: A;\n  \
                 constructor(private c: B, readonly d = 1) { this.a = new A(); }\n  \
                 go() { this.a.m(); this.c.m(); }\n\
                 }\n",
            ),
            ("c.ts", "class A { m() {} }\nnew A().m();\n"),
        ],
        "a.A.m",
        &[
            "a.ts:3:13 call",
            "a.ts:3:37 call",
            "a.ts:4:17 call",
            "a.ts:5:30 call",
            "a.ts:8:15 call",
            "a.ts:8:25 call",
            "b.ts:2:8 call",
            "b.ts:4:2 call",
            "b.ts:5:38 call",
            "b.ts:5:53 call",
            "b.ts:7:7 call",
            "b.ts:11:16 call",
            "b.ts:11:28 call",
            "a.ts:8:50 call?",
            "b.ts:5:45 call?",
        ],
    );
}

#[test]
fn prototypes_and_objects_have_their_functions() {
    check(
        &[
            (
                "a.js",
                "function A() { this.x(); }\n\
                 A.prototype.x = function () { this.y(); };\n\
                 A.prototype.y = function y() {};\n\
                 A.z = function () { A.prototype.y.call(1); };\n\
                 module.exports = A;\n",
            ),
            (
                "b.js",
                "var A = require('./a');\nvar a = new A();\na.y();\na.x().y();\n",
            ),
        ],
        "a.A.y",
        &[
            "a.js:2:35 call",
            "a.js:4:32 call",
            "b.js:3:2 call",
            "b.js:4:6 call?",
        ],
    );
    check(
        &[
            (
                "a.js",
                "const api = { get() { this.put(); }, put() {}, deep: { put() {} } };\n\
                 api.put();\n\
                 api.deep.put();\n\
                 export default api;\n\
                 export { api as named };\n",
            ),
            (
                "b.js",
                "import x, { named } from './a';\nx.put();\nnamed.put();\nx.deep.put();\n",
            ),
        ],
        "a.api.put",
        &[
            "a.js:1:27 call",
            "a.js:2:4 call",
            "b.js:2:2 call",
            "b.js:3:6 call",
        ],
    );
    check(
        &[
            (
                "a.js",
                "var app = exports = module.exports = {};\n\
                 app.use = function use() { this.lazy(); };\n\
                 app.lazy = function lazy() {};\n",
            ),
            ("b.js", "var app = require('./a');\napp.lazy();\n"),
        ],
        "a.app.lazy",
        &["a.js:2:32 call", "b.js:2:4 call"],
    );
}

#[test]
fn scopes_hide_names() {
    check(
        &[(
            "a.js",
            "function f() {}\n\
             { let f = 1; f; }\n\
             for (const f of []) { f; }\n\
             (f) => f;\n\
             function g() { f(); { var f; } }\n\
             try {} catch (f) { f }\n\
             function h() { f(); }\n\
             class C { f() { f(); } }\n\
             x(function f() { f(); });\n\
             x(function f() { var f; f(); });\n",
        )],
        "a.f",
        &["a.js:7:15 call", "a.js:8:16 call", "a.js:9:17 call"],
    );
}

#[test]
fn types_are_used_as_values_are() {
    check(
        &[
            (
                "a.ts",
                "export interface Shape { area(): number; name: string }\n\
                 export type Alias = Shape;\n\
                 export class Square implements Shape { area() { return 1; } name = ''; }\n",
            ),
            (
                "b.ts",
                "import type { Shape, Alias } from './a';\n\
                 let s: Shape, t: Alias;\n\
                 s.area();\n\
                 t.area();\n\
                 class X { y: Array<Shape>; }\n\
                 function g<T extends Shape>(t: T): Promise<Shape> {}\n\
                 import('./a').then(x => x);\n\
                 let q: import('./a').Shape;\n",
            ),
        ],
        "a.Shape",
        &[
            "a.ts:2:20 reference",
            "a.ts:3:31 inherit",
            "b.ts:1:14 import",
            "b.ts:2:7 reference",
            "b.ts:5:19 reference",
            "b.ts:6:21 reference",
            "b.ts:6:43 reference",
            "b.ts:8:21 import",
        ],
    );
    check(
        &[
            (
                "a.ts",
                "export interface Shape { area(): number }\nexport type Alias = Shape;\n",
            ),
            (
                "b.ts",
                "import { Shape, Alias } from './a';\n\
                 function f(s: Shape, t: Alias) { s.area(); t.area(); }\n\
                 function g<T extends Shape>(t: T) { t.area(); }\n",
            ),
        ],
        "Shape.area",
        &["b.ts:2:35 call", "b.ts:2:45 call", "b.ts:3:38 call"],
    );
    check(
        &[(
            "a.ts",
            "namespace N { export function f() {} export namespace M { export class C { m() {} } \
             } f(); }\n\
             N.f();\n\
             new N.M.C().m();\n\
             enum E { A, B = A }\n\
             E.A;\n",
        )],
        "N.f",
        &["a.ts:1:86 call", "a.ts:2:2 call"],
    );
}

#[test]
fn types_and_values_of_one_name_are_distinct() {
    check(
        &[
            (
                "a.ts",
                "export interface A { a: A; parse(): parse.R }\n\
                 export const A = make();\n\
                 A.b; let c: A; typeof A;\n\
                 type D = typeof A; class E extends A implements A {}\n\
                 export { A as F }; export default A;\n",
            ),
            (
                "b.ts",
                "import { A } from './a';\nnew A(); function f(a: A) {}\n",
            ),
        ],
        "a.A",
        &[
            "a.ts:1:24 reference",
            "a.ts:3:12 reference",
            "a.ts:4:48 inherit",
            "a.ts:5:9 reference",
            "a.ts:5:34 reference",
            "b.ts:1:9 import",
            "b.ts:2:23 reference",
            // An importer gets the variable, too.
            "a.ts:2:13 reference?",
            "a.ts:3:0 reference?",
            "a.ts:3:22 reference?",
            "a.ts:4:16 reference?",
            "a.ts:4:35 inherit?",
            "b.ts:2:4 call?",
        ],
    );
}

#[test]
fn names_of_types_are_not_hidden_by_variables() {
    check(
        &[
            ("n.ts", "export interface T {}\n"),
            (
                "a.ts",
                "import * as n from './n';\n\
                 import { T } from './n';\n\
                 export { n as o };\n\
                 function f(n: n.T) { let m: n.T; x satisfies n.T; }\n\
                 function g(T: T) { let u: T; T; }\n\
                 function h<T>(t: T) {}\n",
            ),
            (
                "b.ts",
                "import * as a from './a';\ny satisfies a.o.T;\nlet z = y as a.o.T;\n",
            ),
        ],
        "n.T",
        &[
            "a.ts:2:9 import",
            "a.ts:4:16 reference",
            "a.ts:4:30 reference",
            "a.ts:4:47 reference",
            "a.ts:5:14 reference",
            "a.ts:5:26 reference",
            "b.ts:2:16 reference",
            "b.ts:3:17 reference",
        ],
    );
}

#[test]
fn results_of_calls_are_followed_along_a_chain() {
    check(
        &[
            (
                "a.ts",
                "export class Q { where(): this { return this; } limit(n: number): Q { return \
                 this; } run() {} }\n\
                 export function from(): Q { return new Q(); }\n",
            ),
            (
                "b.ts",
                "import * as db from './a';\n\
                 db.from().where().limit(1).run();\n\
                 const q = db.from().limit(2);\n\
                 q.where()!.run();\n\
                 const { run } = db.from();\n\
                 run();\n\
                 (await new db.Q().where()).run();\n\
                 q.other().run();\n\
                 db.from()[0].run();\n",
            ),
        ],
        "Q.run",
        &[
            "b.ts:2:27 call",
            "b.ts:4:11 call",
            "b.ts:5:8 reference",
            "b.ts:6:0 call",
            "b.ts:7:27 call",
            "b.ts:8:10 call?",
            "b.ts:9:13 call?",
        ],
    );
}

#[test]
fn constructions_refer_to_the_constructor_and_calls_to_overrides() {
    let files = [(
        "a.ts",
        "class A {\n  \
         constructor() {}\n  \
         m() {}\n\
         }\n\
         class B extends A { m() { super.m(); } }\n\
         class C extends A { constructor() { super(); } }\n\
         new A();\n\
         new B();\n\
         new C();\n\
         function f(a: A) { a.m(); }\n",
    )];
    let constructed = ["a.ts:6:36 call", "a.ts:7:4 call", "a.ts:8:4 call"];
    check(&files, "A.constructor", &constructed);
    check(&files, "A.m", &["a.ts:5:32 call", "a.ts:10:21 call"]);
    check(&files, "B.m", &["a.ts:10:21 call?"]);
}

#[test]
fn unimportable_definitions_are_no_candidates() {
    check(
        &[
            ("a.js", "class A { m() {} }\nfunction f(x) { x.m(); }\n"),
            ("b.py", "def f(x):\n    x.m()\n"),
        ],
        "a.A.m",
        &["a.js:2:18 call?"],
    );
}

#[test]
fn return_types_are_inferred() {
    check(
        &[(
            "a.js",
            "class Q { where() { return this; } static of() { const q = new Q(); if (q) { return \
             q; } return null; } run() {} }\n\
             const make = () => Q.of();\n\
             make().where().run();\n\
             function other() { return [1].map(function () { return new Q(); }); }\n\
             other().run();\n\
             const later = async () => { return make(); };\n\
             (await later()).run();\n",
        )],
        "Q.run",
        &["a.js:3:15 call", "a.js:7:16 call", "a.js:5:8 call?"],
    );
}

#[test]
fn a_member_may_be_called_default() {
    check(
        &[
            (
                "a.ts",
                "export class A { default() {} }\nexport default () => {};\n",
            ),
            (
                "b.ts",
                "import f, { A } from './a';\nnew A().default();\nf();\n",
            ),
        ],
        "A.default",
        &["b.ts:2:8 call"],
    );
}

#[test]
fn elements_call_their_components() {
    check(
        &[
            (
                "ui/Button.tsx",
                "export const Button = (p: {}) => <b/>;\nexport default Button;\n",
            ),
            (
                "ui/index.ts",
                "export { default as Button } from './Button';\nexport * as all from './Button';\n",
            ),
            (
                "app.jsx",
                "import { Button } from './ui';\n\
                 import * as ui from './ui/index';\n\
                 export const App = () => <Button a={1}><ui.Button/></Button>;\n",
            ),
        ],
        "ui.Button.Button",
        &[
            "app.jsx:1:9 import",
            "app.jsx:3:26 call",
            "app.jsx:3:43 call",
            "app.jsx:3:53 reference",
            "ui/Button.tsx:2:15 reference",
            "ui/index.ts:1:9 import",
        ],
    );
}

#[test]
fn configurations_map_specifiers() {
    check(
        &[
            (
                "tsconfig.base.json",
                "{ // all\n \
                 \"compilerOptions\": { \"baseUrl\": \".\", \"paths\": { \"@/*\": [\"./src/*\"], \
                 \"~lib\": [\"src/lib/index.ts\"], }, } }",
            ),
            ("tsconfig.json", "{ \"extends\": \"./tsconfig.base\" }"),
            ("src/lib/index.ts", "export default function f() {}\n"),
            ("src/a.ts", "import f from '@/lib';\nf();\n"),
            ("src/b.ts", "import x from '~lib';\nx();\n"),
            ("src/c.ts", "import y from 'src/lib';\ny();\n"),
            (
                "web/tsconfig.json",
                "{ \"files\": [], \"references\": [{ \"path\": \"./tsconfig.app.json\" }] }",
            ),
            (
                "web/tsconfig.app.json",
                "{ \"compilerOptions\": { \"paths\": { \"#lib\": [\"../src/lib/index.ts\"], \
                 \"lib/*\": [\"../src/lib/*\"] } } }",
            ),
            ("web/d.ts", "import z from 'lib/index';\nz();\n"),
            ("elsewhere/tsconfig.json", "{}"),
            ("elsewhere/e.ts", "import f from '@/lib';\nf();\n"),
        ],
        "src.lib.f",
        &[
            "src/a.ts:1:7 import",
            "src/a.ts:2:0 call",
            "src/b.ts:1:7 import",
            "src/b.ts:2:0 call",
            "src/c.ts:1:7 import",
            "src/c.ts:2:0 call",
            "web/d.ts:1:7 import",
            "web/d.ts:2:0 call",
            // A bundler may know the alias.
            "elsewhere/e.ts:1:7 import?",
            "elsewhere/e.ts:2:0 call?",
        ],
    );
}

#[test]
fn packages_of_the_repository_are_known_by_name() {
    check(
        &[
            (
                "packages/core/package.json",
                "{ \"name\": \"@x/core\", \"main\": \"./dist/index.cjs\", \"exports\": { \".\": \
                 { \"types\": \"./dist/index.d.ts\", \"import\": \"./dist/index.mjs\" }, \
                 \"./util\": \"./dist/util/index.js\", \"./deep/*\": \"./dist/deep/*.js\" }, \
                 \"imports\": { \"#own\": \"./src/own.ts\" } }",
            ),
            (
                "packages/core/src/index.ts",
                "export { f } from '#own';\nexport { f as default } from './own';\n",
            ),
            ("packages/core/src/own.ts", "export function f() {}\n"),
            (
                "packages/core/src/util/index.ts",
                "export { f as u } from '../own';\n",
            ),
            (
                "packages/core/src/deep/x.ts",
                "export { f as d } from '../own';\n",
            ),
            (
                "packages/app/package.json",
                "{ \"name\": \"app\", \"main\": \"main.js\" }",
            ),
            (
                "packages/app/main.js",
                "import c, { f } from '@x/core';\n\
                 import { u } from '@x/core/util';\n\
                 import { d } from '@x/core/deep/x';\n\
                 import { f as no } from '@x/other';\n\
                 f(c(u(d(no()))));\n",
            ),
        ],
        "own.f",
        &[
            "packages/app/main.js:1:7 import",
            "packages/app/main.js:1:12 import",
            "packages/app/main.js:2:9 import",
            "packages/app/main.js:3:9 import",
            "packages/app/main.js:5:0 call",
            "packages/app/main.js:5:2 call",
            "packages/app/main.js:5:4 call",
            "packages/app/main.js:5:6 call",
            "packages/core/src/deep/x.ts:1:9 import",
            "packages/core/src/index.ts:1:9 import",
            "packages/core/src/index.ts:2:9 import",
            "packages/core/src/util/index.ts:1:9 import",
        ],
    );
}

#[test]
fn cycles_end() {
    check(
        &[
            (
                "a.js",
                "export * from './b';\nexport { x as y } from './b';\nexport function f() {}\n",
            ),
            (
                "b.js",
                "export * from './a';\n\
                 export { y as x } from './a';\n\
                 import { f, x } from './a';\n\
                 f(x);\n\
                 class A extends B { m() { this.q(); } }\n\
                 class B extends A {}\n",
            ),
            ("c/package.json", "{ \"name\": \"c\", \"main\": \".\" }"),
            ("c/tsconfig.json", "{ \"extends\": \"./tsconfig.json\" }"),
            (
                "c/d.js",
                "import 'c'; import { f } from '../b';\nf();\nlet g = h, h = g; h.f();\n",
            ),
        ],
        "a.f",
        &[
            "b.js:3:9 import",
            "b.js:4:0 call",
            "c/d.js:1:21 import",
            "c/d.js:2:0 call",
            "c/d.js:3:20 call?",
        ],
    );
}

#[test]
fn long_chains_are_followed_whatever_the_files_are_called() {
    let mut files = vec![(
        "m000.js".to_owned(),
        "export function target() {}\n".to_owned(),
    )];
    for at in 1..100 {
        let text = format!("export {{ target }} from './m{:03}.js';\n", at - 1);
        files.push((format!("m{at:03}.js"), text));
    }
    for user in ["a.js", "z.js"] {
        let text = "import { target } from './m099.js';\ntarget();\n";
        files.push((user.to_owned(), text.to_owned()));
    }
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let found = crate::where_used::ask(&crate::common::MemoryHost::new(&files), "m000.target");
    assert_eq!(found.total, Some(103));
    assert!(
        found
            .items
            .iter()
            .all(|item| item.resolution == Some(ragnav::base::item::Resolution::Resolved))
    );
}

#[test]
fn resolution_over_the_limit_is_reported() {
    let mut files = vec![(
        "m999.js".to_owned(),
        "export function target() {}\n".to_owned(),
    )];
    for at in 0..999 {
        let text = format!("export {{ target }} from './m{:03}.js';\n", at + 1);
        files.push((format!("m{at:03}.js"), text));
    }
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let found = crate::where_used::ask(&crate::common::MemoryHost::new(&files), "m999.target");
    assert!(found.truncated && found.total.is_none());
    assert!(
        found
            .meta
            .message
            .unwrap()
            .contains("not followed to its end")
    );
}

#[test]
fn results_of_external_functions_are_unknown() {
    check(
        &[(
            "a.ts",
            "import ext, { Thing } from 'ext';\n\
             class M { run() {} }\n\
             const list: M[] = [];\n\
             list.at(0).run();\n\
             const f = list.find(x => 1);\n\
             f.run();\n\
             JSON.parse(t).run();\n\
             ext.make().run();\n\
             ext.run();\n\
             list.run();\n\
             new Thing().run();\n\
             new Map<string, M>().get('a').run();\n",
        )],
        "M.run",
        &[
            "a.ts:4:11 call",
            "a.ts:6:2 call",
            "a.ts:12:30 call",
            "a.ts:7:14 call?",
            "a.ts:8:11 call?",
        ],
    );
}

#[test]
fn a_wrapped_function_may_be_the_original_one() {
    check(
        &[(
            "a.js",
            "const o = {};\nconst old = o.hook;\no.hook = () => {\n  old();\n};\no.hook();\n",
        )],
        "o.hook",
        &["a.js:2:14 reference", "a.js:6:2 call", "a.js:4:2 call?"],
    );
}

#[test]
fn functions_that_return_each_other_take_no_time() {
    let mut text = "class T { target() {} }\n".to_owned();
    for from in 0..40 {
        let returns: String = (1..7)
            .map(|step| format!("if (x) return f{}(); ", (from + step) % 40))
            .collect();
        text.push_str(&format!("function f{from}() {{ {returns} }}\n"));
    }
    text.push_str(
        "function g() { return new T(); }\n\
         function f0() { return g(); }\n\
         f7().target();\n\
         f39().target();\n",
    );
    check(
        &[("a.js", &text)],
        "T.target",
        &["a.js:44:5 call", "a.js:45:6 call"],
    );
}

#[test]
fn damaged_manifests_are_ignored() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    check(
        &[
            ("tsconfig.json", "{ \"compilerOptions\": { \"paths\": 5 } "),
            ("package.json", &deep),
            ("p/package.json", "[]"),
            (
                "q/package.json",
                "{ \"name\": 5, \"exports\": { \"./x\": 7, \"./y\": null }, \"main\": \
                 [\"../../../up\"] }",
            ),
            ("a.ts", "export function f() {}\n"),
            (
                "b.ts",
                "import { f } from './a';\n\
                 import '/a'; import './q'; import './p'; import ''; import '../../a'; import \
                 'node:fs';\n\
                 f();\n",
            ),
        ],
        "a.f",
        &["b.ts:1:9 import", "b.ts:3:0 call"],
    );
}

#[test]
fn exports_of_every_form_are_found() {
    let own = [
        "Object.assign(module.exports, { f });",
        "Object.assign(exports, { f: f });",
        "module.exports = Object.freeze({ f });",
        "Object.defineProperty(exports, 'f', { enumerable: true, get: function () { return f; } \
         });",
        "Object.defineProperty(exports, 'f', { get() { return f; } });",
        "Object.defineProperty(exports, 'f', { get: () => f });",
        "Object.defineProperty(module.exports, 'f', { value: f });",
        "exports['f'] = f;",
    ];
    for text in own {
        let text = format!("function f() {{}}\nexports.z = 1;\n{text}\n");
        let at = text.rfind("f;").or(text.rfind("f }")).unwrap();
        let column = at - text.trim_end().rfind('\n').unwrap() - 1;
        check(
            &[
                ("a.js", &text),
                ("b.js", "const a = require('./a');\na.f();\n"),
            ],
            "a.f",
            &[&format!("a.js:3:{column} reference"), "b.js:2:2 call"],
        );
    }
    let others = [
        "const a = require('./a'); Object.defineProperty(exports, 'f', { enumerable: true, get: \
         function () { return a.g; } });",
        "__exportStar(require('./a'), exports);",
        "const tslib_1 = require('tslib'); tslib_1.__exportStar(require('./a'), exports);",
        "const a = require('./a'); module.exports = { z: 1, ...a };",
        "module.exports = { z: 1, ...require('./a') };",
        "module.exports = Object.assign({}, require('./a'), { z });",
        "const a = require('./a'); module.exports = Object.assign({ z }, a);",
    ];
    for text in others {
        let text = format!("exports.z = 1;\n{text}\n");
        let a = "exports.f = function () {};\nexports.g = exports.f;\n";
        let mut rows = vec!["a.js:2:20 reference", "c.js:2:2 call"];
        if text.contains("a.g") {
            rows.insert(1, "b.js:2:110 reference");
        }
        check(
            &[
                ("a.js", a),
                ("b.js", &text),
                ("c.js", "const b = require('./b');\nb.f();\n"),
            ],
            "a.f",
            &rows,
        );
    }
    check(
        &[
            ("a.js", "exports.f = function () {};\n"),
            (
                "b.js",
                "module.exports = { z: 1, get f() { return require('./a').f; } };\n",
            ),
            ("c.js", "const b = require('./b');\nb.f();\n"),
        ],
        "a.f",
        &["b.js:1:57 import", "c.js:2:2 call"],
    );
}

#[test]
fn a_module_may_have_unresolvable_exports() {
    let texts = [
        "exports[name] = f;",
        "module.exports[name()] = f;",
        "module.exports = { z: 1, ...all };",
        "module.exports = { z: 1, [name]: f };",
        "module.exports = { z: 1, ...make(f) };",
        "Object.assign(exports, all);",
        "Object.defineProperty(exports, name, { value: f });",
    ];
    for text in texts {
        let text = format!("exports.y = 1; {text}\nfunction f() {{}}\n");
        let at = text.find(" f;").or(text.find(" f }")).or(text.find("(f)"));
        let own = at.map(|at| format!("a.js:1:{} reference", at + 1));
        let rows = own.as_deref().into_iter().chain(["b.js:2:2 call?"]);
        let rows: Vec<&str> = rows.collect();
        check(
            &[
                ("a.js", &text),
                ("b.js", "const a = require('./a');\na.f();\n"),
            ],
            "a.f",
            &rows,
        );
    }
}

#[test]
fn parameters_named_like_the_exports_export_nothing() {
    check(
        &[
            (
                "a.js",
                "function f() {}\n\
                 function g(module) { module.exports = f; module.exports.f = f; }\n\
                 function h(exports) { exports.f = f; Object.assign(exports, { f }); (() => { \
                 exports.f = f; })(); }\n\
                 module.exports.i = 1;\n",
            ),
            ("b.js", "const a = require('./a');\na();\na.f();\na.i();\n"),
        ],
        "a.f",
        &[
            "a.js:2:38 reference",
            "a.js:2:60 reference",
            "a.js:3:34 reference",
            "a.js:3:62 reference",
            "a.js:3:89 reference",
            "b.js:3:2 call?",
        ],
    );
}

#[test]
fn import_aliases_refer_to_types_and_values() {
    let files = [
        (
            "p.ts",
            "export interface I {}\n\
             export function f() {}\n\
             export namespace n { export interface J {} }\n",
        ),
        (
            "a.ts",
            "import * as p from './p';\n\
             import A = p.I;\n\
             import B = p.f;\n\
             import N = p.n;\n\
             import C = p.n.J;\n\
             let a: A;\n\
             B();\n\
             let j: N.J;\n\
             let c: C;\n\
             export { A };\n",
        ),
        ("b.ts", "import { A } from './a';\nlet a: A;\n"),
    ];
    check(
        &files,
        "p.I",
        &[
            "a.ts:2:13 reference",
            "a.ts:6:7 reference",
            "a.ts:10:9 reference",
            "b.ts:1:9 import",
            "b.ts:2:7 reference",
        ],
    );
    check(&files, "p.f", &["a.ts:3:13 reference", "a.ts:7:0 call"]);
    check(
        &files,
        "n.J",
        &[
            "a.ts:5:15 reference",
            "a.ts:8:9 reference",
            "a.ts:9:7 reference",
        ],
    );
}

#[test]
fn functions_in_blocks_are_the_blocks_own_where_the_code_is_strict() {
    let texts = [
        "import { f } from './b';\n{ f(); function f() {} f(); }\nf();\n",
        "import { f } from './b';\nswitch (1) { case 1: function f() {} f(); }\nf();\n",
        "'use strict'; const { f } = require('./b');\n{ f(); function f() {} f(); }\nf();\n",
        "const { f } = require('./b');\n\
         function g() { 'use strict'; { function f() {} f(); }\n\
         f(); }\n",
        "const { f } = require('./b');\nclass C { m() { { function f() {} f(); }\nf(); } }\n",
    ];
    for text in texts {
        let import = format!("a.js:1:{} import", text.find("f }").unwrap());
        check(
            &[("a.js", text), ("b.js", "export function f() {}\n")],
            "b.f",
            &[&import, "a.js:3:0 call"],
        );
    }
    check(
        &[("a.js", "function g() {\n  { function f() {} }\n  f();\n}\n")],
        "g.f",
        &["a.js:3:2 call"],
    );
}

#[test]
fn modules_are_exported_under_any_name() {
    for language in ["js", "ts"] {
        let b = format!("b.{language}");
        check(
            &[
                ("a.js", "export function f() {}\n"),
                (
                    &b,
                    "export * as default from './a';\nexport * as 'string name' from './a';\n",
                ),
                (
                    "c.js",
                    "import a, { 'string name' as s } from './b';\na.f();\ns.f();\n",
                ),
            ],
            "a.f",
            &["c.js:2:2 call", "c.js:3:2 call"],
        );
    }
}

#[test]
fn keys_in_quotes_are_members() {
    check(
        &[
            (
                "a.ts",
                "export class O { z(): O { return this['z'](); } }\nexport const o = new O();\n",
            ),
            (
                "b.ts",
                "import { o } from './a';\n\
                 import * as a from './a';\n\
                 o['z']();\n\
                 o[\"z\"]().z();\n\
                 a['o'].z();\n\
                 a['o']?.['z'];\n\
                 o['z']()['z']();\n\
                 o['z z'](); o[z](); o[`z`]();\n\
                 function f(x) { x['z'](); }\n",
            ),
        ],
        "O.z",
        &[
            "a.ts:1:39 call",
            "b.ts:3:3 call",
            "b.ts:4:3 call",
            "b.ts:4:9 call",
            "b.ts:5:7 call",
            "b.ts:6:10 reference",
            "b.ts:7:3 call",
            "b.ts:7:10 call",
            "b.ts:9:19 call?",
        ],
    );
}

#[test]
fn an_unresolvable_superclass_may_have_any_member() {
    let bases = [
        "(x ? B : X)",
        "[B][0]",
        "mixin(B)(X)",
        "class extends B {}",
        "X[name]",
    ];
    for base in bases {
        let text = format!(
            "class X {{}}\n\
             class B {{ m() {{}} }}\n\
             class A extends {base} {{ n() {{}} }}\n\
             const a = new A(); a.m(); a.n();\n"
        );
        check(&[("a.js", &text)], "B.m", &["a.js:4:21 call?"]);
        check(&[("a.js", &text)], "A.n", &["a.js:4:28 call"]);
    }
    check(
        &[(
            "a.js",
            "class B { m() {} }\nclass A extends null { n() {} }\nconst a = new A(); a.m();\n",
        )],
        "B.m",
        &[],
    );
    check(
        &[(
            "a.ts",
            "interface B { m(): void }\n\
             interface A extends Pick<B, 'm'> {}\n\
             function f(a: A) { a.m(); }\n",
        )],
        "B.m",
        &["a.ts:3:21 call?"],
    );
}

#[test]
fn default_values_of_parameters_do_not_see_the_body() {
    for language in ["a.js", "a.ts"] {
        let row = |row: &str| format!("{language}:{row}");
        check(
            &[(
                language,
                "function g() {}\n\
                 function f(a = g()) { var g; g(); }\n\
                 const h = ({ a = g() }, b = a) => { let g; return b; };\n\
                 function i(g, a = g()) {}\n\
                 function j(a = () => g()) { function g() {} }\n\
                 function k(a = 1) { var g; g(); }\n",
            )],
            "a.g",
            &[&row("2:15 call"), &row("3:17 call"), &row("5:21 call")],
        );
    }
    check(
        &[(
            "a.js",
            "class Q { m(b = x) { var c = b; { var d = this; } return d; } run() {} }\n\
             function make(a = x) { return new Q(); }\n\
             make().run();\n\
             new Q().m().run();\n",
        )],
        "Q.run",
        &["a.js:3:7 call", "a.js:4:12 call"],
    );
}

#[test]
fn importers_are_found_by_every_name_that_leads_to_a_default_export() {
    let made = "export default function f() {}\n";
    check(
        &[
            (
                "package.json",
                "{ \"name\": \"r\", \"exports\": { \"./*\": \"./src/*/main.js\" }, \"imports\": \
                 { \"#main\": \"./src/one/main.js\", \"#lib/*\": \"./src/*/main.js\", \
                 \"#any-*\": \"./src/one/main.js\", \"#far/*/x\": \"./src/*/main.js\", \
                 \"#own/*\": \"r/*\" } }",
            ),
            ("src/one/main.js", made),
            ("a.js", "import g from '#main';\ng();\n"),
            ("b.js", "import g from '#lib/one';\ng();\n"),
            ("c.js", "import g from 'r/one';\ng();\n"),
            ("d.js", "import g from '#any-thing';\ng();\n"),
            ("e.js", "import g from '#far/one/x';\ng();\n"),
            ("f.js", "import g from '#own/one';\ng();\n"),
            ("g.js", "import g from '#lib/two';\ng();\n"),
        ],
        "main.f",
        &[
            "a.js:1:7 import",
            "a.js:2:0 call",
            "b.js:1:7 import",
            "b.js:2:0 call",
            "c.js:1:7 import",
            "c.js:2:0 call",
            "d.js:1:7 import",
            "d.js:2:0 call",
            "e.js:1:7 import",
            "e.js:2:0 call",
            "f.js:1:7 import",
            "f.js:2:0 call",
        ],
    );
    check(
        &[
            (
                "tsconfig.json",
                "{ \"compilerOptions\": { \"paths\": { \"@app/*\": [\"./apps/*/main.ts\"], \
                 \"lib-*\": [\"./apps/web/*.ts\"] } } }",
            ),
            ("apps/web/main.ts", made),
            ("a.ts", "import g from '@app/web';\ng();\n"),
            ("b.ts", "import g from 'lib-main';\ng();\n"),
        ],
        "main.f",
        &[
            "a.ts:1:7 import",
            "a.ts:2:0 call",
            "b.ts:1:7 import",
            "b.ts:2:0 call",
        ],
    );
    check(
        &[
            ("foo.d.ts", "export default class f {}\n"),
            ("a.ts", "import h from './foo.d';\nnew h();\n"),
        ],
        "f",
        &["a.ts:1:7 import", "a.ts:2:4 call"],
    );
    check(
        &[
            ("p/package.json", "{ \"main\": \"./lib/start.js\" }"),
            ("p/lib/start.js", made),
            ("p/test/a.js", "import g from '..';\ng();\n"),
            ("b.js", "import g from './p?x';\ng();\n"),
        ],
        "start.f",
        &[
            "b.js:1:7 import",
            "b.js:2:0 call",
            "p/test/a.js:1:7 import",
            "p/test/a.js:2:0 call",
        ],
    );
}

#[test]
fn a_package_may_export_a_file_by_very_many_names() {
    let names: Vec<String> = (0..20_000)
        .map(|name| format!("\"./name{name}\": \"./a.js\""))
        .collect();
    let package = format!(
        "{{ \"name\": \"r\", \"exports\": {{ {} }} }}",
        names.join(",")
    );
    check(
        &[
            ("package.json", &package),
            ("a.js", "export default function f() {}\n"),
            ("b.js", "import g from 'r/name19999';\ng();\n"),
        ],
        "a.f",
        &["b.js:1:7 import", "b.js:2:0 call"],
    );
}

#[test]
fn a_slash_or_dots_at_the_end_name_a_folder() {
    check(
        &[
            ("lib.js", "function other() {}\nexport { other as f };\n"),
            ("index.js", "function other() {}\nexport { other as f };\n"),
            ("lib/index.js", "export function f() {}\n"),
            ("a.js", "import { f } from './lib/';\nf();\n"),
            ("b.js", "import { f } from './lib';\nf();\n"),
            ("lib/c.js", "import { f } from '.';\nf();\n"),
            ("lib/d.js", "import { f } from './';\nf();\n"),
            ("lib/in/e.js", "import { f } from '..';\nf();\n"),
            ("lib/f.js", "import { f } from '../';\nf();\n"),
        ],
        "f",
        &[
            "a.js:1:9 import",
            "a.js:2:0 call",
            "lib/c.js:1:9 import",
            "lib/c.js:2:0 call",
            "lib/d.js:1:9 import",
            "lib/d.js:2:0 call",
            "lib/in/e.js:1:9 import",
            "lib/in/e.js:2:0 call",
        ],
    );
}

#[test]
fn syntax_that_the_grammar_does_not_know_hides_nothing() {
    check(
        &[
            (
                "a.ts",
                "export interface A<in T, out U = T> { a: T; b: U }\n",
            ),
            ("b.ts", "export type * from './a';\nexport const b = 1;\n"),
            ("c.tsx", "import type { A } from './b';\nlet c: A<1>;\n"),
        ],
        "a.A",
        &["c.tsx:1:14 import", "c.tsx:2:7 reference"],
    );
}

#[test]
fn extensions_are_tried_in_the_order_of_typescript() {
    let f = "export function f() {}\n";
    check(
        &[
            ("n/a.jsx", "function other() {}\nexport { other as f };\n"),
            ("n/a.js", f),
            ("n/b.ts", f),
            ("x.ts", "import { f } from './n/a.js';\nf();\n"),
            ("y.ts", "import { f } from './n/b.mjs';\nf();\n"),
        ],
        "a.f",
        &[
            "x.ts:1:9 import",
            "x.ts:2:0 call",
            "y.ts:1:9 import?",
            "y.ts:2:0 call?",
        ],
    );
}

#[test]
fn exports_limit_what_can_be_imported_of_a_package() {
    let f = "export function f() {}\n";
    check(
        &[
            (
                "p/package.json",
                "{ \"name\": \"p\", \"exports\": { \"./in/*\": null, \"./*.js\": \
                 \"./src/other.js\", \"./a/*\": \"./src/*.js\", \"./*\": \"./src/*.js\" }, \
                 \"imports\": { \"#dep\": \"q\" } }",
            ),
            ("p/q.js", "export function g() {}\n"),
            ("p/in/x.js", "export { f } from '../src/f.js';\n"),
            ("p/src/f.js", f),
            ("p/src/other.js", "export {};\n"),
            ("a.js", "import { f } from 'p/in/x';\nf();\n"),
            ("b.js", "import { f } from 'p/f';\nf();\n"),
            ("c.js", "import { f } from 'p/src/f.js';\nf();\n"),
            ("d.js", "import { f } from 'p/a/f';\nf();\n"),
            ("p/e.js", "import { g } from '#dep';\ng();\n"),
        ],
        "f.f",
        &[
            "b.js:1:9 import",
            "b.js:2:0 call",
            "d.js:1:9 import",
            "d.js:2:0 call",
            "p/in/x.js:1:9 import",
            "a.js:1:9 import?",
            "a.js:2:0 call?",
        ],
    );
    check(
        &[
            ("package.json", "{ \"imports\": { \"#dep\": \"q\" } }"),
            ("q.js", "export function g() {}\n"),
            ("e.js", "import { g } from '#dep';\ng();\n"),
        ],
        "q.g",
        &[],
    );
}

#[test]
fn a_package_of_a_fixture_is_no_dependency_of_the_repository() {
    let react = (
        "tests/fixtures/react/package.json",
        "{ \"name\": \"react\" }",
    );
    let index = (
        "tests/fixtures/react/index.js",
        "export function use() {}\n",
    );
    let own = (
        "tests/fixtures/react/own.js",
        "import { use } from 'react';\nuse();\n",
    );
    let a = ("src/a.js", "import { use } from 'react';\nuse();\n");
    let inside = [
        "tests/fixtures/react/own.js:1:9 import",
        "tests/fixtures/react/own.js:2:0 call",
    ];
    let outside = ["src/a.js:1:9 import", "src/a.js:2:0 call"];
    let both = [outside, inside].concat();
    for (manifest, text, rows) in [
        (
            "package.json",
            "{ \"dependencies\": { \"react\": \"^19\" } }",
            &inside[..],
        ),
        (
            "package.json",
            "{ \"workspaces\": [\"packages/*\"] }",
            &inside,
        ),
        (
            "package.json",
            "{ \"dependencies\": { \"react\": \"file:tests/fixtures/react\" } }",
            &both,
        ),
        ("package.json", "{}", &both),
        (
            "package.json",
            "{ \"workspaces\": { \"packages\": [\"./tests/*/react/\"] }, \"dependencies\": { \
             \"react\": \"*\" } }",
            &both,
        ),
        (
            "package.json",
            "{ \"workspaces\": [\"tests/**\", \"!**/fixtures/**\"] }",
            &inside,
        ),
        (
            "pnpm-workspace.yaml",
            "# all\n\
             packages:\n  \
             # here\n  \
             - 'packages/*' # some\n\n  \
             - \"tests/fixtures/*\"\n\
             catalog:\n  \
             x: 1\n",
            &both,
        ),
        ("pnpm-workspace.yaml", "packages:\n- packages/*\n", &inside),
        ("lerna.json", "{ \"packages\": [\"packages/*\"] }", &inside),
    ] {
        check(&[react, index, own, a, (manifest, text)], "use", rows);
    }
}

#[test]
fn configurations_extend_files_of_other_names_and_of_packages() {
    let rows = ["web/a.ts:1:7 import", "web/a.ts:2:0 call"];
    for (at, extends, options) in [
        (
            "config/base.json",
            "../config/base.json",
            "\"paths\": { \"@/*\": [\"../web/lib/*\"] }",
        ),
        (
            "config/my.tsconfig.json",
            "../config/my.tsconfig",
            "\"paths\": { \"@/*\": [\"${configDir}/lib/*\"] }",
        ),
        (
            "config/base.json",
            "@r/config/base.json",
            "\"baseUrl\": \"${configDir}/lib\", \"paths\": { \"@/*\": [\"./*\"] }",
        ),
        (
            "config/in/strictest.json",
            "@r/config/strict",
            "\"paths\": { \"@/*\": [\"${configDir}/lib/*\"] }",
        ),
    ] {
        check(
            &[
                ("package.json", "{ \"workspaces\": [\"config\", \"web\"] }"),
                (
                    "config/package.json",
                    "{ \"name\": \"@r/config\", \"exports\": { \"./strict\": \
                     \"./in/strictest.json\" } }",
                ),
                (at, &format!("{{ \"compilerOptions\": {{ {options} }} }}")),
                (
                    "web/tsconfig.json",
                    &format!("{{ \"extends\": \"{extends}\" }}"),
                ),
                ("web/lib/f.ts", "export default function f() {}\n"),
                ("web/a.ts", "import g from '@/f';\ng();\n"),
            ],
            "f.f",
            &rows,
        );
    }
    check(
        &[
            (
                "config/base.json",
                "{ \"compilerOptions\": { \"baseUrl\": \".\", \"paths\": { \"@/*\": \
                 [\"./lib/*\"] } } }",
            ),
            (
                "web/tsconfig.json",
                "{ \"extends\": \"../config/base\", \"compilerOptions\": { \"baseUrl\": \".\" } }",
            ),
            ("config/lib/f.ts", "export default function other() {}\n"),
            ("web/lib/f.ts", "export default function f() {}\n"),
            ("web/a.ts", "import g from '@/f';\ng();\n"),
        ],
        "f.f",
        &rows,
    );
}

#[test]
fn importers_by_built_and_nested_names_are_found() {
    let made = "export default function f() {}\n";
    check(
        &[
            ("package.json", "{ \"workspaces\": [\"p\"] }"),
            (
                "p/package.json",
                "{ \"name\": \"@x/p\", \"exports\": { \"./*\": \"./build/*/index.js\", \
                 \"./v-*.js\": \"./build/*-impl.min.js\", \"./all/*/deep\": \"./build/a/b/*.js\" \
                 } }",
            ),
            (
                "p/tsconfig.json",
                "{ \"compilerOptions\": { \"outDir\": \"build\", \"rootDir\": \"source\" } }",
            ),
            ("p/source/a/b/index.ts", made),
            ("p/in/a.ts", "import g from '@x/p/a/b';\ng();\n"),
            ("p/in/b.ts", "import g from '@x/p/all/index/deep';\ng();\n"),
            ("p/in/c.ts", "import g from '../source/a/b/';\ng();\n"),
        ],
        "f",
        &[
            "p/in/a.ts:1:7 import",
            "p/in/a.ts:2:0 call",
            "p/in/b.ts:1:7 import",
            "p/in/b.ts:2:0 call",
            "p/in/c.ts:1:7 import",
            "p/in/c.ts:2:0 call",
        ],
    );
    check(
        &[
            (
                "p/package.json",
                "{ \"name\": \"p\", \"exports\": { \"./v-*.js\": \"./dist/*-impl.min.js\" } }",
            ),
            ("p/src/one-impl.min.ts", made),
            ("a.ts", "import g from 'p/v-one.js';\ng();\n"),
        ],
        "f",
        &["a.ts:1:7 import", "a.ts:2:0 call"],
    );
}

#[test]
fn a_manifest_that_ignore_rules_name_says_where_its_package_is() {
    check(
        &[
            ("package.json", r#"{"workspaces": ["packages/*"]}"#),
            ("packages/shop/.ignore", "package.json\n"),
            (
                "packages/shop/package.json",
                r#"{"name": "shop", "exports": {".": "./src/index.ts"}}"#,
            ),
            ("packages/shop/src/index.ts", "export function price() {}\n"),
            (
                "packages/page/main.ts",
                "import { price } from 'shop';\nprice();\n",
            ),
        ],
        "price",
        &[
            "packages/page/main.ts:1:9 import",
            "packages/page/main.ts:2:0 call",
        ],
    );
}

#[test]
fn what_no_package_is_called_is_an_alias_of_a_bundler() {
    check(
        &[
            ("package.json", "{ \"imports\": { \"#dep\": \"dep\" } }"),
            ("src/lib/help.ts", "export function help() {}\n"),
            ("src/a.ts", "import { help } from '$lib/help';\nhelp();\n"),
            ("src/b.ts", "import { help } from '@/lib/help';\nhelp();\n"),
            ("src/c.ts", "import { help } from '~/lib/help';\nhelp();\n"),
            ("src/d.ts", "import { help } from '#lib/help';\nhelp();\n"),
            (
                "src/e.ts",
                "import { help } from '$docs/help.js';\nhelp();\n",
            ),
            ("src/f.ts", "import { help } from 'help';\nhelp();\n"),
            ("src/g.ts", "import { help } from '#dep';\nhelp();\n"),
        ],
        "help.help",
        &[
            "src/a.ts:1:9 import",
            "src/a.ts:2:0 call",
            "src/b.ts:1:9 import?",
            "src/b.ts:2:0 call?",
            "src/c.ts:1:9 import?",
            "src/c.ts:2:0 call?",
            "src/d.ts:1:9 import?",
            "src/d.ts:2:0 call?",
            "src/e.ts:1:9 import?",
            "src/e.ts:2:0 call?",
        ],
    );
}

#[test]
fn members_of_objects_may_implement_any_interface() {
    let types = "export interface Events { loaded?: (n: number) => void; ended(): void }\n\
                 export class Other { loaded() {} ended() {} }\n";
    let check_object = "import type { Events } from './types';\nimport { Other } from './types';\n\
                        import fs from 'fs';\n\
                        export function run(events: Events, other: Other) {\n  \
                        events.loaded?.(1);\n  events.ended();\n  other.loaded();\n  \
                        other.ended();\n  fs.loaded();\n}\n";
    let files = [
        ("types.ts", types),
        ("run.ts", check_object),
        (
            "main.ts",
            "import { run } from './run';\nrun({\n  loaded(n) {},\n  ended() {},\n}, null!);\n\
             function free() {}\n",
        ),
    ];
    check(&files, "main.ts:3:3", &["run.ts:5:9 call?"]);
    check(&files, "main.ts:4:3", &["run.ts:6:9 call?"]);
    check(&files, "types.Other.ended", &["run.ts:8:8 call"]);
    check(&files, "main.free", &[]);
}

#[test]
fn a_variable_with_the_name_of_a_type_has_the_members_of_its_object() {
    let node = |name: &str| {
        format!(
            "export interface {name} {{ kind: string }}\n\
             type Factory = Readonly<{{ clone(of: {name}): {name} }}>;\n\
             export const {name}: Factory = freeze<Factory>({{\n  clone(of) {{ return of; }},\n}});\n"
        )
    };
    let (cart, other) = (node("Cart"), node("Other"));
    let files = [
        ("cart.ts", cart.as_str()),
        ("other.ts", other.as_str()),
        (
            "use.ts",
            "import { Cart } from './cart';\nimport { Other } from './other';\n\
             Cart.clone(x);\nOther.clone(x);\n",
        ),
    ];
    check(&files, "cart.ts:4:3", &["use.ts:3:5 call?"]);
}

#[test]
fn what_a_missing_build_exports_is_a_candidate() {
    let json = r#"{"name": "shop", "main": "index.js"}"#;
    check(
        &[
            ("package.json", r#"{"workspaces": ["packages/*"]}"#),
            ("packages/shop/package.json", json),
            (
                "packages/shop/index.js",
                "module.exports = require('./dist/shop.cjs');\n",
            ),
            ("packages/shop/src/index.ts", "export function total() {}\n"),
            ("packages/app/package.json", r#"{"name": "app"}"#),
            (
                "packages/app/a.ts",
                "import { total } from 'shop';\ntotal();\n",
            ),
            (
                "packages/app/all.ts",
                "export * from '../shop/dist/shop';\n",
            ),
            (
                "packages/app/more.ts",
                "export * from './all';\nexport const x = 1;\n",
            ),
            (
                "packages/app/b.ts",
                "import { total } from './more';\ntotal();\n",
            ),
            (
                "packages/app/c.ts",
                "import { total } from 'elsewhere';\ntotal();\n",
            ),
        ],
        "total",
        &[
            "packages/app/a.ts:1:9 import?",
            "packages/app/a.ts:2:0 call?",
            "packages/app/b.ts:1:9 import?",
            "packages/app/b.ts:2:0 call?",
        ],
    );
}

#[test]
fn modules_that_export_each_other_are_searched_once() {
    let names: Vec<String> = (0..40).map(|number| format!("m{number}")).collect();
    let stars: Vec<String> = names
        .iter()
        .map(|name| format!("export * from './{name}.js';\n"))
        .collect();
    let text = stars.concat();
    let paths: Vec<String> = names.iter().map(|name| format!("{name}.js")).collect();
    let mut files: Vec<(&str, &str)> = paths
        .iter()
        .map(|path| (path.as_str(), text.as_str()))
        .collect();
    files.push(("a.js", "import { total } from './m0.js';\ntotal();\n"));
    files.push(("b.js", "export function total() {}\n"));
    check(&files, "total", &[]);
}

#[test]
fn an_assignment_to_a_setter_is_a_reference() {
    let text = "class K {
  get status() { return this._s; }
  set status(v) { this._s = v; }
  reset() { this.status = 204; }
}
const k = new K();
k.status = 5;
module.exports = { set other(v) {}, f() { this.other = 1; other = 2; } };
";
    let files = [("k.js", text)];
    check(
        &files,
        "K.status",
        &["k.js:4:17 reference", "k.js:7:2 reference"],
    );
    check(&files, "other", &["k.js:8:47 reference?"]);
}

#[test]
fn members_that_one_callback_assigns_are_not_those_of_another() {
    let text = "it('a', (req, res) => { res.send(1); });
it('b', (req, res) => { res.send = function (x) {}; res.send(2); });
it('c', () => { const res = make(); res.send(3); });
";
    check(
        &[("a.js", text)],
        "send",
        &["a.js:2:56 call", "a.js:1:28 call?", "a.js:3:40 call?"],
    );
}

#[test]
fn names_of_a_template_may_be_options_of_its_component() {
    let text = "<script>
export default {
  methods: {
    go(v) { return window; }
  }
};
</script>
<template>
  <a @click=\"go(1)\" :title=\"go\" />
</template>
";
    check(
        &[("App.vue", text), ("other.js", "go(2);\n")],
        "go",
        &["App.vue:9:13 call?", "App.vue:9:28 reference?"],
    );
}

#[test]
fn scripts_of_a_page_see_the_names_of_each_other() {
    let library =
        "class Terminal { start() {} }\nfunction helper() { inner(); function inner() {} }\n";
    let page = "const one = new Terminal(1);\nhelper();\nstart();\ninner();\n\
        function f(helper) { helper(); }\n";
    let files = [
        ("library.js", library),
        ("page.js", page),
        ("module.mjs", "import './page.js';\nhelper();\n"),
    ];
    check(&files, "Terminal", &["page.js:1:16 call?"]);
    check(&files, "library.helper", &["page.js:2:0 call?"]);
    check(&files, "Terminal.start", &[]);
    check(&files, "helper.inner", &["library.js:2:20 call"]);
}

#[test]
fn a_function_may_return_an_imported_module() {
    let text = "const load = async () => await import('./m');
const again = () => import('./m');
async function named() { return import('./m'); }
function required() { return require('./m'); }
async function run() {
  const { make } = await load(); make();
  (await again()).make();
  const m = await named(); m.make();
  required().make();
}
";
    let module = "export function make() {}\n";
    for name in ["t.js", "t.ts"] {
        let files = [("m.js", module), (name, text)];
        let rows = [
            "6:10 reference",
            "6:33 call",
            "7:18 call",
            "8:29 call",
            "9:13 call",
        ];
        let rows = rows.map(|row| format!("{name}:{row}"));
        check(&files, "make", &rows.each_ref().map(String::as_str));
    }
}

#[test]
fn the_end_of_an_element_is_a_reference() {
    let files = [
        (
            "card.tsx",
            "export function Card() { return <div></div>; }\nexport const ui = { Box: Card };\n",
        ),
        (
            "app.tsx",
            "import { Card } from './card';\nexport const App = () => (\n  <Card>\n    \
             <p>a</p>\n  </Card>\n);\n",
        ),
    ];
    check(
        &files,
        "Card",
        &[
            "app.tsx:1:9 import",
            "app.tsx:3:3 call",
            "app.tsx:5:4 reference",
            "card.tsx:2:25 reference",
        ],
    );
}

#[test]
fn a_function_receives_the_module_of_a_dynamic_import() {
    let text = "\
import(\"./a\").then(({ f, Item: Own }) => { f(); new Own(); });
import(\"./a\").then((a) => { a.f(); new a.Item(); });
import(\"./a\").then(a => a.f());
import(\"./a\").then(function ({ f }) { f(); });
";
    for (file, module) in [("b.js", "a.js"), ("b.ts", "a.ts")] {
        let files = [
            (module, "export function f() {}\nexport class Item {}\n"),
            (file, text),
        ];
        let of_function = [
            "1:22 import",
            "1:43 call",
            "2:30 call",
            "3:26 call",
            "4:31 import",
            "4:38 call",
        ];
        let of_function = of_function.map(|row| format!("{file}:{row}"));
        let rows = of_function.each_ref().map(String::as_str);
        check(&files, "a.f", &rows);
        let of_class = ["1:25 import", "1:52 call", "2:41 call"];
        let of_class = of_class.map(|row| format!("{file}:{row}"));
        let rows = of_class.each_ref().map(String::as_str);
        check(&files, "a.Item", &rows);
    }
}

#[test]
fn a_key_with_a_default_selects_a_member() {
    let text = "\
import * as a from \"./a\";
const { f = null, Item: Own = null } = a;
f();
import(\"./a\").then(b => { const { f = 1 } = b; return f; });
";
    let files = [
        ("a.js", "export function f() {}\nexport class Item {}\n"),
        ("b.js", text),
    ];
    let expected = [
        "b.js:2:8 reference",
        "b.js:3:0 call",
        "b.js:4:34 reference",
        "b.js:4:54 reference",
    ];
    check(&files, "a.f", &expected);
}

#[test]
fn a_key_that_selects_from_an_unknown_value_is_a_candidate() {
    let text = "\
import * as a from \"./a\";
const { total } = a as any;
const [{ total: own }] = await loadAll([import(\"./a\")]);
export function show({ total = 1 }) { return total; }
";
    let files = [("a.ts", "export function total() {}\n"), ("b.ts", text)];
    let expected = [
        "b.ts:2:8 reference?",
        "b.ts:3:9 reference?",
        "b.ts:4:23 reference?",
    ];
    check(&files, "a.total", &expected);
}

#[test]
fn an_assignment_to_an_inherited_setter_declares_no_member() {
    let text = "class App {
  get debug() { return 1; }
  set debug(v) {}
}
class Flask extends App {
  run() { this.debug = 2; return this.debug; }
}
";
    check(
        &[("a.ts", text)],
        "App.debug",
        &["a.ts:6:15 reference", "a.ts:6:38 reference"],
    );
    // Facts of JavaScript do not tell a setter from a method.
    check(
        &[("a.js", text)],
        "App.debug",
        &["a.js:6:15 reference?", "a.js:6:38 reference?"],
    );
}

#[test]
fn a_component_has_the_name_of_its_variable() {
    let files = [
        (
            "ui/Button.tsx",
            "import React, { forwardRef, memo } from 'react';
export const Button = forwardRef(function Inner(props: { a: string }, ref) {
  return use(props);
});
export const Link = React.memo(React.forwardRef<A, B>((props, ref) => null));
export default memo(function Table() { return null; });
function use(props: object) {}
const list = [1].map((one) => use(one));
export const ui = { Icon: memo(() => null) };
",
        ),
        (
            "Page.tsx",
            "import Table, { Button, Link, ui } from './ui/Button';
export const Page = () => (
  <div>
    <Button a='x' />
    <Link />
    <Table />
    <ui.Icon />
  </div>
);
",
        ),
        ("ui/index.ts", "export { Button } from './Button';\n"),
    ];
    check(
        &files,
        "ui/Button.tsx:2:14",
        &[
            "Page.tsx:1:16 import",
            "Page.tsx:4:5 call",
            "ui/index.ts:1:9 import",
        ],
    );
    check(
        &files,
        "ui/Button.tsx:5:14",
        &["Page.tsx:1:24 import", "Page.tsx:5:5 call"],
    );
    check(
        &files,
        "ui/Button.tsx:6:30",
        &["Page.tsx:1:7 import", "Page.tsx:6:5 call"],
    );
    check(&files, "ui/Button.tsx:9:21", &["Page.tsx:7:8 call"]);
    check(
        &files,
        "Button.use",
        &["ui/Button.tsx:3:9 call", "ui/Button.tsx:8:30 call"],
    );
}

#[test]
fn properties_of_an_object_refer_to_the_members_of_its_type() {
    let text = "\
export interface Api { load(id: number): string; save?: () => void; size: number }
const load = (id: number) => 'x';
export const api: Api = { load, size: 1 };
export const other: Api = { load: (id) => 'y', size: 2, save() {} };
export function make(): Api { return { load, size: 3 }; }
export function use(a: Api) { return a.load(1) + a.size; }
use({ load: () => 'q', size: 1 });
unknown({ load });
const plain = { load };
const named = { use: 1 };
";
    let files = [("a.ts", text)];
    check(
        &files,
        "Api.load",
        &[
            "a.ts:3:26 reference",
            "a.ts:4:28 reference",
            "a.ts:5:39 reference",
            "a.ts:6:39 call",
            "a.ts:7:6 reference",
        ],
    );
    check(
        &files,
        "a.load",
        &[
            "a.ts:3:26 reference",
            "a.ts:5:39 reference",
            "a.ts:8:10 reference",
            "a.ts:9:16 reference",
        ],
    );
}
