//! A rename there and back gives the same texts, in generated repositories of each language.

use proptest::prelude::*;
use ragnav::query::rename_plan::{
    RefusalReason, RenamePlanOptions, RenamePlanResult, RenameRisk, rename_plan,
};
use ragnav_base::text_edit::edited_bytes;

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;
use crate::links_properties::{file_name, host, shown};
use crate::printers::{CSharp, Cpp, Ecmascript, Go, Java, Php, Python, Ruby, Rust};
use crate::repositories::{Layout, Model, Printer, layout, model};

/// Returns a new name: in Ruby, those of classes begin with a capital letter.
fn new_name(text: &str, line: usize, column: usize) -> &'static str {
    let line = text.lines().nth(line - 1).unwrap();
    let is_capital = line[column - 1..].starts_with(char::is_uppercase);
    if is_capital {
        "FreshName"
    } else {
        "fresh_name"
    }
}

fn plan(host: &MemoryHost, symbol: &str, name: &str) -> RenamePlanResult {
    let options = RenamePlanOptions {
        accept: Some(vec![RenameRisk::OutsideBase, RenameRisk::Unsearched]),
        ..RenamePlanOptions::default()
    };
    run(rename_plan(host, &settings(), symbol, name, &options))
}

fn apply(host: &MemoryHost, plan: &RenamePlanResult) {
    for edited in &plan.head.files {
        let own = plan.items.iter().filter(|one| one.file == edited.file);
        let edits: Vec<_> = own.map(|one| one.edit.clone()).collect();
        let bytes = host.files.borrow_mut().remove(&edited.file).unwrap();
        let to = edited.moves_to.as_ref().unwrap_or(&edited.file);
        host.put(to, &edited_bytes(&bytes, &edits).unwrap());
    }
}

/// Renames each definition that may be renamed, and back.
fn check<P: Printer>(model: &Model, layout: &Layout, printer: &P) {
    let host = host(model, layout, printer);
    let original = host.files.borrow().clone();
    for (target, _) in model.bodies() {
        let file = file_name(printer, layout, target.0);
        let source = model.print(printer, layout, target.0);
        let (line, column) = source.definitions[&target];
        let new_name = new_name(&source.text, line, column);
        let there = plan(&host, &format!("{file}:{line}:{column}"), new_name);
        if !there.head.refusals.is_empty() {
            let reasons = there.head.refusals.iter().map(|one| one.reason);
            let is_known = |reason| {
                matches!(
                    reason,
                    RefusalReason::Candidates
                        | RefusalReason::Shared
                        | RefusalReason::Reserved
                        | RefusalReason::Captured
                )
            };
            assert!(reasons.clone().all(is_known), "{:?}", there.head.refusals);
            continue;
        }
        let old_name = there.items[0].edit.old_text.clone();
        apply(&host, &there);
        let symbol = there.head.definitions[0].symbol.as_str().to_owned();
        let renamed = symbol
            .rsplit_once('.')
            .map(|(home, _)| format!("{home}.{new_name}"));
        let renamed = renamed.filter(|_| there.head.files.iter().all(|one| one.moves_to.is_none()));
        let back = plan(&host, renamed.as_deref().unwrap_or(new_name), &old_name);
        assert_eq!(back.head.refusals, [], "{symbol}\n{}", shown(&host));
        apply(&host, &back);
        assert_eq!(*host.files.borrow(), original, "{symbol}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn python_is_renamed_there_and_back(model in model(), layout in layout(4)) {
        check(&model, &layout, &Python);
    }

    #[test]
    fn javascript_is_renamed_there_and_back(model in model(), layout in layout(4)) {
        check(&model, &layout, &Ecmascript::<false>);
    }

    #[test]
    fn typescript_is_renamed_there_and_back(model in model(), layout in layout(4)) {
        check(&model, &layout, &Ecmascript::<true>);
    }

    #[test]
    fn rust_is_renamed_there_and_back(model in model(), layout in layout(4)) {
        check(&model, &layout, &Rust);
    }

    #[test]
    fn go_is_renamed_there_and_back(model in model(), layout in layout(4)) {
        check(&model, &layout, &Go);
    }

    #[test]
    fn java_is_renamed_there_and_back(model in model(), layout in layout(4)) {
        check(&model, &layout, &Java);
    }

    #[test]
    fn csharp_is_renamed_there_and_back(model in model(), layout in layout(4)) {
        check(&model, &layout, &CSharp);
    }

    #[test]
    fn cpp_is_renamed_there_and_back(model in model(), layout in layout(4)) {
        check(&model, &layout, &Cpp);
    }

    #[test]
    fn php_is_renamed_there_and_back(model in model(), layout in layout(4)) {
        check(&model, &layout, &Php);
    }

    #[test]
    fn ruby_is_renamed_there_and_back(model in model(), layout in layout(4)) {
        check(&model, &layout, &Ruby);
    }
}
