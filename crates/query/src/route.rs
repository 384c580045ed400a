//! Route: whether the index may be used, and why. Source: seed `gateway`, section 4.

use crate::Settings;
use crate::scope::Scope;
use crate::standing::standing;
use ragnav_base::envelope::{RouteDecision, RouteReason};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_repository::overlay::Overlaid;
use ragnav_repository::route::{self, Examined};
use ragnav_repository::verification::Verification;

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
    let host = &Overlaid::new(host).await?;
    let standing = standing(host, settings, examined, Scope::Everything).await?;
    Ok(standing.verification)
}
