//! How references lead to what they mean, for the option `explain`.

use ragnav_base::host::Host;
use ragnav_base::item::{NavItem, Resolution};
use ragnav_resolve::Resolver;

use crate::code_facts::CodeFacts;
use crate::reference_site::ReferenceSite;

/// After this many rows a long computation lets the host act.
const PAUSE_ROWS: usize = 20;

/// Gives resolved rows the steps from their names to what these mean. Each row is of the site in
/// its place.
pub(super) async fn explain<H: Host>(
    code: &CodeFacts<'_, H>,
    rows: &mut [NavItem],
    sites: &[ReferenceSite],
) {
    let count = rows.len();
    for (done, (row, site)) in rows.iter_mut().zip(sites).enumerate() {
        if done % PAUSE_ROWS == PAUSE_ROWS - 1 {
            code.pause(done, count).await;
        }
        if site.resolution != Resolution::Resolved || site.evidence.is_some() {
            continue;
        }
        let Some(file) = code.world.facts(&site.path) else {
            continue;
        };
        let reference = file
            .facts
            .references_at(site.line, site.start_utf16)
            .first();
        let resolver = Resolver::new(&code.world);
        row.steps = reference.map(|one| resolver.steps_of(&site.path, &file, one));
    }
}
