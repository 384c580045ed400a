//! `where_used` in JavaScript: values that flow between the functions of one file.

use crate::where_used::check;

/// Checks the calls of `job` in one file.
#[track_caller]
fn check_calls(text: &str, expected: &[&str]) {
    let text = format!("function job() {{}}\n{text}");
    check(&[("a.js", &text)], "a.job", expected);
}

#[test]
fn arguments_reach_parameters() {
    check_calls(
        "function run(task) { task(); }\n\
         const all = (...tasks) => { for (const task of tasks) task(); };\n\
         function named({ task, other }) { task(); other(); }\n\
         run(job);\n\
         all(1, job);\n\
         named({ task: job });\n",
        &[
            "a.js:2:21 call",
            "a.js:3:54 call",
            "a.js:4:34 call",
            "a.js:5:4 reference",
            "a.js:6:7 reference",
            "a.js:7:14 reference",
        ],
    );
    check_calls(
        "function always(task = job) { task(); }\n\
         function never(task = job) { task(); }\n\
         always();\n\
         never(print);\n",
        &[
            "a.js:2:23 reference",
            "a.js:2:30 call",
            "a.js:3:22 reference",
        ],
    );
    check_calls(
        "class Queue { constructor(task) { this.task = task; } run() { this.task(); } }\n\
         new Queue(job).run();\n\
         (function (task) { task(); })(job);\n\
         run(job);\n",
        &[
            "a.js:2:46 reference",
            "a.js:2:67 call",
            "a.js:3:10 reference",
            "a.js:4:19 call",
            "a.js:4:30 reference",
            "a.js:5:4 reference",
        ],
    );
}

#[test]
fn a_parameter_has_its_argument_until_it_is_assigned() {
    check_calls(
        "function run(task) {\n\
           task(1);\n\
           if (task) { task(2); task = job; task(3); }\n\
           for (;;) { task(5); task = job; }\n\
         }\n\
         function later(task) { task(6); each(() => { task = job; }); task(7); }\n\
         function again(task) { var task; task(8); }\n\
         again(job);\n",
        &[
            "a.js:4:28 reference",
            "a.js:4:33 call",
            "a.js:5:11 call",
            "a.js:5:27 reference",
            "a.js:7:23 call",
            "a.js:7:52 reference",
            "a.js:7:61 call",
            "a.js:8:33 call",
            "a.js:9:6 reference",
        ],
    );
}

#[test]
fn results_are_called() {
    check_calls(
        "function choose() { return job; }\n\
         choose()();\n\
         const make = () => job;\n\
         make()();\n\
         function same(task) { return task; }\n\
         same(job)();\n\
         same(print)();\n\
         function* each() { yield job; }\n\
         for (const task of each()) task();\n",
        &[
            "a.js:2:27 reference",
            "a.js:3:0 call",
            "a.js:4:19 reference",
            "a.js:5:0 call",
            "a.js:6:29 reference",
            "a.js:7:0 call",
            "a.js:7:5 reference",
            "a.js:9:25 reference",
            "a.js:10:27 call",
        ],
    );
}

#[test]
fn elements_and_members_are_followed() {
    check_calls(
        "const tasks = { a: job, b: print };\n\
         tasks.a();\n\
         tasks.b();\n\
         const [first, [second, ...rest]] = [print, [job, print]];\n\
         first();\n\
         second();\n\
         rest[0]();\n\
         const { a, ...others } = tasks;\n\
         a();\n\
         const list = [print, job];\n\
         list[0]();\n\
         list[1]();\n\
         list[0] = job;\n\
         list[0]();\n\
         const key = 'a';\n\
         tasks[key]();\n",
        &[
            "a.js:2:19 reference",
            "a.js:3:6 call",
            "a.js:5:44 reference",
            "a.js:7:0 call",
            "a.js:9:8 reference",
            "a.js:10:0 call",
            "a.js:11:21 reference",
            "a.js:13:0 call",
            "a.js:14:10 reference",
            "a.js:15:0 call",
            "a.js:17:0 call",
        ],
    );
}

#[test]
fn the_last_assignment_counts() {
    check_calls(
        "let task = job;\n\
         task();\n\
         task = print;\n\
         task();\n\
         let other = print;\n\
         if (print) task = job;\n\
         task();\n\
         [other, task] = [task, other];\n\
         task();\n\
         other();\n\
         let later = print;\n\
         function change() { later = job; }\n\
         change();\n\
         later();\n",
        &[
            "a.js:2:11 reference",
            "a.js:3:0 call",
            "a.js:7:18 reference",
            "a.js:8:0 call",
            "a.js:9:17 reference",
            "a.js:11:0 call",
            "a.js:13:28 reference",
            "a.js:15:0 call",
        ],
    );
}

#[test]
fn builtin_functions_call_their_arguments() {
    check_calls(
        "[1].map(job);\n\
         [job].forEach((task) => task());\n\
         setTimeout(job, 1);\n\
         Promise.resolve().then(job, print);\n\
         job.call(null, 1);\n\
         const bound = job.bind(null);\n\
         bound();\n\
         function run(task) { task(); }\n\
         run.apply(null, [job]);\n",
        &[
            "a.js:2:8 call",
            "a.js:3:1 reference",
            "a.js:3:24 call",
            "a.js:4:11 call",
            "a.js:5:23 call",
            "a.js:6:0 call",
            "a.js:7:14 reference",
            "a.js:8:0 call",
            "a.js:9:21 call",
            "a.js:10:17 reference",
        ],
    );
    // A method of the file may do anything with its argument.
    check_calls(
        "const own = { map(task) {} };\nown.map(job);\n",
        &["a.js:3:8 reference"],
    );
}

#[test]
fn keys_reach_parameters() {
    check_calls(
        "const tasks = { a: job, b: print };\n\
         function run(key) { tasks[key](); }\n\
         run('a');\n\
         function other(key) { tasks[key](); }\n\
         other('b');\n",
        &["a.js:2:19 reference", "a.js:3:20 call"],
    );
}

#[test]
fn assigned_properties_and_iterators_are_followed() {
    check_calls(
        "class Queue { [Symbol.iterator]() { return { next: () => ({ value: job }) }; } }\n\
         for (const task of new Queue()) task();\n\
         const methods = { run() { return job; } };\n\
         Object.assign(Queue.prototype, methods);\n\
         new Queue().run()();\n",
        &[
            "a.js:2:67 reference",
            "a.js:3:32 call",
            "a.js:4:33 reference",
            "a.js:6:12 call",
        ],
    );
}

#[test]
fn an_ambiguous_member_is_not_followed() {
    check_calls(
        "class Queue { constructor(task) { this.task = task; } change(task) { this.task = task; } }\n\
         const queue = new Queue(job);\n\
         queue.change(print);\n\
         queue.task();\n",
        &["a.js:2:46 reference", "a.js:3:24 reference"],
    );
}

#[test]
fn declared_types_and_minified_texts_have_no_flow() {
    let text = "function job() {}\nfunction run(task) { task() }\nrun(job)\n";
    check(&[("a.ts", text)], "a.job", &["a.ts:3:4 reference"]);
    let line = format!("{}var z", "var y;".repeat(100));
    let text = format!("{text}{line}\n");
    check(&[("a.js", &text)], "a.job", &["a.js:3:4 reference"]);
}

#[test]
fn a_function_that_an_imported_one_returns_is_called() {
    check(
        &[
            ("jobs.js", "export function job() {}\n"),
            (
                "choose.js",
                "import { job } from './jobs.js';\nexport function choose() { return job }\n",
            ),
            (
                "main.js",
                "import { choose } from './choose.js';\nconst chosen = choose();\nchosen();\n",
            ),
        ],
        "jobs.job",
        &[
            "choose.js:1:9 import",
            "choose.js:2:34 reference",
            "main.js:3:0 call",
        ],
    );
}

#[test]
fn an_array_has_the_elements_that_are_pushed() {
    check(
        &[
            ("cart.js", "export class Cart {\n  total() {}\n}\n"),
            (
                "shop.js",
                "import { Cart } from './cart.js';\n\
                 export class Shop {\n\
                 \x20 constructor() { this.all = []; this.kinds = new Set(); }\n\
                 \x20 fill() { this.all.push(new Cart()); this.kinds.add(new Cart()); }\n\
                 \x20 first() { return this.all[0].total(); }\n\
                 \x20 run() { for (const cart of this.all) cart.total(); }\n\
                 \x20 each() { this.all.forEach((cart) => cart.total()); }\n\
                 \x20 set() { for (const cart of this.kinds) cart.total(); }\n\
                 }\n\
                 const list = [];\nlist.push(new Cart());\nlist[0].total();\n\
                 list.forEach((cart) => cart.total());\n",
            ),
            (
                "app.js",
                "import { Shop } from './shop.js';\nnew Shop().all[0].total();\n",
            ),
        ],
        "Cart.total",
        &[
            "app.js:2:18 call",
            "shop.js:5:31 call",
            "shop.js:6:44 call",
            "shop.js:7:43 call",
            "shop.js:8:46 call",
            "shop.js:12:8 call",
            "shop.js:13:28 call",
        ],
    );
}

#[test]
fn a_function_may_return_a_parameter_or_what_it_returns_itself() {
    check(
        &[(
            "a.js",
            "class Cart { total() {} }\n\
             function unwrap(cart, n) { if (n) return cart; return unwrap(cart.inner, n - 1); }\n\
             unwrap(new Cart(), 1).total();\n\
             const even = (cart, n) => n ? cart : Odd.odd(cart, n - 1);\n\
             const Odd = { odd(cart, n) { if (n) return cart; return even(cart, n - 1); } };\n\
             even(new Cart(), 1).total();\n\
             const last = (cart, n) => { if (n) return cart; var r = last(cart, 0); return r; };\n\
             last(new Cart(), 1).total();\n",
        )],
        "Cart.total",
        &["a.js:3:22 call", "a.js:6:20 call", "a.js:8:20 call"],
    );
}

#[test]
fn a_logical_assignment_keeps_or_replaces_a_value() {
    let text = "export class Cart { total() {} }
class Other { total() {} }
let cart;
export function make() { return cart ??= new Cart(); }
make().total();
export class Shop {
  constructor() { this.cart = null; }
  get() { return this.cart ||= new Cart(); }
  use() { this.get().total(); this.cart.total(); }
}
function either(a) { let x = new Other(); x ??= new Cart(); x.total(); }
function replaced() { let x = new Other(); x &&= new Cart(); x.total(); }
function added(a) { let x = new Other(); x += new Cart(); x.total(); }
";
    check(
        &[("a.js", text)],
        "a.Cart.total",
        &[
            "a.js:5:7 call",
            "a.js:9:21 call",
            "a.js:9:40 call",
            "a.js:11:62 call",
            "a.js:12:63 call",
        ],
    );
    check(
        &[("a.js", text)],
        "a.Other.total",
        &["a.js:11:62 call", "a.js:13:60 call"],
    );
}

#[test]
fn a_logical_assignment_reads_its_target() {
    let text = "import { load } from './b.js';
function local() {}
load ??= 1;
local ||= 2;
export class Shop {
  open() {}
  close() { this.open ??= local; this['open'] &&= null; }
}
";
    let other = "export function load() {}\n";
    for file in ["a.js", "a.ts"] {
        let files = [(file, text), ("b.js", other)];
        let row = |row: &str| format!("{file}:{row}");
        let loads = [row("1:9 import"), row("3:0 reference")];
        check(&files, "b.load", &loads.each_ref().map(String::as_str));
        let locals = [row("4:0 reference"), row("7:26 reference")];
        check(&files, "a.local", &locals.each_ref().map(String::as_str));
        let opens = [row("7:17 reference"), row("7:39 reference")];
        check(&files, "Shop.open", &opens.each_ref().map(String::as_str));
    }
}
