//! The settings of a snapshot over files with their edits.

use std::rc::Rc;

use ragnav_repository::settings::{Settings, StalePolicy};

/// Returns the settings for files with edits. What is kept about the files as they are does not
/// hold for these.
pub(crate) fn settings_of_edited(settings: &Settings) -> Settings {
    Settings {
        stale_policy: StalePolicy::Merge,
        compiler: Rc::default(),
        snapshots: Rc::default(),
        ..settings.clone()
    }
}
