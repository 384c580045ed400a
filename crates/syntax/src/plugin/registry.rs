//! The plug-ins of this thread.

use std::cell::RefCell;

use crate::language::Language;

/// A plug-in of this thread.
struct Plugin {
    language: &'static Language,
    /// A hash of everything that its facts depend on.
    hash: u64,
}

thread_local! {
    static PLUGINS: RefCell<Vec<Plugin>> = RefCell::default();
}

pub(super) fn add(language: &'static Language, hash: u64) {
    PLUGINS.with_borrow_mut(|plugins| plugins.push(Plugin { language, hash }));
}

/// Finds a plug-in of this thread.
pub(crate) fn find(is_wanted: impl Fn(&Language) -> bool) -> Option<&'static Language> {
    PLUGINS.with_borrow(|plugins| {
        let mut languages = plugins.iter().map(|plugin| plugin.language);
        languages.find(|language| is_wanted(language))
    })
}

/// Returns the plug-ins of this thread, in the order in which they were added.
pub(crate) fn all() -> Vec<&'static Language> {
    PLUGINS.with_borrow(|plugins| plugins.iter().map(|plugin| plugin.language).collect())
}

/// Returns the plug-ins of this thread with the hashes of their extractors.
pub(crate) fn extractors() -> Vec<(String, u64)> {
    let named = |plugin: &Plugin| (plugin.language.name.to_owned(), plugin.hash);
    PLUGINS.with_borrow(|plugins| plugins.iter().map(named).collect())
}
