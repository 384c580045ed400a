//! Files that embed code: components of Vue, Svelte and Astro, Markdown, and notebooks.

use proptest::prelude::*;
use ragnav::base::path::RepoPath;
use ragnav::syntax::{self, facts::Facts};

use crate::where_used::check;

const CART: &str = "<template>
  <p @click=\"pay\">é {{ total }}</p>
</template>

<script setup lang=\"ts\">
import { total } from './cart'
import Row from './Row.vue'

/** Pays. */
function pay(): void { total() }
</script>

<style>p { color: red }</style>
";

const NOTEBOOK: &str = r#"{
 "cells": [
  {
   "cell_type": "markdown",
   "source": ["def total(): pass"]
  },
  {
   "cell_type": "code",
   "source": [
    "%matplotlib inline\n",
    "from shop import total\n",
    "def report(name):\n",
    "    \"\"\"Reports.\"\"\"\n",
    "    return f\"{name}: {total()}\""
   ]
  }
 ],
 "metadata": {"kernelspec": {"language": "python"}},
 "nbformat": 4
}
"#;

fn language_of(path: &str) -> &'static syntax::Language {
    syntax::detect_language(&RepoPath::parse(path).unwrap()).unwrap()
}

fn facts_of(path: &str, text: &str) -> Facts {
    syntax::extract_facts(language_of(path), text)
}

fn definitions(path: &str, text: &str) -> Vec<String> {
    let symbols = syntax::extract_symbols(language_of(path), text).into_iter();
    symbols
        .map(|own| format!("{} {}-{}", own.name_path, own.start_line, own.end_line))
        .collect()
}

#[test]
fn the_script_of_a_component_has_definitions() {
    assert_eq!(definitions("src/Cart.vue", CART), ["pay 10-10"]);
    let svelte = "<script>\n  export function open() {}\n</script>\n<a on:click={open}>b</a>\n";
    assert_eq!(definitions("a.svelte", svelte), ["open 2-2"]);
    let astro = "---\nfunction title() { return 1 }\n---\n<h1>{title()}</h1>\n";
    assert_eq!(definitions("a.astro", astro), ["title 2-2"]);
    assert_eq!(definitions("b.vue", "<template>\n</template>\n"), [""; 0]);
}

#[test]
fn references_in_a_component_are_resolved_across_files() {
    check(
        &[
            ("src/cart.ts", "export function total() { return 0 }\n"),
            ("src/Cart.vue", CART),
            (
                "src/Other.vue",
                "<script>function total() {}\ntotal()</script>\n",
            ),
        ],
        "src.cart.total",
        &[
            "src/Cart.vue:2:23 reference",
            "src/Cart.vue:6:9 import",
            "src/Cart.vue:10:23 call",
        ],
    );
}

#[test]
fn components_import_each_other() {
    let files = [
        ("src/Cart.vue", CART),
        (
            "src/Row.vue",
            "<script>export const rows = () => 1</script>\n",
        ),
        ("src/main.js", "import { rows } from './Row'\nrows()\n"),
    ];
    check(
        &files,
        "src.Row.rows",
        &["src/main.js:1:9 import", "src/main.js:2:0 call"],
    );
}

#[test]
fn the_markup_of_a_component_refers_to_its_script() {
    let shop = (
        "shop.ts",
        "export const total = (n: number) => n\nexport const pay = () => {}\n",
    );
    let imports = "import { pay, total } from './shop'";
    let vue = format!(
        "<script setup>{imports}</script>\n<template>\n<p v-for=\"a of b\" @click=\"pay(a); c\">\n\
         {{{{ total(a) }}}}</p>\n<!-- total() --></template>\n"
    );
    check(
        &[shop, ("a.vue", &vue)],
        "shop.total",
        &["a.vue:1:28 import", "a.vue:4:3 call"],
    );
    check(
        &[shop, ("a.vue", &vue)],
        "shop.pay",
        &["a.vue:1:23 import", "a.vue:3:26 call"],
    );
    let svelte = format!("<script>{imports}</script>\n{{#each b as a}}{{total(a)}}{{/each}}\n");
    check(
        &[shop, ("a.svelte", &svelte)],
        "shop.total",
        &["a.svelte:1:22 import", "a.svelte:2:15 call"],
    );
    let astro = format!("---\n{imports}\n---\n{{b.map((a) => <i>{{total(a)}}</i>)}}\n");
    check(
        &[shop, ("a.astro", &astro)],
        "shop.total",
        &["a.astro:2:14 import", "a.astro:4:18 call"],
    );
}

#[test]
fn an_error_in_a_template_does_not_hide_the_script() {
    let text = "<p>{{ a( }}</p>\n<script>\nfunction pay() {}\n</script>\n";
    assert_eq!(definitions("a.vue", text), ["pay 3-3"]);
}

#[test]
fn each_block_of_markdown_is_a_scope_of_its_own() {
    let text = "# Use\n\n```js\nimport { total } from './cart'\ntotal()\n```\n\n\
                ```ts\nfunction total() {}\ntotal()\n```\n\n```py\ntotal()\n```\n";
    check(
        &[
            ("cart.js", "export function total() {}\n"),
            ("README.md", text),
        ],
        "cart.total",
        &["README.md:4:9 import", "README.md:5:0 call"],
    );
    assert_eq!(definitions("README.md", text), ["total 9-9"]);
}

#[test]
fn a_component_with_malformed_markup_is_read_in_part() {
    let script = "<script>\nfunction open() {}\n</script>\n";
    let of_markup = |markup: &str| facts_of("a.svelte", &format!("{script}{markup}\n"));
    assert!(!of_markup("<a on:click={open}>b</a>").is_partial);
    let malformed = of_markup("<a on:click={open(}>b</a>");
    assert!(malformed.is_partial);
    assert_eq!(malformed.symbols()[0].name_path, "open");
}

#[test]
fn a_notebook_is_python_at_its_place_in_the_file() {
    check(
        &[
            ("shop.py", "def total(): return 0\n"),
            ("a.ipynb", NOTEBOOK),
        ],
        "shop.total",
        &["a.ipynb:11:22 import", "a.ipynb:14:28 call"],
    );
    assert_eq!(definitions("a.ipynb", NOTEBOOK), ["report 12-14"]);
    let facts = facts_of("a.ipynb", NOTEBOOK);
    assert_eq!(facts.definitions[0].docstring.as_deref(), Some("Reports."));
    assert!(facts_of("a.ipynb", "{\"cells\": [").is_partial);
}

#[test]
fn time_is_linear_in_the_size_of_a_file() {
    let notebook = |source: &str| {
        format!("{{\"cells\": [{{\"cell_type\": \"code\", \"source\": \"{source}\"}}]}}")
    };
    for (path, text) in [
        ("a.vue", "<script ".repeat(1 << 16)),
        ("a.vue", "<script a=".repeat(1 << 16)),
        ("a.vue", "<script>".repeat(1 << 16)),
        ("a.svelte", "<!--".repeat(1 << 16)),
        ("a.astro", "---\n".repeat(1 << 16)),
        ("a.md", "```js\n".repeat(1 << 16)),
        ("a.md", "> ".repeat(1 << 16)),
        ("a.ipynb", notebook(&"f(1); ".repeat(1 << 16))),
        ("a.ipynb", notebook(&" ".repeat(1 << 18))),
        ("a.ipynb", notebook(&"' ".repeat(1 << 16))),
        ("a.ipynb", notebook(&"\\\"".repeat(1 << 16))),
    ] {
        let _ = facts_of(path, &text);
    }
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "<script>",
        "<script lang='ts'>",
        "</script>",
        "<!--",
        "-->",
        "---\n",
        "```ts\n",
        "```\n",
        "~~~~js\n",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": [",
        "\"def f():\\n\",",
        "\"  g(\\\"\\u00e9\\\")\\\\\\n\",\n",
        "\"\"]}]}",
        "f()\n",
        "function f() {}",
        "é😀",
        "\r\n",
        "> ",
        "\\",
        "\"",
        "'''",
        "<p :a=\"",
        "<A @b='",
        "{{ f(a) }}",
        "{#each a as f}",
        "{",
        "}",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn every_name_stands_at_its_place(text in pieces()) {
        for path in ["a.vue", "a.svelte", "a.astro", "a.md", "a.ipynb"] {
            let facts = facts_of(path, &text);
            let lines: Vec<&str> = text.split('\n').collect();
            for reference in &facts.references {
                let line = lines[reference.position.line as usize - 1];
                let column = reference.position.start_utf16 as usize;
                let units: Vec<u16> = line.encode_utf16().skip(column).collect();
                let name = facts.name(reference.name);
                let is_masked = name.chars().all(|letter| letter == '_');
                prop_assert!(
                    is_masked ||
                    String::from_utf16_lossy(&units).starts_with(name),
                    "{path}: {name:?} is not at {:?}", reference.position
                );
            }
        }
    }
}

#[test]
fn a_component_is_used_where_templates_name_it() {
    let component = "<script setup>\ndefineProps(['a'])\n</script>\n<template><p/></template>\n";
    let page = "<script setup>\nimport { Row } from '../lib'\n</script>\n<template>\n  \
                <Row :a=\"1\"/>\n</template>\n";
    check(
        &[
            ("lib/Row.vue", component),
            (
                "lib/index.ts",
                "export { default as Row } from './Row.vue'\n",
            ),
            ("app/Page.vue", page),
            (
                "app/Own.vue",
                "<script setup>\nconst Row = 1\n</script>\n<template><Row/></template>\n",
            ),
        ],
        "Row",
        &[
            "app/Page.vue:2:9 import",
            "app/Page.vue:5:3 reference",
            "lib/index.ts:1:9 import",
        ],
    );
}

#[test]
fn directives_of_svelte_name_functions() {
    let text = "<script>\n  import { grow } from './grow'\n</script>\n<p use:grow transition:grow|local={a}/>\n";
    check(
        &[
            ("grow.ts", "export function grow(node: Node) {}\n"),
            ("a.svelte", text),
        ],
        "grow.grow",
        &[
            "a.svelte:2:11 import",
            "a.svelte:4:7 reference",
            "a.svelte:4:23 reference",
        ],
    );
}
