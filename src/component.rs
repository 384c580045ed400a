//! The boundary to hosts of WebAssembly components: the only code that names wit-bindgen.
//!
//! `wit/ragnav.wit` says what is imported and exported. The imported host answers at once, so a question is a session that is
//! stepped to its end in one call. Nothing else is imported: not WASI, no clock, no random numbers.

mod asking;
#[cfg_attr(
    target_arch = "wasm32",
    expect(unsafe_code, reason = "generated: memory crosses the boundary")
)]
#[expect(clippy::same_length_and_capacity, reason = "generated")]
mod bindings;
mod convert;
mod navigator;
mod pure;
mod queries;

/// What the world's exports are implemented for.
struct Component;
