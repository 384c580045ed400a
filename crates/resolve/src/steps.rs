//! The steps by which names mean what they mean.

use ragnav_base::item::{ResolutionStep, StepKind};
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::Reference;

use crate::entity::ResolvedEntities;
use crate::file_facts::FileFacts;
use crate::resolver::{FactDatabase, Resolver};

impl FactDatabase {
    /// Computes what a step leads to, and records the step if steps are recorded.
    pub(super) fn record_step(
        &self,
        (kind, name): (StepKind, &str),
        (file, line): (&RepoPath, u32),
        compute: impl FnOnce() -> ResolvedEntities,
    ) -> ResolvedEntities {
        let step = || {
            Some(ResolutionStep {
                kind,
                name: name.to_owned(),
                file: file.to_string(),
                line,
            })
        };
        self.trace.record(step, compute)
    }
}

impl Resolver<'_> {
    /// Returns the steps by which a reference means its definitions: the imports, assignments,
    /// calls, annotations and base classes on the way. At most 12.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_base::item::StepKind;
    /// use ragnav_resolve::Resolver;
    ///
    /// let database = database(&[
    ///     ("cart.py", "class Cart:\n    def total(self): pass\n"),
    ///     ("pay.py", "from cart import Cart\ncart = Cart()\ncart.total()\n"),
    /// ]);
    /// let pay = path("pay.py");
    /// let file = database.facts(&pay).unwrap();
    /// let call = file.facts.references.last().unwrap();
    /// let steps = Resolver::new(&database).steps_of(&pay, &file, call);
    /// let steps: Vec<_> = steps.iter().map(|step| (step.kind, step.line)).collect();
    /// assert_eq!(steps, [(StepKind::AssignedTo, 2), (StepKind::ImportedAs, 1)]);
    /// ```
    #[must_use]
    pub fn steps_of(
        self,
        path: &RepoPath,
        file: &FileFacts,
        reference: &Reference,
    ) -> Vec<ResolutionStep> {
        // What is known already would be reused without its steps.
        let database = self.database.without_results();
        database.trace.start();
        let resolver = Resolver::new(&database);
        let meaning = resolver.resolve_reference(path, file, reference);
        let targets = resolver.definitions(&meaning);
        let targets = targets.map(|(path, id)| (path.clone(), id)).collect();
        database.trace.finish(&targets)
    }
}
