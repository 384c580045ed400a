//! Every public item of the crates has an example in its documentation.

use std::fs;

use syn::{
    Attribute, Expr, Ident, ImplItem, Item, ItemImpl, ItemTrait, Lit, TraitItem, Type, Visibility,
};

use crate::layering::{folders, sources};

/// The code fences that rustdoc compiles; fences with other words show output and formats.
const RUST_FENCES: [&str; 4] = ["", "rust", "no_run", "should_panic"];

/// The public items without an example.
///
/// The lint `unreachable_pub` allows `pub` only for items that are part of the interface of their
/// crate, so the visibility of modules does not matter here.
#[derive(Default)]
struct MissingExamples(Vec<String>);

impl MissingExamples {
    fn check_all(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Fn(it) => self.check(&it.vis, &[&it.sig.ident], &it.attrs),
                Item::Struct(it) => self.check(&it.vis, &[&it.ident], &it.attrs),
                Item::Enum(it) => self.check(&it.vis, &[&it.ident], &it.attrs),
                Item::Trait(it) => self.check_trait(it),
                Item::Impl(it) if it.trait_.is_none() => self.check_methods(it),
                Item::Mod(it) if !is_hidden(&it.attrs) => {
                    let items = it.content.as_ref().map(|(_, items)| &items[..]);
                    self.check_all(items.unwrap_or_default());
                }
                _ => {}
            }
        }
    }

    fn check_trait(&mut self, item: &ItemTrait) {
        self.check(&item.vis, &[&item.ident], &item.attrs);
        for part in &item.items {
            if let TraitItem::Fn(part) = part {
                self.check(&item.vis, &[&item.ident, &part.sig.ident], &part.attrs);
            }
        }
    }

    fn check_methods(&mut self, item: &ItemImpl) {
        let Type::Path(owner) = &*item.self_ty else {
            return;
        };
        let owner = owner.path.segments.iter().map(|segment| &segment.ident);
        for part in &item.items {
            if let ImplItem::Fn(part) = part {
                let path: Vec<&Ident> = owner.clone().chain([&part.sig.ident]).collect();
                self.check(&part.vis, &path, &part.attrs);
            }
        }
    }

    fn check(&mut self, visibility: &Visibility, path: &[&Ident], attributes: &[Attribute]) {
        let is_public = matches!(visibility, Visibility::Public(_));
        if is_public && !is_hidden(attributes) && !has_example(attributes) {
            let path: Vec<String> = path.iter().map(ToString::to_string).collect();
            self.0.push(path.join("::"));
        }
    }
}

/// Reports whether an item is only for tests, or hidden from the documentation.
fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|one| {
        let word = one.parse_args::<Ident>();
        let says = |path, wanted| one.path().is_ident(path) && word.iter().any(|own| own == wanted);
        says("cfg", "test") || says("doc", "hidden")
    })
}

fn has_example(attributes: &[Attribute]) -> bool {
    let lines = attributes.iter().filter_map(doc_line);
    let fences = lines.filter_map(|line| Some(line.trim().strip_prefix("```")?.to_owned()));
    // Every second fence closes a block.
    let mut opened = fences.step_by(2);
    opened.any(|info| RUST_FENCES.contains(&info.as_str()))
}

/// Returns the text of `/// text`, which a parser reads as `#[doc = " text"]`.
fn doc_line(attribute: &Attribute) -> Option<String> {
    let value = &attribute.meta.require_name_value().ok()?.value;
    match value {
        Expr::Lit(literal) if attribute.path().is_ident("doc") => match &literal.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

fn items_without_example(source: &str) -> Vec<String> {
    let file = syn::parse_file(source).expect("a source that compiles");
    let mut missing = MissingExamples::default();
    missing.check_all(&file.items);
    missing.0
}

#[test]
fn every_public_item_has_an_example() {
    let mut files = Vec::new();
    for folder in folders("crates") {
        sources(&folder.join("src"), &mut files);
    }
    files.sort();
    let mut missing = Vec::new();
    for file in files {
        let source = fs::read_to_string(&file).expect("a source");
        let names = items_without_example(&source).into_iter();
        missing.extend(names.map(|name| format!("{}: {name}", file.display())));
    }
    let (count, list) = (missing.len(), missing.join("\n"));
    assert_eq!(count, 0, "{count} items need an example:\n{list}");
}

#[test]
fn only_public_items_without_an_example_are_reported() {
    let source = r"
        /// ```text
        /// 1
        /// ```
        pub struct Shown;
        impl Shown {
            /// ```
            /// assert!(true);
            /// ```
            pub fn shown() {}
            pub fn bare() {}
            fn private() {}
        }
        pub trait Named { fn name(&self); }
        impl Named for Shown { fn name(&self) {} }
        #[cfg(test)]
        mod tests { pub fn test() {} }
        #[doc(hidden)]
        pub fn hidden() {}
    ";
    let expected = ["Shown", "Shown::bare", "Named", "Named::name"];
    assert_eq!(items_without_example(source), expected);
}
