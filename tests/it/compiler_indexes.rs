//! The indexes of compilers: which of their documents hold, and how their rows join ragnav's own.

use ragnav::base::envelope::SourceTag;
use ragnav::base::host::{Buffer, FileTimes};
use ragnav::base::item::Evidence;
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::definition::definition;
use ragnav::query::lineage::{LineageOptions, lineage};
use ragnav::query::occurrences::{OccurrencesOptions, occurrences};
use ragnav::query::status::status;
use ragnav::query::where_used::{WhereUsedOptions, WhereUsedResult, where_used};
use ragnav::query::{QuestionOptions, Settings, StalePolicy};
use ragnav::repository::compiler::given::{
    GivenDocument, GivenIndex, PositionEncoding, encode_occurrences,
};
use ragnav::repository::compiler::verify::CompilerIndexState;

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

const SHAPES: &str = "class Cart:\n    def total(self):\n        return 1\n\n\nclass Order:\n    def total(self):\n        return 2\n";
const SHOW: &str = "def show(cart, order):\n    cart.total()\n    order.total()\n";
const FILES: [(&str, &str); 2] = [("shapes.py", SHAPES), ("show.py", SHOW)];

/// The symbols of the index, by their numbers.
const SYMBOLS: [&str; 4] = [
    "x . . . shapes/Cart#total().",
    "x . . . shapes/Order#total().",
    "x . . . shapes/Cart#",
    "x . . . show/show().",
];
const DEFINITION: u32 = 1;
/// A symbol that is local to its file.
const LOCAL: u32 = u32::MAX;

/// An occurrence in one line: its line and columns from 0, its symbol and its roles.
type Short = [u32; 5];

const IN_SHAPES: [Short; 3] = [
    [0, 6, 10, 2, DEFINITION],
    [1, 8, 13, 0, DEFINITION],
    [6, 8, 13, 1, DEFINITION],
];
const IN_SHOW: [Short; 3] = [
    [0, 4, 8, 3, DEFINITION],
    [1, 9, 14, 0, 0],
    [2, 10, 15, 1, 0],
];

fn document(path: &str, occurrences: &[Short]) -> GivenDocument {
    let occurrences: Vec<[u32; 6]> = occurrences
        .iter()
        .map(|[line, start, end, symbol, roles]| [*line, *start, *line, *end, *symbol, *roles])
        .collect();
    GivenDocument {
        path: path.to_owned(),
        text: None,
        encoding: PositionEncoding::Utf16,
        occurrences: encode_occurrences(&occurrences),
    }
}

fn index(documents: Vec<GivenDocument>) -> GivenIndex {
    GivenIndex {
        path: "index.scip".to_owned(),
        problem: None,
        written: None,
        symbols: SYMBOLS.map(str::to_owned).to_vec(),
        implementations: Vec::new(),
        documents,
    }
}

fn shop() -> GivenIndex {
    index(vec![
        document("shapes.py", &IN_SHAPES),
        document("show.py", &IN_SHOW),
    ])
}

fn with(given: GivenIndex) -> Settings {
    let settings = settings();
    settings.compiler.put(given);
    settings
}

fn ask(host: &MemoryHost, settings: &Settings, symbol: &str) -> WhereUsedResult {
    let answer = run(where_used(
        host,
        settings,
        symbol,
        &WhereUsedOptions::default(),
    ));
    assert_eq!(answer.meta.error_code, None, "{:?}", answer.meta.message);
    answer
}

/// Returns the rows as `file:line resolution`, with `compiler` where one resolved it.
fn rows(answer: &WhereUsedResult) -> Vec<String> {
    let rows = answer.items.iter().map(|item| {
        let by = match item.evidence {
            Some(Evidence::Compiler) => " compiler",
            None => "",
        };
        let resolution = format!("{:?}", item.resolution.unwrap()).to_lowercase();
        format!("{}:{} {resolution}{by}", item.file, item.line)
    });
    rows.collect()
}

fn state(host: &MemoryHost, settings: &Settings) -> CompilerIndexState {
    let answer = run(status(host, settings, &QuestionOptions::default()));
    answer.compiler_indexes.into_iter().next().unwrap()
}

/// The state of an index with so many documents that are used, changed and affected.
fn counts(used: u32, changed: u32, affected: u32) -> CompilerIndexState {
    CompilerIndexState {
        path: "index.scip".to_owned(),
        used,
        changed,
        affected,
        ..CompilerIndexState::default()
    }
}

#[test]
fn a_compiler_resolves_candidates_and_leaves_out_namesakes() {
    let host = MemoryHost::new(&FILES);
    let own = ask(&host, &settings(), "Cart.total");
    assert_eq!(rows(&own), ["show.py:2 candidate", "show.py:3 candidate"]);
    let settings = with(shop());
    let answer = ask(&host, &settings, "Cart.total");
    assert_eq!(rows(&answer), ["show.py:2 resolved compiler"]);
    assert_eq!(answer.items[0].end_utf16, 14);
    let answer = ask(&host, &settings, "Order.total");
    assert_eq!(rows(&answer), ["show.py:3 resolved compiler"]);
    // Of two definitions that are asked about together, each reference means one.
    assert_eq!(ask(&host, &settings, "total").items.len(), 2);
    assert_eq!(state(&host, &settings), counts(2, 0, 0));
}

#[test]
fn the_rows_are_equal_live_and_from_the_index() {
    let host = MemoryHost {
        head: Some("a".repeat(40)),
        ..MemoryHost::new(&FILES)
    };
    let settings = with(shop());
    let live = ask(&host, &settings, "Cart.total");
    run(build_graph(
        &host,
        &settings,
        &BuildOptions::default(),
        "test",
    ));
    let indexed = ask(&host, &settings, "Cart.total");
    assert_eq!(rows(&indexed), rows(&live));
    assert_eq!(indexed.items[0].source, SourceTag::RagGraph);
    host.put("shapes.py", format!("{SHAPES}# end\n").as_bytes());
    let answer = ask(&host, &settings, "Cart.total");
    assert_eq!(
        rows(&answer),
        ["show.py:2 candidate", "show.py:3 candidate"]
    );
}

#[test]
fn a_changed_file_has_rows_of_ragnav_alone() {
    let host = MemoryHost::new(&FILES);
    let settings = with(shop());
    host.put("show.py", format!("\n{SHOW}").as_bytes());
    let answer = ask(&host, &settings, "Cart.total");
    assert_eq!(
        rows(&answer),
        ["show.py:3 candidate", "show.py:4 candidate"]
    );
    assert_eq!(state(&host, &settings), counts(1, 1, 0));
    host.put("show.py", SHOW.as_bytes());
    let answer = ask(&host, &settings, "Cart.total");
    assert_eq!(rows(&answer), ["show.py:2 resolved compiler"]);
}

#[test]
fn a_file_that_rests_on_a_changed_one_has_rows_of_ragnav_alone() {
    let make = "from shapes import Cart\ndef make():\n    return [Cart()][0]\n";
    let show = "from make import make\nmake().total()\n";
    let host = MemoryHost::new(&[("shapes.py", SHAPES), ("make.py", make), ("show.py", show)]);
    let settings = with(GivenIndex {
        symbols: [&SYMBOLS[..], &["x . . . make/make()."]]
            .concat()
            .iter()
            .map(|one| (*one).to_owned())
            .collect(),
        ..index(vec![
            document("shapes.py", &IN_SHAPES),
            document("make.py", &[[0, 19, 23, 2, 0], [1, 4, 8, 4, DEFINITION]]),
            document("show.py", &[[1, 0, 4, 4, 0], [1, 7, 12, 0, 0]]),
        ])
    });
    let answer = ask(&host, &settings, "Cart.total");
    assert_eq!(rows(&answer), ["show.py:2 resolved compiler"]);
    // Neither the reference nor the definition changes, but what `make` returns.
    host.put("make.py", b"def make():\n    return other()\n");
    let answer = ask(&host, &settings, "Cart.total");
    assert_eq!(rows(&answer), ["show.py:2 candidate"]);
    assert_eq!(state(&host, &settings), counts(1, 1, 1));
}

#[test]
fn an_edit_that_keeps_all_names_is_a_change_once_the_file_was_seen() {
    let host = MemoryHost::new(&FILES);
    let settings = with(shop());
    assert_eq!(state(&host, &settings).used, 2);
    host.put(
        "show.py",
        SHOW.replace("()\n    order", "( )\n#   order").as_bytes(),
    );
    assert_eq!(state(&host, &settings), counts(1, 1, 0));
    host.put("show.py", SHOW.as_bytes());
    assert_eq!(state(&host, &settings), counts(2, 0, 0));
}

#[test]
fn a_file_that_changed_after_the_index_was_written_is_a_change() {
    let host = MemoryHost::new(&FILES);
    let written = |written| {
        with(GivenIndex {
            written: Some(written),
            ..shop()
        })
    };
    let put_times = |modified, changed| {
        let times = FileTimes { modified, changed };
        host.times.borrow_mut().insert("show.py".to_owned(), times);
    };
    // A copy keeps the time of the content, and not that of the change.
    put_times(5.0, 8.0);
    assert_eq!(state(&host, &written(8.0)), counts(2, 0, 0));
    assert_eq!(state(&host, &written(7.0)), counts(1, 1, 0));
    put_times(8.0, 5.0);
    assert_eq!(state(&host, &written(7.0)), counts(1, 1, 0));
    // Once the content was accepted, its hash decides.
    let settings = written(8.0);
    assert_eq!(state(&host, &settings), counts(2, 0, 0));
    put_times(9.0, 9.0);
    assert_eq!(state(&host, &settings), counts(2, 0, 0));
}

#[test]
fn a_text_of_the_index_needs_no_times() {
    let host = MemoryHost::new(&FILES);
    let times = FileTimes {
        modified: 9.0,
        changed: 9.0,
    };
    host.times.borrow_mut().insert("show.py".to_owned(), times);
    let settings = with(GivenIndex {
        written: Some(7.0),
        ..index(vec![
            document("shapes.py", &IN_SHAPES),
            GivenDocument {
                text: Some(SHOW.to_owned()),
                ..document("show.py", &IN_SHOW)
            },
        ])
    });
    assert_eq!(state(&host, &settings).used, 2);
}

#[test]
fn another_name_at_the_place_of_a_reference_is_a_change() {
    let host = MemoryHost::new(&FILES);
    host.put(
        "show.py",
        SHOW.replace("cart.total", "cart.price").as_bytes(),
    );
    let settings = with(shop());
    assert_eq!(state(&host, &settings), counts(1, 1, 0));
    // The other reference is not used either.
    let answer = ask(&host, &settings, "Order.total");
    assert_eq!(rows(&answer), ["show.py:3 candidate"]);
}

#[test]
fn an_alias_is_no_change_and_no_row_unless_the_text_is_proven() {
    let show = "from shapes import Cart as C\nC()\n";
    let host = MemoryHost::new(&[("shapes.py", SHAPES), ("show.py", show)]);
    let aliased = document("show.py", &[[0, 19, 28, 2, 0], [1, 0, 1, 2, 0]]);
    let unproven = index(vec![document("shapes.py", &IN_SHAPES), aliased.clone()]);
    let settings = with(unproven);
    assert_eq!(state(&host, &settings), counts(2, 0, 0));
    let answer = ask(&host, &settings, "Cart");
    assert_eq!(rows(&answer), ["show.py:1 resolved", "show.py:2 resolved"]);
    settings.compiler.put(index(vec![
        document("shapes.py", &IN_SHAPES),
        GivenDocument {
            text: Some(show.to_owned()),
            ..aliased
        },
    ]));
    assert_eq!(state(&host, &settings).proven, 1);
    let answer = ask(&host, &settings, "Cart");
    assert_eq!(
        rows(&answer),
        ["show.py:1 resolved compiler", "show.py:2 resolved compiler"]
    );
}

#[test]
fn a_text_of_the_index_proves_or_refutes_a_file() {
    let host = MemoryHost::new(&FILES);
    let other = SHOW.replace("()\n    order", "( )\n#   order");
    for (text, expected) in [(SHOW, (2, 0)), (other.as_str(), (1, 1))] {
        let settings = with(index(vec![
            document("shapes.py", &IN_SHAPES),
            GivenDocument {
                text: Some(text.to_owned()),
                ..document("show.py", &IN_SHOW)
            },
        ]));
        let state = state(&host, &settings);
        assert_eq!((state.used, state.changed), expected);
        assert_eq!(state.proven, expected.0 - 1);
    }
}

#[test]
fn columns_are_read_in_each_encoding() {
    let show = "def show(cart):\n    \"é😀\"; cart.total()\n";
    // Before `total`: 4 spaces, the string of 4 code points, `; ` and `cart.`.
    for (encoding, start) in [
        (PositionEncoding::Utf8, 19),
        (PositionEncoding::Utf16, 16),
        (PositionEncoding::Utf32, 15),
    ] {
        for given in [encoding, PositionEncoding::Unknown] {
            let host = MemoryHost::new(&[("shapes.py", SHAPES), ("show.py", show)]);
            let settings = with(index(vec![
                document("shapes.py", &IN_SHAPES),
                GivenDocument {
                    encoding: given,
                    ..document("show.py", &[[1, start, start + 5, 0, 0]])
                },
            ]));
            let answer = ask(&host, &settings, "Cart.total");
            assert_eq!(rows(&answer), ["show.py:2 resolved compiler"], "{given:?}");
            assert_eq!(answer.items[0].start_utf16, 16);
        }
    }
}

#[test]
fn ranges_outside_of_the_text_are_a_change() {
    for wrong in [
        [9, 0, 5, 0, 0],
        [1, 9, 99, 0, 0],
        [1, 14, 9, 0, 0],
        [u32::MAX, 0, 1, 0, 0],
        [1, 9, u32::MAX, LOCAL, 0],
    ] {
        let host = MemoryHost::new(&FILES);
        let settings = with(index(vec![
            document("shapes.py", &IN_SHAPES),
            document("show.py", &[IN_SHOW[1], wrong]),
        ]));
        assert_eq!(state(&host, &settings), counts(1, 1, 0), "{wrong:?}");
    }
}

#[test]
fn a_local_name_is_no_reference_to_a_definition() {
    let host = MemoryHost::new(&FILES);
    let settings = with(index(vec![
        document("shapes.py", &IN_SHAPES),
        document("show.py", &[IN_SHOW[1], [2, 10, 15, LOCAL, 0]]),
    ]));
    let answer = ask(&host, &settings, "Cart.total");
    assert_eq!(rows(&answer), ["show.py:2 resolved compiler"]);
    // The index has no symbol for `Order.total` at that place, and says that it is another.
    assert!(ask(&host, &settings, "Order.total").items.is_empty());
}

#[test]
fn a_candidate_stays_where_the_index_does_not_know_the_target() {
    let host = MemoryHost::new(&FILES);
    let settings = with(index(vec![document("show.py", &IN_SHOW)]));
    let answer = ask(&host, &settings, "Cart.total");
    assert_eq!(
        rows(&answer),
        ["show.py:2 candidate", "show.py:3 candidate"]
    );
}

#[test]
fn overloads_may_be_references_to_the_first_one() {
    let shapes =
        "class Cart:\n    @overload\n    def total(self): ...\n    def total(self, x): return x\n";
    let host = MemoryHost::new(&[("shapes.py", shapes), ("show.py", SHOW)]);
    let settings = with(index(vec![
        document("shapes.py", &[[2, 8, 13, 0, DEFINITION], [3, 8, 13, 0, 0]]),
        document("show.py", &[[1, 9, 14, 0, 0], [2, 10, 15, LOCAL, 0]]),
    ]));
    let answer = ask(&host, &settings, "Cart.total");
    assert_eq!(answer.head.definitions.len(), 2);
    assert_eq!(rows(&answer), ["show.py:2 resolved compiler"]);
}

#[test]
fn a_call_of_an_overridden_method_stays_a_candidate() {
    let shapes = "class Cart:\n    def total(self):\n        return 1\n\n\nclass Gift(Cart):\n    def total(self):\n        return 2\n";
    let in_shapes = [
        IN_SHAPES[0],
        IN_SHAPES[1],
        [5, 11, 15, 2, 0],
        [6, 8, 13, 1, DEFINITION],
    ];
    let show = "def show(cart):\n    cart.total()\n";
    let documents = || {
        vec![
            document("shapes.py", &in_shapes),
            document("show.py", &[[1, 9, 14, 0, 0]]),
        ]
    };
    let host = MemoryHost::new(&[("shapes.py", shapes), ("show.py", show)]);
    let answer = ask(&host, &with(index(documents())), "Gift.total");
    assert_eq!(rows(&answer), ["show.py:2 candidate"]);
    // The base may be outside of the repository; then the index says what it implements.
    let host = MemoryHost::new(&[("shapes.py", SHAPES), ("show.py", show)]);
    let outside = |implementations| GivenIndex {
        symbols: SYMBOLS
            .iter()
            .chain(&["x . . . other/Base#total()."])
            .map(|one| (*one).to_owned())
            .collect(),
        implementations,
        ..index(vec![
            document("shapes.py", &IN_SHAPES),
            document("show.py", &[[1, 9, 14, 4, 0]]),
        ])
    };
    let answer = ask(&host, &with(outside(vec![(1, 4)])), "Order.total");
    assert_eq!(rows(&answer), ["show.py:2 candidate"]);
    let answer = ask(&host, &with(outside(Vec::new())), "Order.total");
    assert!(answer.items.is_empty());
}

#[test]
fn the_call_of_a_constructor_is_a_reference_to_its_class() {
    let files = [
        ("shapes.ts", "export class Cart {\n  constructor() {}\n}\n"),
        (
            "show.ts",
            "export const show = (shop: any) => new shop.Cart();\n",
        ),
    ];
    let host = MemoryHost::new(&files);
    let class = "x . . . `shapes.ts`/Cart#";
    let settings = with(GivenIndex {
        symbols: vec![class.to_owned(), format!("{class}`<constructor>`().")],
        ..index(vec![
            document(
                "shapes.ts",
                &[[0, 13, 17, 0, DEFINITION], [1, 2, 13, 1, DEFINITION]],
            ),
            document("show.ts", &[[0, 44, 48, 1, 0]]),
        ])
    });
    let answer = ask(&host, &settings, "Cart");
    assert_eq!(rows(&answer), ["show.ts:1 resolved compiler"]);
}

#[test]
fn places_lineage_and_occurrences_use_compilers_too() {
    let host = MemoryHost::new(&FILES);
    let settings = with(shop());
    let options = QuestionOptions::default();
    let answer = run(definition(&host, &settings, "show.py:3:11", &options));
    let found: Vec<_> = answer
        .items
        .iter()
        .map(|one| (one.symbol.as_str(), one.evidence))
        .collect();
    assert_eq!(
        found,
        [("sym:shapes.Order.total", Some(Evidence::Compiler))]
    );
    for (symbol, direction, expected) in [
        ("Order.total", "upstream", "sym:show.show"),
        ("show", "downstream", "sym:shapes.Cart.total"),
    ] {
        let options = LineageOptions::default();
        let answer = run(lineage(&host, &settings, symbol, direction, &options));
        let step = &answer.items[0];
        assert_eq!(step.item.evidence, Some(Evidence::Compiler), "{symbol}");
        assert_eq!(step.via[0].as_str(), expected);
    }
    let options = OccurrencesOptions::default();
    let answer = run(occurrences(&host, &settings, "show.py", &options));
    let meant = answer
        .items
        .iter()
        .map(|row| (row.line, row.definition.symbol.as_str(), row.evidence));
    let by = Some(Evidence::Compiler);
    let expected = [
        (1, "sym:show.show", None),
        (2, "sym:shapes.Cart.total", by),
        (3, "sym:shapes.Order.total", by),
    ];
    assert_eq!(meant.collect::<Vec<_>>(), expected);
}

#[test]
fn unsaved_text_is_compared_and_unverified_text_is_not_described() {
    let mut host = MemoryHost {
        head: Some("a".repeat(40)),
        ..MemoryHost::new(&FILES)
    };
    let settings = with(shop());
    run(build_graph(
        &host,
        &settings,
        &BuildOptions::default(),
        "test",
    ));
    host.buffers = vec![Buffer {
        path: "show.py".to_owned(),
        text: format!("\n{SHOW}"),
    }];
    let answer = ask(&host, &settings, "Cart.total");
    assert_eq!(
        rows(&answer),
        ["show.py:3 candidate", "show.py:4 candidate"]
    );
    host.buffers.clear();
    host.put("show.py", format!("\n{SHOW}").as_bytes());
    let allow = Settings {
        stale_policy: StalePolicy::Allow,
        ..with(shop())
    };
    let answer = ask(&host, &allow, "Cart.total");
    assert_eq!(
        rows(&answer),
        ["show.py:2 candidate", "show.py:3 candidate"]
    );
}

#[test]
fn an_index_that_cannot_be_used_is_named_in_the_answer() {
    let host = MemoryHost::new(&FILES);
    let settings = with(GivenIndex::unusable("index.scip", "it is no SCIP index"));
    let answer = ask(&host, &settings, "Cart.total");
    let message = answer.meta.message.unwrap();
    assert!(
        message.contains("index.scip is not used: it is no SCIP index."),
        "{message}"
    );
    let problem = state(&host, &settings).problem;
    assert_eq!(problem.as_deref(), Some("it is no SCIP index"));
}

#[test]
fn documents_without_a_file_and_outside_of_the_repository_are_counted() {
    let host = MemoryHost::new(&FILES);
    let settings = with(index(vec![
        document("shapes.py", &IN_SHAPES),
        document("gone.py", &[[0, 0, 5, 0, 0]]),
        document("../show.py", &IN_SHOW),
        document("/show.py", &IN_SHOW),
    ]));
    let expected = CompilerIndexState {
        missing: 1,
        outside: 2,
        ..counts(1, 0, 0)
    };
    assert_eq!(state(&host, &settings), expected);
}

#[test]
fn what_is_resolved_now_precedes_an_index_with_a_changed_file() {
    // `names.py` re-exports `total`, and no occurrence of the index says so.
    let files = |names: &'static str| {
        MemoryHost::new(&[
            ("sums.py", "def total(): pass\n"),
            ("others.py", "def total(): pass\n"),
            ("names.py", names),
            ("show.py", "from names import total\ntotal()\n"),
        ])
    };
    let settings = with(GivenIndex {
        symbols: vec!["x . . . sums/total().".to_owned()],
        ..index(vec![
            document("sums.py", &[[0, 4, 9, 0, DEFINITION]]),
            document("show.py", &[[1, 0, 5, 0, 0]]),
            document("names.py", &[[0, 17, 22, 0, 0]]),
        ])
    });
    let host = files("from sums import total\n");
    let compiled = rows(&ask(&host, &settings, "sums.total"));
    assert!(
        compiled.contains(&"show.py:2 resolved compiler".to_owned()),
        "{compiled:?}"
    );
    let host = files("from others import total\n");
    assert!(ask(&host, &settings, "sums.total").items.is_empty());
}
