//! `route`: whether the index may be used, and why.

use ragnav_base::envelope::{RouteDecision, RouteReason};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_repository::file_statuses::FileStatuses;
use ragnav_repository::overlay::Overlaid;
use ragnav_repository::route::{self, Examined};
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::Settings;
use ragnav_repository::snapshot::scoped_files;

/// Decides the route of a repository from its status and HEAD. If these permit the index, every
/// file is verified too.
///
/// It never fails: a failure is a reason.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::RouteReason;
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::route::compute_route;
///
/// let route = block_on(compute_route(&MemoryHost::default(), &Settings::default()));
/// assert_eq!((route.use_rag, route.reason), (false, RouteReason::NoStatus));
/// ```
pub async fn compute_route<H: Host>(host: &H, settings: &Settings) -> RouteDecision {
    let examined = route::examine(host, &settings.repo, &settings.caches).await;
    if !examined.route.use_rag {
        return examined.route;
    }
    match verify(host, settings, &examined).await {
        Ok(statuses) => route::with_verdicts(examined.route, &statuses),
        Err(_) => route::unusable(examined.route, RouteReason::HostFailed),
    }
}

async fn verify<H: Host>(
    host: &H,
    settings: &Settings,
    examined: &Examined,
) -> Result<FileStatuses, RagnavError> {
    let host = &Overlaid::new(host).await?;
    let scoped = scoped_files(host, settings, examined, Scope::Everything).await?;
    Ok(scoped.statuses)
}
