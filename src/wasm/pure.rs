//! The pure functions, as JavaScript calls them. Each throws a `RagnavErrorValue` for invalid
//! arguments.

use serde::{Deserialize, Serialize};
use tsify::Tsify;
use wasm_bindgen::prelude::*;

use super::convert;
use ragnav_base::argument::parse_whole_number;
use ragnav_base::envelope::{
    ErrorOptions, FallbackOptions, IndexStatus, OkOptions, RouteReason, error_result,
    fallback_result, ok_result,
};
use ragnav_base::error::RagnavError;
use ragnav_base::item::Enrichment;
use ragnav_base::path::RepoPath;
use ragnav_base::text_edit::{TextEdit, edited_bytes};
use ragnav_index::content::ContentHash;
use ragnav_index::extract;
use ragnav_index::rag_graph::RagGraph;
use ragnav_matching::{pattern::Pattern, scan, snippet};
use ragnav_query::file_enrichment::enrich;
use ragnav_query::known_languages::known_languages;
use ragnav_repository::{route, status};
use ragnav_syntax::plugin::{LanguagePlugin, add_language as add_plugin};
use ragnav_syntax::{grammars, locator};

/// Returns the `meta` of an authoritative answer. The items stay in JavaScript.
#[wasm_bindgen(js_name = okMeta, unchecked_return_type = "RagToolMeta")]
pub fn ok_meta(options: &JsValue) -> Result<JsValue, JsValue> {
    answer(
        convert::options("options", options)
            .map(|options: OkOptions| ok_result::<()>(Vec::new(), options).meta),
    )
}

/// Returns the `meta` of an answer from the live repository.
#[wasm_bindgen(js_name = fallbackMeta, unchecked_return_type = "RagToolMeta")]
pub fn fallback_meta(options: &JsValue) -> Result<JsValue, JsValue> {
    answer(
        convert::options("options", options)
            .map(|options: FallbackOptions| fallback_result::<()>(Vec::new(), options).meta),
    )
}

/// Returns the `meta` of a failure.
#[wasm_bindgen(js_name = errorMeta, unchecked_return_type = "RagToolMeta")]
pub fn error_meta(options: &JsValue) -> Result<JsValue, JsValue> {
    answer(
        convert::required("options", options)
            .map(|options: ErrorOptions| error_result::<()>(options).meta),
    )
}

/// Decides the route. A status of the wrong type counts as unreadable, and nothing is thrown.
#[wasm_bindgen(js_name = decideRoute, unchecked_return_type = "RouteDecision")]
pub fn decide_route(status: &JsValue, head: &JsValue) -> JsValue {
    let head = head.as_string();
    let absent = status.is_null() || status.is_undefined();
    let decision = match status_of(status) {
        None if !absent => route::unreadable_route(RouteReason::StatusUnreadable, head.as_deref()),
        status => route::decide_route(status, head.as_deref()),
    };
    convert::value(&decision)
}

/// Converts a status object with the defaults of a status file, so that `{}` is valid.
fn status_of(status: &JsValue) -> Option<IndexStatus> {
    let text = js_sys::JSON::stringify(status).ok()?.as_string()?;
    status::parse_index_status(&text, "")
}

/// Parses a status file; returns `null` if it is not one.
#[wasm_bindgen(js_name = parseIndexStatus, unchecked_return_type = "IndexStatus | null")]
pub fn parse_index_status(text: &JsValue, repo: &JsValue) -> JsValue {
    let repo = repo.as_string().unwrap_or_default();
    let text = text.as_string().unwrap_or_default();
    convert::value(&status::parse_index_status(&text, &repo))
}

/// Returns the id of the innermost definition that encloses a line, or `null`.
#[wasm_bindgen(js_name = identifySymbolAtLine, unchecked_return_type = "SymbolId | null")]
pub fn identify_symbol_at_line(
    source: &JsValue,
    line: &JsValue,
    options: &JsValue,
) -> Result<JsValue, JsValue> {
    let source = convert::text("source", source);
    answer(source.and_then(|source| {
        let line = convert::number("line", line)?;
        let options = convert::options("options", options)?;
        locator::identify_symbol_at_line(&source, line_number(line), &options)
    }))
}

/// Returns the place of a symbol in a text, or `null`.
#[wasm_bindgen(js_name = locateSymbol, unchecked_return_type = "SymbolLocation | null")]
pub fn locate_symbol(
    source: &JsValue,
    symbol: &JsValue,
    options: &JsValue,
) -> Result<JsValue, JsValue> {
    let source = convert::text("source", source);
    answer(source.and_then(|source| {
        let symbol = convert::text("symbol", symbol)?;
        let options = convert::options("options", options)?;
        locator::locate_symbol(&source, &symbol, &options)
    }))
}

/// Returns the lines of a text that match, each once.
#[wasm_bindgen(js_name = iterMatches, unchecked_return_type = "LineMatch[]")]
pub fn iter_matches(
    text: &JsValue,
    needle: &JsValue,
    options: &JsValue,
) -> Result<JsValue, JsValue> {
    let text = convert::text("text", text);
    answer(text.and_then(|text| {
        let needle = convert::text("needle", needle)?;
        let options: scan::MatchOptions = convert::options("options", options)?;
        let pattern = Pattern::new(
            &needle,
            options.mode.unwrap_or_default(),
            options.case_sensitive.unwrap_or(true),
        )?;
        Ok(scan::find_matches(&text, &pattern))
    }))
}

/// Extracts what an index stores of a file, as the bytes of an `Extract`. `known` is the content
/// hash that the index has already.
#[wasm_bindgen(js_name = extractFile)]
pub fn extract_file(path: &str, bytes: &[u8], known: Option<Vec<u8>>) -> Result<Vec<u8>, JsValue> {
    let path = RepoPath::parse(path).map_err(|error| convert::thrown(&error))?;
    let known = known.and_then(|hash| Some(ContentHash::from_bytes(hash.try_into().ok()?)));
    Ok(extract::extract(&path, bytes, known).to_bytes())
}

/// Adds the grammar of a language. `slot` is the index of its function `tree_sitter_LANG` in the
/// [`function_table`]. Throws a `RagnavErrorValue` for an ABI version that is not supported.
#[wasm_bindgen(js_name = addGrammar)]
#[expect(unsafe_code, reason = "a grammar is C code")]
pub fn add_grammar(language: &str, slot: usize) -> Result<(), JsValue> {
    // SAFETY: in WebAssembly a function pointer is an index of the function table, and the caller
    // has put the function there. It returns a static `TSLanguage`.
    let added = unsafe {
        let function = std::mem::transmute::<usize, grammars::GrammarFunction>(slot);
        grammars::add_grammar(language, function)
    };
    added.map_err(|error| convert::thrown(&error))
}

/// Adds a language that the program supplies. Throws a `RagnavErrorValue` for a name or an
/// extension that is malformed or taken.
#[wasm_bindgen(js_name = addLanguage)]
pub fn add_language(
    #[wasm_bindgen(unchecked_param_type = "LanguagePlugin")] given: &JsValue,
) -> Result<(), JsValue> {
    let plugin: Result<LanguagePlugin, _> = convert::required("a language", given);
    let added = plugin.and_then(|plugin| add_plugin(&plugin));
    added.map_err(|error| convert::thrown(&error))
}

/// Returns the languages that the core knows, with those that were added to it.
#[wasm_bindgen(js_name = knownLanguages, unchecked_return_type = "KnownLanguage[]")]
pub fn list_known_languages() -> Result<JsValue, JsValue> {
    answer(Ok(known_languages()))
}

/// Returns a hash of the bytes of a grammar, in hexadecimal.
#[wasm_bindgen(js_name = hashGrammar)]
pub fn hash_grammar(bytes: &[u8]) -> String {
    let hash = ContentHash::of(bytes).to_bytes();
    format!("{:032x}", u128::from_be_bytes(hash))
}

/// Returns the table of functions, which grows by the functions of each grammar.
#[wasm_bindgen(js_name = functionTable, unchecked_return_type = "object")]
pub fn function_table() -> JsValue {
    wasm_bindgen::function_table()
}

/// Returns the languages whose grammars a pure function has lacked since the last call.
#[wasm_bindgen(js_name = takeMissingGrammars)]
pub fn take_missing_grammars() -> Vec<String> {
    let missing = grammars::take_missing_grammars().into_iter();
    missing.map(str::to_owned).collect()
}

/// Returns the bytes of a file with some edits. Throws a `RagnavErrorValue` if they are not those
/// that the hash is of, if there are any without a hash, and if the edits do not fit.
#[wasm_bindgen(js_name = editBytes)]
pub fn edit_bytes(
    bytes: &[u8],
    hash: Option<String>,
    #[wasm_bindgen(unchecked_param_type = "TextEdit[]")] edits: &JsValue,
) -> Result<Vec<u8>, JsValue> {
    let edited = convert::required("edits", edits).and_then(|edits: Vec<TextEdit>| {
        let is_planned = hash.map_or(bytes.is_empty(), |hash| {
            ContentHash::of(bytes).to_hex() == hash
        });
        if !is_planned {
            let message = "the file has changed since the edits were planned; plan them again";
            return Err(RagnavError::invalid(message));
        }
        edited_bytes(bytes, &edits)
    });
    edited.map_err(|error| convert::thrown(&error))
}

/// Returns the lines around a line of a text.
#[wasm_bindgen(js_name = makeSnippet, unchecked_return_type = "Snippet")]
pub fn make_snippet(text: &JsValue, line: &JsValue, path: &JsValue) -> Result<JsValue, JsValue> {
    let text = convert::text("text", text);
    answer(text.and_then(|text| {
        let line = convert::number("line", line)?;
        let path = path.as_string().unwrap_or_default();
        snippet::snippet_of_line(&text, &path, line_number(line))
    }))
}

/// The lines of one file whose enrichment is requested, and the current text of the file.
#[derive(Debug, Deserialize, Tsify)]
struct FileLines {
    file: String,
    text: String,
    lines: Vec<f64>,
}

/// Returns the enrichment of the symbols around some lines, a list for each file; `null` without
/// any.
#[wasm_bindgen(unchecked_return_type = "(Enrichment | null)[][]")]
pub fn enrichments(
    #[wasm_bindgen(unchecked_param_type = "FileLines[]")] files: &JsValue,
    graph: &JsValue,
) -> Result<JsValue, JsValue> {
    let graph = convert::text("graph", graph).and_then(|text| RagGraph::parse(&text));
    answer(graph.and_then(|graph| {
        let files: Vec<FileLines> = convert::required("files", files)?;
        files
            .iter()
            .map(|file| enrich_file(&graph, file))
            .collect::<Result<Vec<_>, _>>()
    }))
}

fn enrich_file(graph: &RagGraph, file: &FileLines) -> Result<Vec<Option<Enrichment>>, RagnavError> {
    let path = RepoPath::parse(&file.file)?;
    let lines: Vec<usize> = file.lines.iter().map(|line| line_number(*line)).collect();
    Ok(enrich(graph, &path, &file.text, &lines))
}

fn answer<T: Serialize>(result: Result<T, RagnavError>) -> Result<JsValue, JsValue> {
    result
        .map(|value| convert::value(&value))
        .map_err(|error| convert::thrown(&error))
}

/// Converts a line number. Invalid numbers become 0, a line that no text has.
fn line_number(line: f64) -> usize {
    parse_whole_number("line", line).unwrap_or(0)
}
