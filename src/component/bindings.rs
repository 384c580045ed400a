//! What wit-bindgen makes of `wit/`.

wit_bindgen::generate!({
    path: "wit",
    world: "ragnav",
});

export!(Component with_types_in self);

use super::Component;
