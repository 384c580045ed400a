//! Uses of the symbol as a member of its module: `cart.total`.

use ragnav_base::host::Host;
use ragnav_base::item::Resolution;
use ragnav_base::position::{utf16_len, wire};
use ragnav_resolve::{Entity, Resolver};
use ragnav_syntax::facts::{Receiver, Reference};

use super::files::OpenFile;
use super::importers::{Rewritten, Route};
use super::names::bindings_at_top;
use crate::edit_plan::{Change, Refusal, RefusalReason};
use crate::reference_site::ReferenceSite;

impl<H: Host> Route<'_, '_, H> {
    /// Rewrites `a.f`, where `a` is the module of the source.
    pub(super) fn rewrite_member(
        &self,
        file: &OpenFile,
        site: &ReferenceSite,
        rewritten: &mut Rewritten,
    ) -> Result<(), Refusal> {
        let at = (site.line, site.start_utf16);
        let mut references = file.facts.facts.references.iter();
        let reference = references.find(|one| {
            (one.position.line, one.position.start_utf16) == at
                && file.facts.facts.name(one.name) == self.name
        });
        let Some((reference, Receiver::Value(value))) = reference.map(|one| (one, one.receiver))
        else {
            return Ok(());
        };
        let receiver = file.facts.facts.name(value.path);
        if value.is_called || !self.is_module(file, reference, receiver) {
            return Ok(());
        }
        let start = file.changes.offset_of(at);
        let range = start
            .checked_sub(receiver.len() + 1)
            .map(|from| from..start);
        let written = range.clone().map(|range| file.slice(range));
        let is_written = written.and_then(|text| text.strip_suffix('.')) == Some(receiver);
        let Some(range) = range.filter(|_| is_written) else {
            return Err(self.form(file, site.line));
        };
        let after = file
            .text()
            .get(start + self.name.len()..)
            .unwrap_or_default()
            .trim_start();
        if after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>") {
            let message = format!(
                "{}, line {}, assigns to `{}`; the files that import it from its new file would \
                 not see that.",
                file.path, site.line, self.name
            );
            return Err(Refusal::in_files(
                RefusalReason::ModuleState,
                1,
                [&file.path],
                message,
            ));
        }
        let new = if file.path == *self.target {
            String::new()
        } else {
            format!("{}.", self.module_name(file, rewritten)?)
        };
        rewritten.changes.push(Change {
            range,
            new_text: new,
            kind: site.kind,
            resolution: Some(Resolution::Resolved),
        });
        Ok(())
    }

    /// Reports whether the receiver of a reference is the module of the source.
    fn is_module(&self, file: &OpenFile, reference: &Reference, receiver: &str) -> bool {
        let last = receiver.rsplit('.').next().unwrap_or(receiver);
        let column = reference
            .position
            .start_utf16
            .checked_sub(wire(utf16_len(last)) + 1);
        let mut references = file.facts.facts.references.iter();
        let holder = references.find(|one| {
            one.position.line == reference.position.line
                && Some(one.position.start_utf16) == column
                && file.facts.facts.name(one.name) == last
        });
        let resolver = Resolver::new(&self.code.world);
        let meaning = holder.map(|one| resolver.resolve_reference(&file.path, &file.facts, one));
        let module = Entity::Module(self.source.clone());
        meaning.is_some_and(|meaning| meaning.entities.contains(&module))
    }

    /// Returns the name by which a file calls the module of the target, with its import.
    fn module_name(&self, file: &OpenFile, rewritten: &mut Rewritten) -> Result<String, Refusal> {
        let found = self
            .rules
            .module_import((&file.path, self.target), file, None);
        let (name, request) = found.ok_or_else(|| self.unreachable(file))?;
        if rewritten.requests.contains(&request) {
            return Ok(name);
        }
        let known = bindings_at_top(&file.facts, &name).next().is_some();
        let facts = &file.facts.facts;
        let is_bound = known
            || facts
                .bindings
                .iter()
                .any(|one| facts.name(one.name) == name);
        let is_used = facts
            .references
            .iter()
            .any(|one| one.receiver == Receiver::None && facts.name(one.name) == name);
        if is_bound || is_used {
            let message = format!(
                "{} needs an import of {} as `{name}`, which it uses for something else.",
                file.path, self.target
            );
            return Err(Refusal::in_files(
                RefusalReason::NameTaken,
                1,
                [&file.path],
                message,
            ));
        }
        rewritten.imports_target = true;
        rewritten.requests.push(request);
        Ok(name)
    }
}
