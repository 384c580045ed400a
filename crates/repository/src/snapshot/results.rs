//! Results that a query keeps for those after it.

use std::any::Any;
use std::rc::Rc;

use super::Snapshot;
use super::cache::KeptResults;
use ragnav_base::host::Host;

impl<H: Host> Snapshot<'_, H> {
    /// Returns what an earlier query kept under the same words. It still holds: the index answers
    /// for every file, and a watcher has seen no change since.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{indexed, with_snapshot};
    /// with_snapshot(&indexed(&[("a.py", "x = 1\n")]), |snapshot| {
    ///     assert!(snapshot.kept_result::<usize>("the number of names").is_none());
    /// });
    /// ```
    #[must_use]
    pub fn kept_result<T: Any>(&self, asked: &str) -> Option<Rc<T>> {
        self.results()?.find(asked)
    }

    /// Keeps a result for later queries, if a watcher and the index prove all files. The result
    /// must depend on the files in scope alone.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{indexed, with_snapshot};
    /// use std::rc::Rc;
    ///
    /// with_snapshot(&indexed(&[("a.py", "x = 1\n")]), |snapshot| {
    ///     snapshot.keep_result("the number of names".to_owned(), &Rc::new(1_usize));
    ///     // There is no watcher.
    ///     assert!(snapshot.kept_result::<usize>("the number of names").is_none());
    /// });
    /// ```
    pub fn keep_result<T: Any>(&self, asked: String, result: &Rc<T>) {
        if let Some(results) = self.results() {
            results.keep(asked, Rc::<T>::clone(result));
        }
    }

    fn results(&self) -> Option<&KeptResults> {
        let view = self.view.as_deref()?;
        let texts = view.texts.get()?;
        let has_buffers = self.statuses.corrected().next().is_some();
        let is_proven = texts.live.is_empty() && !has_buffers && self.settings.compiler.is_empty();
        is_proven.then_some(&view.results)
    }
}
