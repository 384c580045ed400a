//! After a move, every reference means the definition that it meant before, in generated
//! repositories.

use std::collections::BTreeMap;

use proptest::prelude::*;
use ragnav::base::argument::Count;
use ragnav::query::edit_plan::RefusalReason;
use ragnav::query::move_plan::{MovePlanOptions, MovePlanResult, move_plan};
use ragnav::query::where_used::{Confidence, WhereUsedOptions, where_used};
use ragnav_base::item::ItemKind;
use ragnav_base::text_edit::edited_bytes;

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;
use crate::links_properties::{file_name, host, shown};
use crate::printers::{Ecmascript, Python};
use crate::repositories::{Layout, Model, Printer, Target, layout, model};

fn apply(host: &MemoryHost, plan: &MovePlanResult) {
    for edited in &plan.head.files {
        let own = plan.items.iter().filter(|one| one.file == edited.file);
        let edits: Vec<_> = own.map(|one| one.edit.clone()).collect();
        let bytes = host.files.borrow_mut().remove(&edited.file);
        assert_eq!(bytes.is_some(), edited.hash.is_some(), "{}", edited.file);
        host.put(
            &edited.file,
            &edited_bytes(&bytes.unwrap_or_default(), &edits).unwrap(),
        );
    }
}

/// Returns the lines of the references to each definition beside imports, by its last two names.
fn uses(host: &MemoryHost, names: &[String]) -> BTreeMap<String, Vec<String>> {
    let options = WhereUsedOptions {
        confidence: Some(Confidence::Resolved),
        limit: Count::new(10_000),
        ..WhereUsedOptions::default()
    };
    let found = names.iter().map(|name| {
        let answer = run(where_used(host, &settings(), name, &options));
        assert_eq!(answer.head.definitions.len(), 1, "{name}\n{}", shown(host));
        let rows = answer
            .items
            .iter()
            .filter(|row| row.kind != ItemKind::Import);
        let files = host.files.borrow();
        let mut lines: Vec<String> = rows
            .map(|row| {
                let text = std::str::from_utf8(&files[&row.file]).unwrap();
                text.lines()
                    .nth(row.line as usize - 1)
                    .unwrap()
                    .trim()
                    .to_owned()
            })
            .collect();
        lines.sort();
        (name.clone(), lines)
    });
    found.collect()
}

/// Returns the names of the definitions at the top of files, if no two have one name.
fn names_at_top<P: Printer>(model: &Model, layout: &Layout, printer: &P) -> Vec<(Target, String)> {
    let mut names = Vec::new();
    for file in 0..model.files.len() {
        let source = model.print(printer, layout, file);
        for (target, (line, column)) in source.definitions.iter().filter(|(of, _)| of.2.is_none()) {
            let rest = &source.text.lines().nth(line - 1).unwrap()[column - 1..];
            let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
            names.push((*target, rest[..end.unwrap_or(rest.len())].to_owned()));
        }
    }
    names
}

/// Moves each definition that may be moved to a new file.
fn check<P: Printer>(model: &Model, layout: &Layout, printer: &P) {
    let host = host(model, layout, printer);
    let original = host.files.borrow().clone();
    let tops = names_at_top(model, layout, printer);
    let mut all: Vec<String> = tops.iter().map(|(_, name)| name.clone()).collect();
    all.sort();
    all.dedup();
    let is_unique = all.len() == tops.len();
    for (target, name) in tops {
        let file = file_name(printer, layout, target.0);
        let source = model.print(printer, layout, target.0);
        let (line, column) = source.definitions[&target];
        let symbol = format!("{file}:{line}:{column}");
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        let target_file = format!("{folder}/fresh_file.{}", P::EXTENSION);
        let target_file = target_file.trim_start_matches('/');
        let options = MovePlanOptions::default();
        let plan = run(move_plan(
            &host,
            &settings(),
            &symbol,
            target_file,
            &options,
        ));
        if !plan.head.refusals.is_empty() {
            let reasons = plan.head.refusals.iter().map(|one| one.reason);
            let is_known = |reason| {
                matches!(
                    reason,
                    RefusalReason::Candidates
                        | RefusalReason::Shared
                        | RefusalReason::Syntax
                        | RefusalReason::Unsearched
                        | RefusalReason::Cycle
                        | RefusalReason::NotAtTop
                        | RefusalReason::ModuleState
                        | RefusalReason::NameTaken
                        | RefusalReason::Captured
                )
            };
            assert!(reasons.clone().all(is_known), "{:?}", plan.head.refusals);
            continue;
        }
        let before = is_unique.then(|| uses(&host, &all));
        apply(&host, &plan);
        let after = is_unique.then(|| uses(&host, &all));
        assert_eq!(before, after, "{name}\n{}", shown(&host));
        host.files.replace(original.clone());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn references_mean_the_same_after_a_move_in_python(model in model(), layout in layout(4)) {
        check(&model, &layout, &Python);
    }

    #[test]
    fn references_mean_the_same_after_a_move_in_javascript(model in model(), layout in layout(4)) {
        check(&model, &layout, &Ecmascript::<false>);
    }

    #[test]
    fn references_mean_the_same_after_a_move_in_typescript(model in model(), layout in layout(4)) {
        check(&model, &layout, &Ecmascript::<true>);
    }
}
