//! `where_used` after a definition was moved: imports of its former place may mean it.

use crate::where_used::check;

#[test]
fn python() {
    check(
        &[
            (
                "shop/__init__.py",
                "from .old import f\nfrom os import sep\n",
            ),
            ("shop/new.py", "def f(): pass\ndef sep(): pass\n"),
            ("a.py", "from shop.old import f\nf()\n"),
            ("b.py", "from shop import f\nf()\n"),
            ("c.py", "from shop.old import f as g\ng()\n"),
            ("d.py", "import shop.old\nshop.old.f()\n"),
            (
                "g.py",
                "from shop import new, far\nfar.f()\nnew.f()\nnew.g()\n",
            ),
            ("shop/far.py", "from .old import f\n"),
            ("e.py", "def g(f):\n    f()\n"),
            ("f.py", "from shops.old import f\nf()\n"),
        ],
        "new.f",
        &[
            "g.py:3:4 call",
            "a.py:1:21 import?",
            "a.py:2:0 call?",
            "b.py:1:17 import?",
            "b.py:2:0 call?",
            "c.py:1:21 import?",
            "d.py:2:9 call?",
            "g.py:2:4 call?",
            "shop/__init__.py:1:17 import?",
            "shop/far.py:1:17 import?",
        ],
    );
}

#[test]
fn what_another_module_gives_on_from_outside_is_not_moved() {
    check(
        &[
            ("shop/__init__.py", ""),
            ("shop/names.py", "from os import sep\n"),
            ("shop/lazy.py", "def __getattr__(name): pass\n"),
            ("shop/all.py", "from os import *\n"),
            ("shop/path.py", "def sep(): pass\n"),
            ("a.py", "from shop.names import sep\nsep()\n"),
            ("b.py", "from shop.lazy import sep\nsep()\n"),
            ("c.py", "from shop.all import sep\nsep()\n"),
        ],
        "path.sep",
        &[],
    );
    check(
        &[
            ("names.ts", "export { sep } from 'node:path';\n"),
            (
                "all.ts",
                "export * from 'node:path';\nexport const one = 1;\n",
            ),
            ("path.ts", "export function sep() {}\n"),
            ("a.ts", "import { sep } from './names';\nsep();\n"),
            ("b.ts", "import { sep } from './all';\nsep();\n"),
            ("c.ts", "import { sep } from './sep.json';\nsep;\n"),
        ],
        "path.sep",
        &[],
    );
}

#[test]
fn typescript() {
    check(
        &[
            (
                "tsconfig.json",
                r#"{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}"#,
            ),
            (
                "package.json",
                r##"{"name": "shop", "imports": {"#old": "./src/old.ts"}}"##,
            ),
            ("src/new.ts", "export class Cart {}\n"),
            ("src/other.ts", "export const one = 1;\n"),
            ("src/empty.ts", ""),
            ("k.ts", "import { Cart } from './src/empty';\n"),
            ("src/index.ts", "export { Cart } from './old';\n"),
            ("a.ts", "import { Cart } from './src/old';\nnew Cart();\n"),
            ("b.ts", "import { Cart } from './src';\nnew Cart();\n"),
            (
                "c.ts",
                "import { Cart } from './src/other';\nlet c: Cart;\n",
            ),
            (
                "d.ts",
                "import * as old from './src/old';\nnew old.Cart();\n",
            ),
            ("e.ts", "import { Cart } from '@/old';\n"),
            ("f.ts", "import { Cart } from 'shop/old';\n"),
            ("g.ts", "import { Cart } from '#old';\n"),
            ("h.ts", "import { Cart } from 'store';\nnew Cart();\n"),
            (
                "j.ts",
                "import * as other from './src/other';\nnew other.Cart();\n",
            ),
            (
                "i.ts",
                "import Cart from './src/old';\nclass Big extends Cart {}\n",
            ),
        ],
        "new.Cart",
        &[
            "a.ts:1:9 import?",
            "a.ts:2:4 call?",
            "b.ts:1:9 import?",
            "b.ts:2:4 call?",
            "c.ts:1:9 import?",
            "c.ts:2:7 reference?",
            "d.ts:2:8 call?",
            "e.ts:1:9 import?",
            "f.ts:1:9 import?",
            "g.ts:1:9 import?",
            "i.ts:1:7 import?",
            "i.ts:2:18 inherit?",
            "j.ts:2:10 call?",
            "k.ts:1:9 import?",
            "src/index.ts:1:9 import?",
        ],
    );
}

#[test]
fn java() {
    check(
        &[
            (
                "shop/Cart.java",
                "package shop;\nclass Cart { static void total() {} }\n",
            ),
            ("old/Pay.java", "package old;\nclass Pay {}\n"),
            (
                "a/A.java",
                "package a;\nimport old.Cart;\nclass A { Cart c; void f() { Cart.total(); } }\n",
            ),
            (
                "b/B.java",
                "package b;\nimport far.Cart;\nclass B { Cart c; }\n",
            ),
        ],
        "Cart.Cart",
        &[
            "a/A.java:2:11 import?",
            "a/A.java:3:10 reference?",
            "a/A.java:3:29 reference?",
        ],
    );
}

#[test]
fn go() {
    check(
        &[
            ("go.mod", "module example.org/shop\n"),
            ("cart/cart.go", "package cart\nfunc Total() {}\n"),
            (
                "a.go",
                "package main\nimport \"example.org/shop/old\"\nfunc f() { old.Total() }\n",
            ),
            (
                "b.go",
                "package main\nimport \"example.org/far\"\nfunc g() { far.Total() }\n",
            ),
        ],
        "cart.Total",
        &["a.go:3:15 call?"],
    );
}

#[test]
fn php() {
    check(
        &[
            (
                "src/Cart.php",
                "<?php\nnamespace Shop\\Carts;\nclass Cart {}\n",
            ),
            (
                "a.php",
                "<?php\nnamespace Shop;\nuse Shop\\Old\\Cart;\nnew Cart();\n",
            ),
            (
                "b.php",
                "<?php\nnamespace Shop;\nuse Far\\Cart;\nnew Cart();\n",
            ),
        ],
        "Cart.Cart",
        &["a.php:3:13 import?", "a.php:4:4 call?"],
    );
}
