//! Symbol ids: lookup keys such as `sym:src.auth.Auth.login`.
//!
//! An id is the path of the file without its extension, with dots for slashes, then the name path
//! of the definition. Several definitions may share an id, for example overloads. A dot inside a
//! path segment becomes `%2E`, and `%` becomes `%25`.

use serde::{Deserialize, Serialize};

use crate::path::RepoPath;

/// The prefix of every id that ragnav writes.
const PREFIX: &str = "sym:";

/// The prefixes that ragnav accepts; older graphs use `type:` too.
const READ_PREFIXES: [&str; 2] = [PREFIX, "type:"];

/// The id of a symbol: `sym:`, the module, `.` and the name path.
///
/// # Examples
///
/// ```
/// use ragnav_base::symbol_id::SymbolId;
///
/// let id = SymbolId::new("shop.cart", "Cart.total");
/// assert_eq!(id.as_str(), "sym:shop.cart.Cart.total");
/// assert_eq!(id.dotted(), "shop.cart.Cart.total");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(transparent)]
pub struct SymbolId(String);

impl SymbolId {
    /// Builds the id of a definition from its module (see [`module_of`]) and its name path, `A.b`.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::symbol_id::SymbolId;
    ///
    /// assert_eq!(SymbolId::new("src.auth", "A.b").as_str(), "sym:src.auth.A.b");
    /// ```
    #[must_use]
    pub fn new(module: &str, name_path: &str) -> Self {
        if module.is_empty() {
            return Self(format!("{PREFIX}{name_path}"));
        }
        Self(format!("{PREFIX}{module}.{name_path}"))
    }

    /// Builds the id of a module (see [`module_of`]). `None` if its name is empty, as that of the
    /// root's `__init__.py` is.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::symbol_id::SymbolId;
    ///
    /// let id = SymbolId::of_module("src.auth");
    /// assert_eq!(id.unwrap().as_str(), "sym:src.auth");
    /// assert_eq!(SymbolId::of_module(""), None);
    /// ```
    #[must_use]
    pub fn of_module(module: &str) -> Option<Self> {
        (!module.is_empty()).then(|| Self(format!("{PREFIX}{module}")))
    }

    /// Returns the id as text.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::symbol_id::SymbolId;
    ///
    /// // The module of the root's `__init__.py` is empty.
    /// assert_eq!(SymbolId::new("", "main").as_str(), "sym:main");
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the id without its prefix.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::symbol_id::SymbolId;
    ///
    /// assert_eq!(SymbolId::new("a", "f").dotted(), "a.f");
    /// ```
    #[must_use]
    pub fn dotted(&self) -> &str {
        dotted(&self.0)
    }
}

/// Returns a symbol without its prefix and surrounding blanks: `src.auth.A` of `sym:src.auth.A`.
///
/// # Examples
///
/// ```
/// use ragnav_base::symbol_id::dotted;
///
/// assert_eq!(dotted(" sym:src.auth.A "), "src.auth.A");
/// assert_eq!(dotted("auth.A"), "auth.A");
/// ```
#[must_use]
pub fn dotted(symbol: &str) -> &str {
    let symbol = symbol.trim();
    READ_PREFIXES
        .iter()
        .find_map(|prefix| symbol.strip_prefix(prefix))
        .unwrap_or(symbol)
}

/// Returns the module part of the ids of a file's symbols: `src.auth` of `src/auth.py`.
///
/// `package_file` is the stem that stands for its folder and is left out: `__init__` in Python.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_base::symbol_id::module_of;
///
/// let module = |path: &str| module_of(&RepoPath::parse(path).unwrap(), Some("__init__"));
/// assert_eq!(module("src/auth.py"), "src.auth");
/// assert_eq!(module("src/__init__.py"), "src");
/// assert_eq!(module("js/jquery.min.js"), "js.jquery%2Emin");
/// ```
#[must_use]
pub fn module_of(path: &RepoPath, package_file: Option<&str>) -> String {
    let (folder, name) = path
        .as_str()
        .rsplit_once('/')
        .unwrap_or(("", path.as_str()));
    let stem = match path.extension() {
        Some(extension) => name.strip_suffix(extension).unwrap_or(name),
        None => name,
    };
    let stem = stem.strip_suffix('.').unwrap_or(stem);
    let mut module: Vec<String> = folder
        .split('/')
        .filter(|segment| !segment.is_empty())
        .map(escape)
        .collect();
    if package_file != Some(stem) {
        module.push(escape(stem));
    }
    module.join(".")
}

fn escape(segment: &str) -> String {
    segment.replace('%', "%25").replace('.', "%2E")
}

/// Returns a symbol as people read it: `jquery.min.init` for `sym:jquery%2Emin.init`.
///
/// # Examples
///
/// ```
/// use ragnav_base::symbol_id::display;
///
/// assert_eq!(display("sym:jquery%2Emin.init"), "jquery.min.init");
/// ```
#[must_use]
pub fn display(symbol: &str) -> String {
    dotted(symbol).replace("%2E", ".").replace("%25", "%")
}

/// Reports whether a dotted name ends with another one, in whole segments: `a.b.c` with `b.c`.
///
/// # Examples
///
/// ```
/// use ragnav_base::symbol_id::ends_with;
///
/// assert!(ends_with("shop.cart.Cart.total", "Cart.total"));
/// assert!(!ends_with("shop.cart.Cart.subtotal", "total"));
/// ```
#[must_use]
pub fn ends_with(dotted: &str, suffix: &str) -> bool {
    match dotted.strip_suffix(suffix) {
        Some(rest) => !suffix.is_empty() && (rest.is_empty() || rest.ends_with('.')),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(path: &str) -> String {
        RepoPath::parse(path).map_or_else(
            |error| error.message,
            |path| module_of(&path, Some("__init__")),
        )
    }

    #[test]
    fn modules_follow_paths() {
        assert_eq!(module("src/auth.py"), "src.auth");
        assert_eq!(module("src/pkg/__init__.py"), "src.pkg");
        assert_eq!(module("__init__.py"), "");
        assert_eq!(module("v1.2/a.test.py"), "v1%2E2.a%2Etest");
        assert_eq!(module("50%/a"), "50%25.a");
    }

    #[test]
    fn ids_have_a_prefix_and_may_lack_a_module() {
        assert_eq!(
            SymbolId::new("src.auth", "A.b").as_str(),
            "sym:src.auth.A.b"
        );
        assert_eq!(SymbolId::new("", "A").as_str(), "sym:A");
        assert_eq!(dotted(" type:a.B "), "a.B");
    }

    #[test]
    fn suffixes_are_whole_segments() {
        assert!(ends_with("a.b.c", "b.c") && ends_with("a.b.c", "a.b.c"));
        assert!(!ends_with("a.bb.c", "b.c") && !ends_with("a.b", "") && !ends_with("b", "a.b"));
    }
}
