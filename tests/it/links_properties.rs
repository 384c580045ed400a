//! Resolution depends only on the meaning of code: not on names of files, lines, the order of
//! definitions and listings, errors elsewhere, or an index.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use ragnav::base::argument::Count;
use ragnav::base::host::{Host, Request, Response};
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::where_used::{Confidence, WhereUsedOptions, where_used};

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;
use crate::printers::{CSharp, Cpp, Ecmascript, Go, Java, Php, Python, Ruby, Rust};
use crate::repositories::{Layout, Model, Place, Printed, Printer, Target, layout, model};

/// A host that lists folders in reverse order.
struct Backwards(MemoryHost);

impl Host for Backwards {
    async fn respond(&self, request: Request) -> Response {
        let mut response = self.0.respond(request).await;
        if let Response::ReadDirs(folders) = &mut response {
            folders
                .iter_mut()
                .flatten()
                .for_each(|entries| entries.reverse());
        }
        response
    }
}

/// Returns the answered references of each definition.
fn answer<P: Printer>(
    host: &impl Host,
    model: &Model,
    layout: &Layout,
    printer: &P,
) -> BTreeMap<Target, BTreeSet<Place>> {
    let files = (0..model.files.len()).map(|file| {
        let text = model.print(printer, layout, file);
        (file_name(printer, layout, file), text)
    });
    let files: BTreeMap<String, Printed> = files.collect();
    let options = WhereUsedOptions {
        confidence: Some(Confidence::Resolved),
        limit: Count::new(10_000),
        ..WhereUsedOptions::default()
    };
    let mut found = BTreeMap::new();
    for (target, _) in model.bodies() {
        let file = file_name(printer, layout, target.0);
        let (line, column) = files[&file].definitions[&target];
        let symbol = format!("{file}:{line}:{column}");
        let result = run(where_used(host, &settings(), &symbol, &options));
        assert_eq!(
            result.head.definitions.len(),
            1,
            "{symbol} {:?}",
            result.meta.message
        );
        // The `impl` block of a type in Rust and the methods of one in Go name the type itself.
        let definitions = &files[&file].definitions;
        let is_own = |of: &Target| (of.0, of.1) == (target.0, target.1);
        let own = definitions.iter().filter(|(of, _)| is_own(of));
        let own: BTreeSet<usize> = own.map(|(_, (line, _))| *line).collect();
        let others = result.items.iter();
        let others = others.filter(|row| row.file != file || !own.contains(&(row.line as usize)));
        let rows = others.map(|row| {
            let place = files[&row.file].places.get(&(row.line as usize));
            place
                .cloned()
                .unwrap_or_else(|| panic!("{symbol} is nowhere at {}:{}", row.file, row.line))
        });
        let rows: BTreeSet<Place> = rows.collect();
        if !rows.is_empty() {
            found.insert(target, rows);
        }
    }
    found
}

/// Returns the references to each definition that the files of a language hold.
fn printed<P: Printer>(
    model: &Model,
    layout: &Layout,
    printer: &P,
) -> BTreeMap<Target, BTreeSet<Place>> {
    let files = 0..model.files.len();
    let places = files.flat_map(|file| model.print(printer, layout, file).places.into_values());
    let places: BTreeSet<Place> = places.collect();
    let mut meant = model.meant();
    for references in meant.values_mut() {
        references.retain(|place| places.contains(place));
    }
    meant.retain(|_, references| !references.is_empty());
    meant
}

pub(crate) fn file_name<P: Printer>(printer: &P, layout: &Layout, file: usize) -> String {
    format!("{}.{}", printer.path(&layout.names[file]), P::EXTENSION)
}

pub(crate) fn host<P: Printer>(model: &Model, layout: &Layout, printer: &P) -> MemoryHost {
    let host = MemoryHost {
        head: Some("a".repeat(40)),
        ..MemoryHost::default()
    };
    if let Some((name, text)) = printer.root() {
        host.put(name, text.as_bytes());
    }
    for file in 0..model.files.len() {
        let name = file_name(printer, layout, file);
        host.put(&name, model.print(printer, layout, file).text.as_bytes());
    }
    if layout.has_broken_file {
        let text = format!("{}\nfunction0(\n", P::BROKEN);
        host.put(&format!("broken.{}", P::EXTENSION), text.as_bytes());
    }
    host
}

/// Prints the sources of a failed property.
pub(crate) fn shown(host: &MemoryHost) -> String {
    let files = host.files.borrow();
    let sources = files.iter().filter(|(name, _)| !name.starts_with(".llmc"));
    let texts =
        sources.map(|(name, bytes)| format!("{name}:\n{}\n", String::from_utf8_lossy(bytes)));
    texts.collect()
}

fn check<P: Printer>(model: &Model, layout: &Layout, printer: &P) {
    let meant = printed(model, layout, printer);
    let host = host(model, layout, printer);
    assert_eq!(
        answer(&host, model, layout, printer),
        meant,
        "live\n{}",
        shown(&host)
    );
    run(build_graph(
        &host,
        &settings(),
        &BuildOptions::default(),
        "test",
    ));
    assert_eq!(
        answer(&host, model, layout, printer),
        meant,
        "indexed\n{}",
        shown(&host)
    );
    let host = Backwards(host);
    assert_eq!(
        answer(&host, model, layout, printer),
        meant,
        "backwards\n{}",
        shown(&host.0)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn python_resolution_ignores_layout(model in model(), layout in layout(4)) {
        check(&model, &layout, &Python);
    }

    #[test]
    fn javascript_resolution_ignores_layout(model in model(), layout in layout(4)) {
        check(&model, &layout, &Ecmascript::<false>);
    }

    #[test]
    fn typescript_resolution_ignores_layout(model in model(), layout in layout(4)) {
        check(&model, &layout, &Ecmascript::<true>);
    }

    #[test]
    fn rust_resolution_ignores_layout(model in model(), layout in layout(4)) {
        check(&model, &layout, &Rust);
    }

    #[test]
    fn go_resolution_ignores_layout(model in model(), layout in layout(4)) {
        check(&model, &layout, &Go);
    }

    #[test]
    fn java_resolution_ignores_layout(model in model(), layout in layout(4)) {
        check(&model, &layout, &Java);
    }

    #[test]
    fn csharp_resolution_ignores_layout(model in model(), layout in layout(4)) {
        check(&model, &layout, &CSharp);
    }

    #[test]
    fn cpp_resolution_ignores_layout(model in model(), layout in layout(4)) {
        check(&model, &layout, &Cpp);
    }

    #[test]
    fn php_resolution_ignores_layout(model in model(), layout in layout(4)) {
        check(&model, &layout, &Php);
    }

    #[test]
    fn ruby_resolution_ignores_layout(model in model(), layout in layout(4)) {
        check(&model, &layout, &Ruby);
    }
}
