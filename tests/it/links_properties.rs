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
use crate::repositories::{Layout, Model, Place, Printer, Target, layout, model};

struct Python;

impl Printer for Python {
    const EXTENSION: &'static str = "py";
    const COMMENT: &'static str = "# function0 Class0 method0";
    const BROKEN: &'static str = "value = = 3 + (";

    fn import(&self, _: &str, file: &str, name: &str, as_name: &str) -> String {
        let module = file.replace('/', ".");
        if name == as_name {
            return format!("from {module} import {name}");
        }
        format!("from {module} import {name} as {as_name}")
    }

    fn function(&self, name: &str, in_class: bool) -> String {
        if in_class {
            format!("    def {name}(self):")
        } else {
            format!("def {name}():")
        }
    }

    fn class(&self, name: &str, base: Option<&str>) -> String {
        base.map_or_else(
            || format!("class {name}:"),
            |base| format!("class {name}({base}):"),
        )
    }

    fn end(&self, _: bool) -> Option<String> {
        None
    }

    fn call(&self, name: &str, _: bool, method: Option<&str>, in_class: bool) -> String {
        let indentation = if in_class { "        " } else { "    " };
        let method = method
            .map(|method| format!(".{method}()"))
            .unwrap_or_default();
        format!("{indentation}{name}(){method}")
    }

    fn nothing(&self, in_class: bool) -> String {
        if in_class {
            "        pass".into()
        } else {
            "    pass".into()
        }
    }
}

struct Ecmascript<const IS_TYPED: bool>;

impl<const IS_TYPED: bool> Printer for Ecmascript<IS_TYPED> {
    const EXTENSION: &'static str = if IS_TYPED { "ts" } else { "js" };
    const COMMENT: &'static str = "// function0 Class0 method0";
    const BROKEN: &'static str = "value = = 3 + (";

    fn import(&self, into: &str, file: &str, name: &str, as_name: &str) -> String {
        let up = match into.matches('/').count() {
            0 => "./".to_owned(),
            depth => "../".repeat(depth),
        };
        let extension = if IS_TYPED { "" } else { ".js" };
        let names = if name == as_name {
            name.to_owned()
        } else {
            format!("{name} as {as_name}")
        };
        format!("import {{ {names} }} from '{up}{file}{extension}';")
    }

    fn function(&self, name: &str, in_class: bool) -> String {
        if in_class {
            format!("  {name}() {{")
        } else {
            format!("export function {name}() {{")
        }
    }

    fn class(&self, name: &str, base: Option<&str>) -> String {
        let above = base.map(|base| format!(" extends {base}"));
        format!("export class {name}{} {{", above.unwrap_or_default())
    }

    fn end(&self, in_class: bool) -> Option<String> {
        Some(if in_class { "  }" } else { "}" }.to_owned())
    }

    fn call(&self, name: &str, is_class: bool, method: Option<&str>, _: bool) -> String {
        let new = if is_class { "new " } else { "" };
        let method = method.map(|method| format!(".{method}()"));
        format!("    {new}{name}(){};", method.unwrap_or_default())
    }

    fn nothing(&self, _: bool) -> String {
        "    ;".to_owned()
    }
}

struct Rust;

impl Printer for Rust {
    const EXTENSION: &'static str = "rs";
    const COMMENT: &'static str = "// function0 Class0 method0";
    const BROKEN: &'static str = "let = = 3 + (";

    fn root(&self) -> Option<(&'static str, &'static str)> {
        let modules = "mod a; mod b; mod c; mod other { mod f; }
mod folder { mod d; mod inner { mod e; } }
";
        Some(("lib.rs", modules))
    }

    fn import(&self, _: &str, file: &str, name: &str, as_name: &str) -> String {
        let module = file.replace('/', "::");
        if name == as_name {
            return format!("use crate::{module}::{name};");
        }
        format!("use crate::{module}::{{{name} as {as_name}}};")
    }

    fn function(&self, name: &str, in_class: bool) -> String {
        if in_class {
            format!("    pub fn {name}(&self) {{")
        } else {
            format!("pub fn {name}() {{")
        }
    }

    /// A type has the methods of the type to which it leads as a pointer.
    fn class(&self, name: &str, base: Option<&str>) -> String {
        let base = base.map(|base| format!("impl Deref for {name} {{ type Target = {base}; }} "));
        let base = base.unwrap_or_default();
        format!("pub struct {name}; {base}impl {name} {{")
    }

    fn end(&self, in_class: bool) -> Option<String> {
        Some(if in_class { "    }" } else { "}" }.to_owned())
    }

    fn call(&self, name: &str, is_class: bool, method: Option<&str>, _: bool) -> String {
        let call = if is_class { "" } else { "()" };
        let method = method.map(|method| format!(".{method}()"));
        format!("        {name}{call}{};", method.unwrap_or_default())
    }

    fn nothing(&self, in_class: bool) -> String {
        let indentation = if in_class { "        " } else { "    " };
        format!("{indentation};")
    }
}

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

fn ids<P: Printer>(model: &Model, layout: &Layout, (file, item, method): Target) -> String {
    let module = layout.names[file].replace('/', ".");
    let name = model.name((file, item));
    let method = method.map(|at| match &model.files[file][item] {
        crate::repositories::Item::Class { methods, .. } => format!(".{}", methods[at].0),
        crate::repositories::Item::Function { .. } => String::new(),
    });
    format!("sym:{module}.{name}{}", method.unwrap_or_default())
}

/// Returns the answered references of each definition.
fn answered<P: Printer>(
    host: &impl Host,
    model: &Model,
    layout: &Layout,
    printer: &P,
) -> BTreeMap<Target, BTreeSet<Place>> {
    let files = (0..model.files.len()).map(|file| {
        let name = format!("{}.{}", layout.names[file], P::EXTENSION);
        (name, model.print(printer, layout, file).places)
    });
    let places: BTreeMap<String, BTreeMap<usize, Place>> = files.collect();
    let options = WhereUsedOptions {
        confidence: Some(Confidence::Resolved),
        limit: Count::new(10_000),
        ..WhereUsedOptions::default()
    };
    let mut answered = BTreeMap::new();
    for (target, _) in model.bodies() {
        let symbol = ids::<P>(model, layout, target);
        let result = run(where_used(host, &settings(), &symbol, &options));
        assert_eq!(
            result.head.definitions.len(),
            1,
            "{symbol} {:?}",
            result.meta.message
        );
        let own = result.head.definitions.first();
        let own = own.map(|own| (own.file.clone(), own.start_line));
        // The `impl` block of a type in Rust names the type itself.
        let others = result.items.iter();
        let others = others.filter(|row| own != Some((row.file.clone(), row.line)));
        let rows = others.map(|row| {
            let place = places[&row.file].get(&(row.line as usize));
            place
                .cloned()
                .unwrap_or_else(|| panic!("{symbol} is nowhere at {}:{}", row.file, row.line))
        });
        let rows: BTreeSet<Place> = rows.collect();
        if !rows.is_empty() {
            answered.insert(target, rows);
        }
    }
    answered
}

fn host<P: Printer>(model: &Model, layout: &Layout, printer: &P) -> MemoryHost {
    let host = MemoryHost {
        head: Some("a".repeat(40)),
        ..MemoryHost::default()
    };
    if let Some((name, text)) = printer.root() {
        host.put(name, text.as_bytes());
    }
    for file in 0..model.files.len() {
        let name = format!("{}.{}", layout.names[file], P::EXTENSION);
        host.put(&name, model.print(printer, layout, file).text.as_bytes());
    }
    if layout.has_broken_file {
        let text = format!("{}\nfunction0(\n", P::BROKEN);
        host.put(&format!("broken.{}", P::EXTENSION), text.as_bytes());
    }
    host
}

/// Prints the sources of a failed property.
fn shown(host: &MemoryHost) -> String {
    let files = host.files.borrow();
    let sources = files.iter().filter(|(name, _)| !name.starts_with(".llmc"));
    let texts =
        sources.map(|(name, bytes)| format!("{name}:\n{}\n", String::from_utf8_lossy(bytes)));
    texts.collect()
}

fn check<P: Printer>(model: &Model, layout: &Layout, printer: &P) {
    let meant = model.meant();
    let host = host(model, layout, printer);
    assert_eq!(
        answered(&host, model, layout, printer),
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
        answered(&host, model, layout, printer),
        meant,
        "indexed\n{}",
        shown(&host)
    );
    let host = Backwards(host);
    assert_eq!(
        answered(&host, model, layout, printer),
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
    fn rust_resolution_ignores_layout(model in model(), layout in layout(4)) {
        check(&model, &layout, &Rust);
    }

    #[test]
    fn typescript_resolution_ignores_layout(model in model(), layout in layout(4)) {
        check(&model, &layout, &Ecmascript::<true>);
    }
}
