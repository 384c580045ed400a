//! Suggestions for a symbol that nothing defines.

use ragnav::query::QuestionOptions;
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::locate::locate;
use ragnav::query::search::{SearchOptions, search};
use ragnav::query::where_used::{WhereUsedOptions, where_used};

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

fn host() -> MemoryHost {
    let mut host = MemoryHost::new(&[
        (
            "text.py",
            "def slugify(text): ...\ndef slug_of(text): ...\n",
        ),
        ("users.py", "class Users:\n    def get_user(self): ...\n"),
    ]);
    host.head = Some("a".repeat(40));
    host
}

fn suggestions(host: &MemoryHost, symbol: &str) -> Vec<String> {
    let options = QuestionOptions::default();
    run(locate(host, &settings(), symbol, &options)).suggestions
}

#[test]
fn a_misspelled_symbol_has_suggestions_live_and_indexed() {
    let host = host();
    for is_indexed in [false, true] {
        if is_indexed {
            run(build_graph(
                &host,
                &settings(),
                &BuildOptions::default(),
                "me",
            ));
        }
        for (symbol, best) in [
            ("slugfy", "slugify"),
            ("sluggify", "slugify"),
            ("getUsers", "get_user"),
            ("user_get", "get_user"),
            ("Users.get_usr", "Users.get_user"),
            ("Usr.get_user", "Users.get_user"),
        ] {
            assert_eq!(
                suggestions(&host, symbol).first().map(String::as_str),
                Some(best),
                "{symbol}"
            );
        }
        assert_eq!(
            suggestions(&host, "completely_different"),
            Vec::<String>::new()
        );
        assert_eq!(suggestions(&host, "slugify"), Vec::<String>::new());
    }
}

#[test]
fn the_message_says_that_nothing_defines_the_symbol() {
    let options = WhereUsedOptions::default();
    let answer = run(where_used(&host(), &settings(), "slugfy", &options));
    assert_eq!(answer.head.suggestions, ["slugify"]);
    let message = answer.meta.message.unwrap_or_default();
    let sentence = "No function, class, type or module in this repository is called `slugfy`; \
                    variables and constants are not looked for. Did you mean `slugify`?";
    assert!(message.ends_with(sentence), "{message}");
}

#[test]
fn a_literal_search_without_rows_names_the_mode_of_a_regular_expression() {
    let host = host();
    let hint = |query: &str| {
        let meta = run(search(&host, &settings(), query, &SearchOptions::default())).meta;
        let message = meta.message.unwrap_or_default();
        message.contains("the mode `regex`")
    };
    assert!(hint(r"def\s+nothing"));
    assert!(hint("nothing|none"));
    assert!(!hint("nothing || none"));
    assert!(!hint("slug"));
}

#[test]
fn a_bare_name_means_all_definitions_of_the_name() {
    let host = MemoryHost::new(&[
        ("index.js", "export const make = () => 1;\n"),
        ("lib/c.js", "export class C { make() {} }\n"),
    ]);
    let options = QuestionOptions::default();
    let count = |symbol: &str| {
        run(locate(&host, &settings(), symbol, &options))
            .items
            .len()
    };
    assert_eq!(["make", "sym:make", "C.make"].map(count), [2, 1, 1]);
}
