//! Declarations and definitions of one thing in different files, which no import joins: stubs
//! beside code, and functions of C that another language defines or uses.

use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    BindingTarget, DefinitionId, EXPORTED, Facts, IMPORTED, Position, STATIC,
};

use crate::resolver::Resolver;

impl Resolver<'_> {
    /// Returns the files that declare what a file defines: `a.pyi` for `a.py`, `a.d.ts` for `a.js`.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    ///
    /// let database = database(&[("a.py", ""), ("a.pyi", ""), ("b.py", "")]);
    /// let resolver = Resolver::new(&database);
    /// assert_eq!(resolver.declaring_files(&path("a.py")), [path("a.pyi")]);
    /// assert!(resolver.declaring_files(&path("b.py")).is_empty());
    /// ```
    #[must_use]
    pub fn declaring_files(self, path: &RepoPath) -> Vec<RepoPath> {
        let language = self.database.language(path);
        language.map_or_else(Vec::new, |language| language.declaring_files(path))
    }

    /// Returns the files that define what a file declares: `a.py` for `a.pyi`, `a.js` for `a.d.ts`.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    ///
    /// let database = database(&[("a.js", ""), ("a.d.ts", "")]);
    /// let resolver = Resolver::new(&database);
    /// assert_eq!(resolver.defining_files(&path("a.d.ts")), [path("a.js")]);
    /// ```
    #[must_use]
    pub fn defining_files(self, path: &RepoPath) -> Vec<RepoPath> {
        let language = self.database.language(path);
        language.map_or_else(Vec::new, |language| language.defining_files(path))
    }
}

/// How a linker joins a function with those of another language.
///
/// # Examples
///
/// ```
/// use ragnav_resolve::Linkage;
///
/// assert_eq!(Linkage::Exports("add".to_owned()).symbol(), "add");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Linkage {
    /// It defines this symbol of C.
    Exports(String),
    /// It declares this symbol of C, which another language defines.
    Imports(String),
}

impl Linkage {
    /// Returns the symbol.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_resolve::Linkage;
    ///
    /// assert_eq!(Linkage::Imports("add".to_owned()).symbol(), "add");
    /// ```
    #[must_use]
    pub fn symbol(&self) -> &str {
        match self {
            Self::Exports(symbol) | Self::Imports(symbol) => symbol,
        }
    }
}

/// Returns how a linker joins a definition with those of another language. Only C and Rust have
/// such definitions.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_resolve::{Linkage, linkage_of};
/// use ragnav_syntax::facts::DefinitionId;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let text = "#[no_mangle]\npub extern \"C\" fn add() {}\nfn own() {}\n";
/// let facts = extract_facts(find_language("rust").unwrap(), text);
/// let path = RepoPath::parse("a.rs").unwrap();
/// let linkage = |id| linkage_of(&path, &facts, DefinitionId(id));
/// assert_eq!(linkage(0), Some(Linkage::Exports("add".to_owned())));
/// assert_eq!(linkage(1), None);
/// ```
#[must_use]
pub fn linkage_of(path: &RepoPath, facts: &Facts, id: DefinitionId) -> Option<Linkage> {
    let definition = facts.definition(id)?;
    let mut marks = definition.decorators.iter();
    match ragnav_syntax::detect_language(path)?.name {
        "rust" => marks.find_map(|mark| {
            let mark = facts.name(mark.path);
            let exported = mark.strip_prefix(EXPORTED);
            let imported = mark.strip_prefix(IMPORTED);
            let exported = exported.map(|symbol| Linkage::Exports(symbol.to_owned()));
            exported.or_else(|| Some(Linkage::Imports(imported?.to_owned())))
        }),
        "c" => {
            let is_own = marks.any(|mark| facts.name(mark.path) == STATIC);
            let is_function = definition.kind == DefinitionKind::Function && !is_own;
            let is_global = definition.parent.is_none() && definition.qualifier.is_none();
            let symbol = facts.name(definition.name);
            (is_function && is_global).then(|| Linkage::Exports(symbol.to_owned()))
        }
        _ => None,
    }
}

/// Returns where a file of C declares a symbol without defining it.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_resolve::prototypes_of;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("c").unwrap(), "int add(int a);\n");
/// let path = RepoPath::parse("a.h").unwrap();
/// assert_eq!(prototypes_of(&path, &facts, "add")[0].start_utf16, 4);
/// ```
#[must_use]
pub fn prototypes_of(path: &RepoPath, facts: &Facts, symbol: &str) -> Vec<Position> {
    let language = ragnav_syntax::detect_language(path);
    if language.is_none_or(|language| language.name != "c") {
        return Vec::new();
    }
    let bindings = facts.bindings.iter();
    let declared = bindings.filter(|binding| {
        let is_only_declared = matches!(binding.target, BindingTarget::Attribute(_));
        is_only_declared && facts.name(binding.name) == symbol
    });
    declared.map(|binding| binding.position).collect()
}
