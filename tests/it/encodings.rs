//! Files that are not UTF-8: their text, lines and columns, live and from an index.

use proptest::prelude::*;
use ragnav::base::argument::Count;
use ragnav::base::envelope::{Proof, RagToolStatus, SourceTag};
use ragnav::base::item::NavItem;
use ragnav::matching::pattern::SearchMode;
use ragnav::query::FileOptions;
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::identify::identify;
use ragnav::query::outline::outline;
use ragnav::query::search::{SearchOptions, SearchResult, search};
use ragnav::query::where_used::{WhereUsedOptions, where_used};

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

const HEAD: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

/// A class whose fourth line has a byte of Latin-1.
const LATIN1: &[u8] = b"# coding: latin-1\nfrom mill import grind\nclass Coffee:\n    \"\"\"Caf\xe9 au lait.\"\"\"\n    \
    def brew(self):\n        return '\xe9', grind()\n";

fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let marked = format!("\u{feff}{text}");
    marked.encode_utf16().flat_map(to_bytes).collect()
}

/// A repository with a file of each encoding; `grind` is mentioned in each of them.
fn repository() -> MemoryHost {
    let host = MemoryHost::new(&[
        ("mill.py", "def grind():\n    pass\n"),
        ("plain.txt", "é grind\n"),
    ]);
    host.put("coffee.py", LATIN1);
    host.put("binary.bin", b"grind\0");
    host.put(
        "mill.c",
        b"/* \xa9 1999 */\nint mill(void)\n{\n    return grind();\n}\n",
    );
    host.put(
        "page.html",
        b"<meta charset=koi8-r>\n<p>\xcb\xcf\xc6\xc5 grind\n",
    );
    host.put(
        "data.xml",
        b"<?xml version='1.0' encoding='shift_jis'?>\n<a>\x83R grind</a>\n",
    );
    host.put("little.txt", &utf16("é\ngrind 😀\n", u16::to_le_bytes));
    host.put(
        "big.js",
        &utf16("// é\nfunction press() { grind() }\n", u16::to_be_bytes),
    );
    host.put("utf32.txt", b"\xff\xfe\0\0g\0\0\0");
    MemoryHost {
        head: Some(HEAD.to_owned()),
        ..host
    }
}

fn build(host: &MemoryHost) {
    let result = run(build_graph(
        host,
        &settings(),
        &BuildOptions::default(),
        "one",
    ));
    assert_eq!(result.meta.error_code, None, "{:?}", result.meta.message);
}

fn find(host: &MemoryHost, query: &str, mode: SearchMode) -> SearchResult {
    let options = SearchOptions {
        mode: Some(mode),
        ..SearchOptions::default()
    };
    run(search(host, &settings(), query, &options))
}

/// Formats each row as `file:line:start-end encoding`.
fn rows(items: &[NavItem]) -> Vec<String> {
    let rows = items.iter().map(|item| {
        let NavItem {
            file,
            line,
            start_utf16,
            end_utf16,
            encoding,
            ..
        } = item;
        let encoding = encoding.as_deref().unwrap_or("utf-8");
        format!("{file}:{line}:{start_utf16}-{end_utf16} {encoding}")
    });
    rows.collect()
}

/// Returns rows without their provenance, which depends on the index.
fn without_provenance(items: &[NavItem]) -> Vec<NavItem> {
    let rows = items.iter().cloned().map(|item| NavItem {
        source: SourceTag::LocalFallback,
        proof: Proof::Live,
        ..item
    });
    rows.collect()
}

/// Checks answers without an index, and again with one.
fn live_and_indexed(check: impl Fn(&MemoryHost)) {
    let host = repository();
    check(&host);
    build(&host);
    assert_eq!(
        find(&host, "x", SearchMode::Literal).meta.status,
        RagToolStatus::Ok
    );
    check(&host);
}

#[test]
fn each_text_is_searched_in_its_encoding() {
    live_and_indexed(|host| {
        let result = find(host, "grind", SearchMode::Literal);
        assert_eq!(
            rows(&result.items),
            [
                "big.js:2:19-24 utf-16be",
                "coffee.py:2:17-22 windows-1252",
                "coffee.py:6:20-25 windows-1252",
                "data.xml:2:5-10 shift_jis",
                "little.txt:2:0-5 utf-16le",
                "mill.c:4:11-16 unknown-8bit",
                "mill.py:1:4-9 utf-8",
                "page.html:2:8-13 koi8-r",
                "plain.txt:1:2-7 utf-8",
            ]
        );
        let skipped: Vec<&str> = result
            .skipped
            .iter()
            .map(|skip| skip.file.as_str())
            .collect();
        assert_eq!(skipped, ["binary.bin", "utf32.txt"]);
        let found = |query| rows(&find(host, query, SearchMode::Literal).items);
        assert_eq!(found("Café au"), ["coffee.py:4:7-14 windows-1252"]);
        assert_eq!(found("кофе"), ["page.html:2:3-7 koi8-r"]);
        assert_eq!(found("コ"), ["data.xml:2:3-4 shift_jis"]);
        assert_eq!(found("😀"), ["little.txt:2:6-8 utf-16le"]);
        assert_eq!(found("\u{fffd} 1999"), ["mill.c:1:3-9 unknown-8bit"]);
    });
}

#[test]
fn code_in_other_encodings_is_navigated() {
    live_and_indexed(|host| {
        let used = run(where_used(
            host,
            &settings(),
            "grind",
            &WhereUsedOptions::default(),
        ));
        let used = rows(&used.items);
        assert!(
            used.contains(&"coffee.py:6:20-25 windows-1252".to_owned()),
            "{used:?}"
        );
        let found = run(identify(
            host,
            &settings(),
            "coffee.py",
            6,
            &FileOptions::default(),
        ));
        assert_eq!(found.items[0].symbol.dotted(), "coffee.Coffee.brew");
        let tree = run(outline(
            host,
            &settings(),
            "big.js",
            &FileOptions::default(),
        ));
        let names: Vec<&str> = tree.items.iter().map(|item| item.name.as_str()).collect();
        assert_eq!(names, ["press"]);
        let ranked = find(host, "brew coffee", SearchMode::Ranked);
        assert_eq!(ranked.items[0].encoding.as_deref(), Some("windows-1252"));
        assert_eq!(ranked.items[0].file, "coffee.py");
    });
}

#[test]
fn rows_are_equal_live_and_indexed() {
    let host = repository();
    let queries = [
        ("grind", SearchMode::Literal),
        ("grind", SearchMode::Ranked),
        ("é", SearchMode::Regex),
    ];
    let answers =
        || queries.map(|(query, mode)| without_provenance(&find(&host, query, mode).items));
    let live = answers();
    build(&host);
    assert_eq!(answers(), live);
}

/// Bytes of any kind, often with line breaks and words, and perhaps a declaration.
fn contents() -> impl Strategy<Value = Vec<u8>> {
    let starts: Vec<&[u8]> = vec![
        b"",
        b"\xef\xbb\xbf",
        b"# coding: latin-1\n",
        b"# coding: shift_jis\n",
        b"# coding: gb18030\n",
        b"# coding: euc-jp\n",
        b"# coding: big5\n",
        b"# coding: iso-2022-jp\n",
    ];
    // A space is no second byte of a character in any encoding.
    let pieces: Vec<&[u8]> = vec![
        b" grind",
        b"\n",
        b"\x81",
        b"\x81\x30",
        b"\xe9",
        b"\x1b$B",
        b"def ",
    ];
    let any_piece = prop_oneof![
        prop::sample::select(pieces).prop_map(<[u8]>::to_vec),
        prop::collection::vec(any::<u8>(), 0..4),
    ];
    (
        prop::sample::select(starts),
        prop::collection::vec(any_piece, 0..30),
    )
        .prop_map(|(start, pieces)| {
            let mut bytes = start.to_vec();
            bytes.extend(pieces.concat());
            // A lone carriage return would end a line too.
            bytes.retain(|byte| !matches!(byte, 0 | b'\r'));
            bytes
        })
}

/// Returns the lines with a needle, as ripgrep counts them.
fn lines_with(bytes: &[u8], needle: &[u8]) -> Vec<u32> {
    let lines = (1..).zip(bytes.split(|byte| *byte == b'\n'));
    let found = lines.filter(|(_, line)| line.windows(needle.len()).any(|part| part == needle));
    found.map(|(line, _)| line).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_bytes_are_searched_alike_live_and_indexed(bytes in contents(), name in "a\\.(py|c|txt)") {
        prop_assume!(!bytes.starts_with(b"\xff\xfe") && !bytes.starts_with(b"\xfe\xff"));
        let host = MemoryHost { head: Some(HEAD.to_owned()), ..MemoryHost::default() };
        host.put(&name, &bytes);
        let options = SearchOptions { limit: Count::new(10_000), ..SearchOptions::default() };
        let answers = || {
            let found = run(search(&host, &settings(), " grind", &options));
            let ranked = find(&host, "grind", SearchMode::Ranked);
            let replaced = find(&host, "\u{fffd}", SearchMode::Literal);
            [found, ranked, replaced].map(|result| without_provenance(&result.items))
        };
        let live = answers();
        let lines: Vec<u32> = live[0].iter().map(|item| item.line).collect();
        prop_assert_eq!(lines, lines_with(&bytes, b" grind"));
        build(&host);
        prop_assert_eq!(answers(), live);
    }
}
