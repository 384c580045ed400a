//! Prints what each Rust file below a folder says by itself, by syn.
//!
//! Usage: rust_facts FOLDER
//!
//! Each line is JSON: {"file", "definitions": [[name, line, column], …], "imports": [[path, member,
//! alias], …], "calls": [[line, column, name], …], "references": […], "ambiguous": […]}. Lines count
//! from 1, and columns from 0 in UTF-16 units. The first name of a path of an import ends with `::`,
//! and a dot stands before the others: `a::.b` of `a::b`. self, Self, super and crate are no names,
//! and attributes contain none. Ambiguous are the names in macros, other than arguments of those
//! that take expressions, and patterns of one name, which bind it or read a constant. So are names of
//! primitive types. Files with syntax errors are left out.

use std::path::Path;
use std::{env, fs};

use proc_macro2::{Ident, TokenStream, TokenTree};
use serde_json::{Value, json};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, Token, UseTree};

const KEYWORDS: [&str; 4] = ["self", "Self", "super", "crate"];
const PRIMITIVES: [&str; 17] = [
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8", "u16",
    "u32", "u64", "u128", "usize",
];
const OF_EXPRESSIONS: [&str; 20] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "panic",
    "print",
    "println",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

struct Facts {
    lines: Vec<String>,
    in_macro: bool,
    definitions: Vec<Value>,
    imports: Vec<Value>,
    calls: Vec<Value>,
    references: Vec<Value>,
    ambiguous: Vec<Value>,
}

fn main() {
    let mut names = Vec::new();
    let root = env::args().nth(1).expect("a folder is named");
    collect(Path::new(&root), &mut names);
    names.sort();
    for name in names {
        let Ok(text) = fs::read_to_string(&name) else {
            continue;
        };
        let Ok(file) = syn::parse_file(&text) else {
            continue;
        };
        let mut facts = Facts {
            lines: text.split('\n').map(str::to_owned).collect(),
            in_macro: false,
            definitions: Vec::new(),
            imports: Vec::new(),
            calls: Vec::new(),
            references: Vec::new(),
            ambiguous: Vec::new(),
        };
        facts.visit_file(&file);
        println!(
            "{}",
            json!({
                "file": name,
                "definitions": facts.definitions,
                "imports": facts.imports,
                "calls": facts.calls,
                "references": facts.references,
                "ambiguous": facts.ambiguous,
            })
        );
    }
}

fn collect(folder: &Path, names: &mut Vec<String>) {
    for entry in fs::read_dir(folder)
        .expect("the folder is readable")
        .flatten()
    {
        let path = entry.path();
        let kind = entry.file_type().expect("the entry has a type");
        if kind.is_dir() {
            collect(&path, names);
        } else if kind.is_file() && path.extension().is_some_and(|end| end == "rs") {
            names.push(path.to_string_lossy().into_owned());
        }
    }
}

impl Facts {
    fn place(&self, name: &Ident) -> (usize, usize, String) {
        let start = name.span().start();
        let before = self.lines[start.line - 1].chars().take(start.column);
        (
            start.line,
            before.map(char::len_utf16).sum(),
            name.to_string(),
        )
    }

    fn define(&mut self, name: &Ident) {
        let (line, column, name) = self.place(name);
        self.definitions.push(json!([name, line, column]));
    }

    fn refer(&mut self, name: &Ident) {
        let at = json!(self.place(name));
        if PRIMITIVES.iter().any(|primitive| name == primitive) {
            self.ambiguous.push(at);
        } else if !KEYWORDS.iter().any(|keyword| name == keyword) {
            self.references.push(at);
        }
    }

    fn call(&mut self, name: &Ident) {
        if !KEYWORDS.iter().any(|keyword| name == keyword) {
            let at = self.place(name);
            self.calls.push(json!(at));
        }
    }

    fn leave_out(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    let at = self.place(&name);
                    self.ambiguous.push(json!(at));
                }
                TokenTree::Group(group) => self.leave_out(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    fn import(&mut self, path: &str, tree: &UseTree) {
        match tree {
            UseTree::Path(tree) => {
                self.refer(&tree.ident);
                self.import(&joined(path, &tree.ident), &tree.tree);
            }
            UseTree::Name(tree) => self.add_import(path, &tree.ident, None),
            UseTree::Rename(tree) => self.add_import(path, &tree.ident, Some(&tree.rename)),
            UseTree::Glob(_) => self.imports.push(json!([path, "*", null])),
            UseTree::Group(tree) => {
                for item in &tree.items {
                    self.import(path, item);
                }
            }
        }
    }

    fn add_import(&mut self, path: &str, name: &Ident, alias: Option<&Ident>) {
        let alias = alias.map(Ident::to_string);
        let name = name.to_string();
        if name != "self" || path.is_empty() {
            self.imports.push(json!([path, name, alias]));
            return;
        }
        let (before, last) = path.rsplit_once('.').unwrap_or(("", path));
        let last = last.trim_end_matches("::");
        self.imports.push(json!([before, last, alias]));
    }
}

fn joined(path: &str, name: &Ident) -> String {
    if path.is_empty() {
        format!("{name}::")
    } else {
        format!("{path}.{name}")
    }
}

/// Returns the last name of a path that is called: `f` of `f()`, `a::f()` and `(f)()`.
fn callee(function: &Expr) -> Option<&Ident> {
    match function {
        Expr::Path(path) => path.path.segments.last().map(|last| &last.ident),
        Expr::Paren(inner) => callee(&inner.expr),
        _ => None,
    }
}

fn path_attribute(attributes: &[syn::Attribute]) -> Option<String> {
    let named = attributes.iter().find(|one| one.path().is_ident("path"))?;
    match &named.meta.require_name_value().ok()?.value {
        Expr::Lit(literal) => match &literal.lit {
            syn::Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

impl<'ast> Visit<'ast> for Facts {
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.import("", &item.tree);
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        let alias = item.rename.as_ref().map(|(_, alias)| alias);
        self.add_import("", &item.ident, alias);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if item.content.is_some() {
            self.define(&item.ident);
        } else {
            let path = path_attribute(&item.attrs);
            let path = path.unwrap_or_else(|| item.ident.to_string());
            self.imports.push(json!([path, null, null]));
        }
        visit::visit_item_mod(self, item);
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        self.define(&signature.ident);
        visit::visit_signature(self, signature);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.define(&item.ident);
        visit::visit_item_struct(self, item);
    }

    fn visit_item_union(&mut self, item: &'ast syn::ItemUnion) {
        self.define(&item.ident);
        visit::visit_item_union(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.define(&item.ident);
        visit::visit_item_enum(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.define(&item.ident);
        visit::visit_item_trait(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.define(&item.ident);
        visit::visit_item_type(self, item);
    }

    fn visit_impl_item_type(&mut self, item: &'ast syn::ImplItemType) {
        self.define(&item.ident);
        visit::visit_impl_item_type(self, item);
    }

    fn visit_trait_item_type(&mut self, item: &'ast syn::TraitItemType) {
        self.define(&item.ident);
        visit::visit_trait_item_type(self, item);
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        let Some(name) = &item.ident else {
            return visit::visit_item_macro(self, item);
        };
        self.define(name);
        self.leave_out(item.mac.tokens.clone());
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        self.visit_path(&item.path);
        let Some(name) = item.path.segments.last().map(|last| &last.ident) else {
            return;
        };
        self.call(name);
        let read = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(item.tokens.clone());
        match read {
            Ok(arguments) if OF_EXPRESSIONS.iter().any(|known| name == known) => {
                let around = self.in_macro;
                self.in_macro = true;
                for argument in &arguments {
                    // What the tree borrows lives as long as this call only.
                    Visit::visit_expr(self, argument);
                }
                self.in_macro = around;
            }
            _ => self.leave_out(item.tokens.clone()),
        }
    }

    fn visit_expr_assign(&mut self, assignment: &'ast syn::ExprAssign) {
        match (&*assignment.left, self.in_macro) {
            (Expr::Path(path), true) => {
                // `a = b` in `format!("{a}", a = b)` names an argument.
                if let Some(name) = path.path.get_ident() {
                    let at = self.place(name);
                    self.ambiguous.push(json!(at));
                }
            }
            (left, _) => self.visit_expr(left),
        }
        self.visit_expr(&assignment.right);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let Some(name) = callee(&call.func) {
            self.call(name);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.call(&call.method);
        self.refer(&call.method);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        for segment in &path.segments {
            self.refer(&segment.ident);
        }
        visit::visit_path(self, path);
    }

    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        let is_marked = pattern.by_ref.is_some() || pattern.mutability.is_some();
        if !is_marked && pattern.subpat.is_none() {
            let at = self.place(&pattern.ident);
            self.ambiguous.push(json!(at));
        }
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_field_pat(&mut self, field: &'ast syn::FieldPat) {
        if field.colon_token.is_some() {
            self.visit_pat(&field.pat);
        }
    }
}
