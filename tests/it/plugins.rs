//! Languages that a program adds: a grammar with its `tags.scm` and `locals.scm`.

use crate::common::{MemoryHost, settings};
use crate::fact_rows::{definitions, kinds, lines, references};
use crate::fs_host::run;
use ragnav::base::envelope::SourceTag;
use ragnav::base::error::ErrorCode;
use ragnav::base::item::Verdict;
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::lineage::{LineageOptions, lineage};
use ragnav::query::outline::outline;
use ragnav::query::status::status;
use ragnav::query::where_used::{Confidence, WhereUsedOptions, where_used};
use ragnav::query::{FileOptions, QuestionOptions};
use ragnav::syntax::facts::Facts;
use ragnav::syntax::grammars::link_grammar;
use ragnav::syntax::plugin::{LanguagePlugin, add_language};
use ragnav::syntax::{self, Outline};

const RUBY: &str = "\
# The top of the file.

# A cart
# of articles.
module Shop
  class Cart < Base
    def total(list)
      list.sum { |article| price_of(article) }
    end
  end
end

# Looks up
# a price.
def price_of(article)
  article.price
end
";

fn plugin(name: &str, extension: &str, tags: &str, locals: Option<&str>) -> LanguagePlugin {
    LanguagePlugin {
        name: name.to_owned(),
        extensions: vec![extension.to_owned()],
        tags: tags.to_owned(),
        locals: locals.map(str::to_owned),
        grammar_hash: "1".to_owned(),
    }
}

/// Adds Ruby as a plug-in, with the queries that its grammar brings.
fn add_ruby() {
    let (tags, locals) = (tree_sitter_ruby::TAGS_QUERY, tree_sitter_ruby::LOCALS_QUERY);
    add_language(&plugin("rbx", "rbx", tags, Some(locals))).unwrap();
    link_grammar("rbx", tree_sitter_ruby::LANGUAGE).unwrap();
}

/// Adds JavaScript as a plug-in.
fn add_script(tags: &str, locals: Option<&str>) {
    add_language(&plugin("script", "jsx2", tags, locals)).unwrap();
    link_grammar("script", tree_sitter_javascript::LANGUAGE).unwrap();
}

fn facts(language: &str, text: &str) -> Facts {
    let language = syntax::find_language(language).unwrap();
    let facts = syntax::extract_facts(language, text);
    let Outline {
        definitions,
        is_partial,
        ..
    } = syntax::extract_outline(language, text);
    assert_eq!(facts.symbols(), definitions);
    assert!(facts.is_partial || !is_partial);
    facts
}

#[test]
fn definitions_nest_by_their_ranges() {
    add_ruby();
    let facts = facts("rbx", RUBY);
    assert_eq!(
        kinds(&facts),
        [
            "Shop namespace",
            "Shop.Cart class",
            "Shop.Cart.total method",
            "price_of method",
        ]
    );
    assert_eq!(
        lines(&facts),
        [
            "Shop 5 5-11",
            "Shop.Cart 6 6-10",
            "Shop.Cart.total 7 7-9",
            "price_of 15 15-17",
        ]
    );
    assert_eq!(facts.definitions[3].docstring.as_deref(), Some("Looks up"));
    assert!(!facts.is_partial);
}

#[test]
fn a_comment_behind_a_blank_line_is_no_documentation() {
    add_script(
        "((comment)* @doc . (function_declaration name: (_) @name) @definition.function)",
        None,
    );
    let facts = facts(
        "script",
        "// A licence.\n\n// Adds up.\n// Slowly.\nfunction f() {}\n\n/** Sums\n * all. */\nfunction g() {}\n\n// Far.\n\nfunction h() {}\n",
    );
    let docstrings = facts.definitions.iter();
    let docstrings: Vec<_> = docstrings.map(|fact| fact.docstring.as_deref()).collect();
    assert_eq!(docstrings, [Some("Adds up."), Some("Sums"), None]);
}

#[test]
fn variables_are_no_references() {
    add_ruby();
    let facts = facts("rbx", RUBY);
    assert_eq!(
        references(&facts),
        [
            "#2 6:15 ?.Base call",
            "#3 8:11 ?.sum call",
            "#3 8:27 ?.price_of call",
            "#4 16:10 ?.price call",
        ]
    );
}

/// Functions of JavaScript, with names that `locals.scm` binds in the block around them.
const TAGS: &str = "
(function_declaration name: (identifier) @name) @definition.function
(class_declaration name: (identifier) @name) @definition.class
(class_heritage (identifier) @name) @reference.implementation
(call_expression function: (identifier) @name) @reference.call
(call_expression function: (member_expression property: (_) @name)) @reference.call
(variable_declarator name: (identifier) @name) @definition.constant
";
const LOCALS: &str = "
[(program) (statement_block)] @local.scope
(function_declaration) @local.scope
(program (function_declaration name: (identifier) @local.definition))
(formal_parameters (identifier) @local.definition)
(variable_declarator name: (identifier) @local.definition)
(identifier) @local.reference
";

#[test]
fn locals_decide_what_is_resolved() {
    let locals = "
        (statement_block) @local.scope
        (lexical_declaration (variable_declarator name: (identifier) @local.definition))
        (formal_parameters (identifier) @local.definition)
        (call_expression function: (identifier) @local.reference)
        (arguments (identifier) @local.reference)";
    add_script(TAGS, Some(locals));
    let text = "function f(g) { g(); h(f); k.h(); }\nconst h = 1;\n";
    // Parameters are visible in the file here: no scope of this query encloses them.
    assert_eq!(
        references(&facts("script", text)),
        ["#1 1:21 ?.h call", "#1 1:29 ?.h call"]
    );
}

#[test]
fn a_name_that_locals_bind_to_a_definition_is_resolved() {
    let locals = "
        (function_declaration body: (statement_block) @local.scope)
        (function_declaration name: (identifier) @local.definition)
        (statement_block (lexical_declaration
            (variable_declarator name: (identifier) @local.definition)))
        (call_expression function: (identifier) @local.reference)
        (arguments (identifier) @local.reference)";
    add_script(TAGS, Some(locals));
    let text = "late();
function f() {}
function g() {
  f();
  run(f);
  function f() {}
  f();
  other();
  const shadow = 1;
  shadow();
  x.f();
}
function late() {}
class A extends B {}
";
    assert_eq!(
        references(&facts("script", text)),
        [
            "#0 1:0 ?.late call",
            // The block binds the name later, and the bindings of facts have no order.
            "#2 4:2 ?.f call",
            "#2 5:2 ?.run call",
            "#2 7:2 f call",
            "#2 8:2 ?.other call",
            "#2 11:4 ?.f call",
            "#0 14:16 ?.B inherit",
        ]
    );
}

#[test]
fn a_pattern_may_define_a_name_around_its_scope() {
    for (scope, resolved) in [("", false), ("parent", true), ("global", true)] {
        let set = format!("(#set! definition.function.scope \"{scope}\")");
        let locals = format!(
            "(function_declaration) @local.scope
            ((function_declaration name: (identifier) @local.definition.function) {set})
            (identifier) @local.reference"
        );
        let name = format!("script{scope}");
        add_language(&plugin(&name, &name, TAGS, Some(&locals))).unwrap();
        link_grammar(&name, tree_sitter_javascript::LANGUAGE).unwrap();
        let facts = facts(&name, "function f() {}\nf();\n");
        let receiver = if resolved { "" } else { "?." };
        assert_eq!(references(&facts), [format!("#0 2:0 {receiver}f call")]);
    }
}

#[test]
fn a_pattern_that_comes_first_wins() {
    let tags = "
        ((identifier) @name @reference.call (#eq? @name \"f\"))
        ((call_expression function: (identifier) @ignore) (#any-of? @ignore \"skip\" \"omit\"))
        ((identifier) @name @definition.function (#match? @name \"^[fg]$\"))
        ((identifier) @name @reference.class
            (#not-eq? @name \"x\") (#not-match? @name \"^y\") (#not-any-of? @name \"z\"))";
    add_script(tags, None);
    let facts = facts("script", "f; g; x; y1; z; skip(); w;\n");
    assert_eq!(kinds(&facts), ["g function"]);
    assert_eq!(references(&facts), ["#0 1:0 ?.f call", "#0 1:24 ?.w read"]);
}

#[test]
fn functions_in_types_are_methods_and_unknown_kinds_no_definitions() {
    let tags = "
        (class_declaration name: (identifier) @name) @definition.struct
        (method_definition name: (_) @name) @definition.function
        (field_definition property: (_) @name) @definition.field
        (assignment_expression left: (member_expression) @name right: (_)) @definition.macro";
    add_script(tags, None);
    let facts = facts(
        "script",
        "class A { a = 1; m() {} }\nA.B.late = () => {};\n",
    );
    assert_eq!(
        kinds(&facts),
        ["A class", "A.m method", "A.B.late function"]
    );
}

#[test]
fn renamed_definitions_keep_their_body() {
    add_script(TAGS, None);
    let body = |text: &str| facts("script", text).definitions[0].body;
    let recursive = body("function f() { return f(1) }\n");
    assert_eq!(
        recursive,
        body("function longer() {\n  // A comment.\n  return longer(1)\n}\n")
    );
    assert_ne!(recursive, body("function f() { return f(2) }\n"));
}

#[test]
fn queries_that_do_not_compile_are_refused_with_their_place() {
    let refused = |tags: &str, locals: Option<&str>, name: &str| {
        add_language(&plugin(name, name, tags, locals)).unwrap();
        let error = link_grammar(name, tree_sitter_ruby::LANGUAGE).unwrap_err();
        assert_eq!(error.code, ErrorCode::LanguageUnavailable);
        error.message
    };
    let good = tree_sitter_ruby::TAGS_QUERY;
    assert_eq!(
        refused(
            "; Ruby\n\n  (methods name: (_) @name) @definition.method\n",
            None,
            "a1"
        ),
        "tags.scm does not compile at line 3, column 4, in `(methods name: (_) @name) \
         @definition.method`: the grammar has no node \"methods\"; pass the queries of the same \
         release as the grammar, or correct that line"
    );
    for (tags, locals, name, expected) in [
        (
            "(method",
            None,
            "a2",
            "tags.scm does not compile at line 1, column 8",
        ),
        (
            "(method names: (_) @name)",
            None,
            "a3",
            "no field \"names\"",
        ),
        (
            "((method) @name (#eq? @x \"\"))",
            None,
            "a4",
            "has no capture",
        ),
        (
            "(method (method_parameters (class)))",
            None,
            "a5",
            "never builds such nodes",
        ),
        (
            "((constant) @name (#match? @name \"(\"))",
            None,
            "a6",
            "line 1",
        ),
        ("", None, "a7", "tags.scm finds nothing"),
        (
            "(method) @definition.method",
            None,
            "a8",
            "tags.scm finds nothing",
        ),
        (
            good,
            Some("\n(nothing) @local.scope"),
            "a9",
            "locals.scm does not compile at line 2",
        ),
    ] {
        let message = refused(tags, locals, name);
        assert!(message.contains(expected), "{message}");
    }
    // The language is there, without definitions.
    let outline = syntax::extract_outline(syntax::find_language("a9").unwrap(), RUBY);
    assert!(outline.is_partial && outline.definitions.is_empty());
}

#[test]
fn names_and_extensions_belong_to_one_language() {
    add_ruby();
    let tags = tree_sitter_ruby::TAGS_QUERY;
    for (name, extension, expected) in [
        ("Ruby", "x1", "lower-case letters"),
        ("", "x1", "lower-case letters"),
        ("a-b", "x1", "lower-case letters"),
        ("python", "x1", "there is a language \"python\" already"),
        ("rbx", "x1", "there is a language \"rbx\" already"),
        (
            "x1",
            "PY",
            "files with the extension \"py\" are in python already",
        ),
        (
            "x1",
            ".rbx",
            "files with the extension \"rbx\" are in rbx already",
        ),
        ("x1", "d.ts", "is no extension of x1"),
        ("x1", "", "is no extension of x1"),
    ] {
        let error = add_language(&plugin(name, extension, tags, None)).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidArgument);
        assert!(error.message.contains(expected), "{}", error.message);
    }
    let mut twice = plugin("x1", "x1", tags, None);
    twice.extensions.push(".X1".to_owned());
    let error = add_language(&twice).unwrap_err();
    assert!(error.message.contains("has the extension \"x1\" twice"));
    twice.extensions.clear();
    let error = add_language(&twice).unwrap_err();
    assert!(error.message.contains("no extensions"));
}

fn repository() -> MemoryHost {
    MemoryHost {
        head: Some("0123456789abcdef0123456789abcdef01234567".to_owned()),
        git_root: Some(String::new()),
        ..MemoryHost::new(&[
            ("a.rbx", RUBY),
            ("b.rbx", "def sale\n  price_of(1)\nend\n"),
            ("c.py", "def price_of():\n    return price_of()\n"),
            ("d.jsx2", "price_of();\n"),
        ])
    }
}

#[test]
fn queries_find_the_definitions_and_references_of_a_plugin() {
    add_ruby();
    add_script(TAGS, None);
    let host = repository();
    let outline = run(outline(
        &host,
        &settings(),
        "a.rbx",
        &FileOptions::default(),
    ));
    let [shop, price_of] = outline.items.as_slice() else {
        panic!("{:?}", outline.meta);
    };
    assert_eq!(shop.children[0].children[0].name, "total");
    assert_eq!(price_of.name, "price_of");

    let options = WhereUsedOptions::default();
    let used = run(where_used(&host, &settings(), "a.price_of", &options));
    let rows = used.items.iter();
    let rows: Vec<_> = rows.map(|row| (row.file.as_str(), row.line)).collect();
    // Files of other languages do not use it.
    assert_eq!(rows, [("a.rbx", 8), ("b.rbx", 2)]);
    let resolved = WhereUsedOptions {
        confidence: Some(Confidence::Resolved),
        ..WhereUsedOptions::default()
    };
    let used = run(where_used(&host, &settings(), "a.price_of", &resolved));
    assert_eq!(used.items.len(), 0);

    let options = LineageOptions::default();
    let callers = "upstream";
    let callers = run(lineage(&host, &settings(), "a.price_of", callers, &options));
    let symbols = callers.items.iter();
    let symbols: Vec<_> = symbols
        .map(|row| row.item.symbol.as_ref().map(|id| id.as_str().to_owned()))
        .collect();
    assert_eq!(
        symbols,
        [
            Some("sym:a.Shop.Cart.total".to_owned()),
            Some("sym:b.sale".to_owned())
        ]
    );
}

/// Returns the files that the index describes no longer, and the origin of the definitions of one.
fn outdated(host: &MemoryHost) -> Vec<String> {
    let result = run(status(host, &settings(), &QuestionOptions::default()));
    let rows = result.items.into_iter();
    let rows = rows.filter(|row| row.verdict != Verdict::Unchanged);
    rows.map(|row| row.file).collect()
}

/// Does some work in another thread, which has plug-ins of its own.
fn elsewhere<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(work).join().unwrap())
}

fn build(files: &[(String, Vec<u8>)], plugins: &[LanguagePlugin]) -> Built {
    let host = repository();
    host.files.borrow_mut().extend(files.iter().cloned());
    for plugin in plugins {
        add_language(plugin).unwrap();
        link_grammar(&plugin.name, tree_sitter_ruby::LANGUAGE).unwrap();
    }
    let outdated = outdated(&host);
    let options = BuildOptions::default();
    let result = run(build_graph(&host, &settings(), &options, "me"));
    assert_eq!(result.meta.error_code, None, "{:?}", result.meta.message);
    let used = run(where_used(
        &host,
        &settings(),
        "a.price_of",
        &WhereUsedOptions::default(),
    ));
    let rows = used.items.iter();
    Built {
        files: host.files.into_inner().into_iter().collect(),
        outdated,
        rows: rows.map(|row| (row.file.clone(), row.source)).collect(),
    }
}

struct Built {
    files: Vec<(String, Vec<u8>)>,
    /// The files that the index before the build did not describe.
    outdated: Vec<String>,
    rows: Vec<(String, SourceTag)>,
}

#[test]
fn an_index_knows_the_plugins_that_wrote_it() {
    let ruby = || plugin("rbx", "rbx", tree_sitter_ruby::TAGS_QUERY, None);
    let first = elsewhere(|| build(&[], &[ruby()]));
    let of_graph = |file: &str| (file.to_owned(), SourceTag::RagGraph);
    assert_eq!(first.rows, [of_graph("a.rbx"), of_graph("b.rbx")]);

    let same = elsewhere(|| build(&first.files, &[ruby()]));
    assert_eq!(same.outdated, [""; 0]);

    let mut changes = [ruby(), ruby(), ruby(), ruby()];
    changes[0].tags.push_str("; changed");
    changes[1].grammar_hash = "2".to_owned();
    changes[2].extensions.push("rbx2".to_owned());
    changes[3].locals = Some(tree_sitter_ruby::LOCALS_QUERY.to_owned());
    for changed in changes {
        let again = elsewhere(|| build(&first.files, &[changed]));
        assert_eq!(again.outdated, ["a.rbx", "b.rbx"]);
        assert_eq!(again.rows, first.rows);
    }

    // Without the plug-in, its files are text, and facts of the index are not served.
    let without = elsewhere(|| build(&first.files, &[]));
    assert_eq!(without.outdated, ["a.rbx", "b.rbx"]);
    assert_eq!(without.rows, []);
    let back = elsewhere(|| build(&without.files, &[ruby()]));
    assert_eq!(back.outdated, ["a.rbx", "b.rbx"]);
    assert_eq!(back.rows, first.rows);
}

#[test]
fn hostile_text_is_read_within_bounds() {
    let tags = "
        (_ (_ (identifier) @name) @reference.call)
        ((_) @definition.function (identifier) @name (#match? @definition.function \"a$\"))
        (_ (identifier) @name . (_)* @doc) @definition.class";
    add_script(&format!("{TAGS}{tags}"), Some(LOCALS));
    for text in [
        "a(".repeat(4_000),
        "[".repeat(8_000),
        "{a;".repeat(4_000),
        "a,".repeat(40_000),
        "// a\n".repeat(20_000),
        "function a() {".repeat(2_000),
        format!("x = {}", "a.".repeat(20_000)),
        // Every name leads to all others.
        format!("function f() {{{}}}", "let a = a;".repeat(20_000)),
    ] {
        let facts = facts("script", &text);
        let row = definitions(&facts).pop();
        assert!(row.is_none_or(|row| row.len() < 4_096));
    }
}
