//! What wit-bindgen makes of `wit/`.

#[cfg(target_arch = "wasm32")]
use super::Component;

wit_bindgen::generate!({
    path: "wit",
    world: "ragnav",
});

// The names of its exports are none to native linkers.
#[cfg(target_arch = "wasm32")]
export!(Component with_types_in self);
