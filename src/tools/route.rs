//! Route: whether the index may be used, and why. Source: seed `gateway`, section 4.

use crate::envelope::{RouteDecision, RouteReason};
use crate::error::RagnavError;
use crate::freshness::route::{self, Examined};
use crate::freshness::verdict::{self, Verification};
use crate::host::Host;
use crate::overlay::Overlaid;
use crate::tools::Settings;
use crate::tools::basis::scoped_walk;
use crate::tools::scope::Scope;

/// Decides the route of a repository from what its host says: status and HEAD, and where they would have the index used,
/// every file held against it.
///
/// Never fails: what cannot be read is a reason.
pub async fn compute_route<H: Host>(host: &H, settings: &Settings) -> RouteDecision {
    let examined = route::examine(host, &settings.repo, &settings.caches).await;
    if !examined.route.use_rag {
        return examined.route;
    }
    match verify(host, settings, &examined).await {
        Ok(verification) => route::with_verdicts(examined.route, &verification),
        Err(_) => route::unusable(examined.route, RouteReason::HostFailed),
    }
}

async fn verify<H: Host>(
    host: &H,
    settings: &Settings,
    examined: &Examined,
) -> Result<Verification, RagnavError> {
    let Some(index) = &examined.index else {
        return Ok(Verification::default());
    };
    let host = &Overlaid::new(host).await?;
    let found = scoped_walk(host, settings, &examined.route, Scope::Everything).await?;
    verdict::verify(host, index, &found, settings.limits, |_| true).await
}
