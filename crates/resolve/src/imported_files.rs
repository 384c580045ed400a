//! The files that imports import.

use std::collections::BTreeSet;

use crate::entity::{Entity, ResolvedEntities};
use crate::file_facts::FileFacts;
use crate::resolver::{LanguageResolver, Resolver};
use crate::source_file::SourceFile;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::Import;

impl Resolver<'_> {
    /// Returns the files that an import imports as modules, or from which it imports a name:
    /// `shop/__init__.py` and `shop/cart.py` for `from shop import cart` in Python.
    ///
    /// Where imports name definitions and not files, as in Java, these are the files of the
    /// definitions.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    ///
    /// let database = database(&[
    ///     ("shop/__init__.py", ""),
    ///     ("shop/cart.py", ""),
    ///     ("pay.py", "from shop import cart\n"),
    /// ]);
    /// let pay = path("pay.py");
    /// let file = database.facts(&pay).unwrap();
    /// let imported = Resolver::new(&database).imported_files(&pay, &file, &file.facts.imports[0]);
    /// assert!(imported.contains(&path("shop/cart.py")));
    /// assert!(imported.contains(&path("shop/__init__.py")));
    /// ```
    #[must_use]
    pub fn imported_files(
        self,
        path: &RepoPath,
        file: &FileFacts,
        import: &Import,
    ) -> BTreeSet<RepoPath> {
        let Some(language) = self.database.language(path) else {
            return BTreeSet::new();
        };
        let source = SourceFile { path, file };
        let named = language.resolve_import_name(self, &source, import);
        let Some(file) = language.resolve_import_file(self, &source, import) else {
            let files = named.entities.iter().filter_map(Entity::file);
            return files.cloned().collect();
        };
        let modules = self.modules(&named).cloned();
        modules.chain([file]).collect()
    }

    /// Returns the files that a name resolves to as modules.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    ///
    /// let database = database(&[("cart.py", ""), ("pay.py", "import cart\n")]);
    /// let resolver = Resolver::new(&database);
    /// let pay = path("pay.py");
    /// let file = database.facts(&pay).unwrap();
    /// let resolution = resolver.resolve_reference(&pay, &file, &file.facts.references[0]);
    /// assert_eq!(resolver.modules(&resolution).collect::<Vec<_>>(), [&path("cart.py")]);
    /// ```
    pub fn modules(self, resolution: &ResolvedEntities) -> impl Iterator<Item = &RepoPath> {
        resolution
            .entities
            .iter()
            .filter_map(|entity| match entity {
                Entity::Module(file) => Some(file),
                _ => None,
            })
    }

    /// Reports whether all imports of a file can be found, since imports of its language name files
    /// and not packages or namespaces.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    ///
    /// let database = database(&[("cart.py", ""), ("cart.go", "")]);
    /// let resolver = Resolver::new(&database);
    /// assert!(resolver.finds_importers(&path("cart.py")));
    /// // Go imports packages, which are folders.
    /// assert!(!resolver.finds_importers(&path("cart.go")));
    /// ```
    #[must_use]
    pub fn finds_importers(self, file: &RepoPath) -> bool {
        let language = self.database.language(file);
        language.is_some_and(LanguageResolver::imports_files)
    }
}
