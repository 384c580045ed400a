//! What may be trusted, and why.

pub mod route;
pub mod status;
pub mod verdict;
pub mod verification;
