//! Records the steps of a resolution, so that a person can check it.

use std::cell::RefCell;
use std::collections::BTreeSet;

use ragnav_base::item::ResolutionStep;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::DefinitionId;

use crate::entity::{Entity, ResolvedEntities};

/// The greatest number of steps that are listed.
const MAX_STEPS: usize = 12;
/// The greatest number of steps that are recorded.
const MAX_FRAMES: usize = 2_000;

/// The steps so far; `None` if none are recorded.
#[derive(Debug, Default)]
pub(super) struct Trace(RefCell<Option<Recording>>);

#[derive(Debug, Default)]
struct Recording {
    frames: Vec<Frame>,
    /// The step that is computed now.
    current: Option<usize>,
}

#[derive(Debug)]
struct Frame {
    step: ResolutionStep,
    /// The step that needs this one.
    outer: Option<usize>,
    found: ResolvedEntities,
}

impl Trace {
    /// Records steps from now on.
    pub(super) fn start(&self) {
        self.0.replace(Some(Recording::default()));
    }

    /// Ends the recording. Returns the steps that lead to some definitions, in the order in which
    /// they were needed.
    pub(super) fn finish(
        &self,
        targets: &BTreeSet<(RepoPath, DefinitionId)>,
    ) -> Vec<ResolutionStep> {
        let recording = self.0.take().unwrap_or_default();
        let mut steps = Vec::new();
        recording.add_steps(None, targets, &mut steps);
        steps
    }

    /// Computes what a step leads to, and records the step if steps are recorded.
    pub(super) fn record(
        &self,
        step: impl FnOnce() -> Option<ResolutionStep>,
        compute: impl FnOnce() -> ResolvedEntities,
    ) -> ResolvedEntities {
        let Some(frame) = self.enter(step) else {
            return compute();
        };
        let found = compute();
        self.leave(frame, &found);
        found
    }

    /// Computes something without recording its steps, since they do not lead to the result.
    pub(super) fn pause<T>(&self, compute: impl FnOnce() -> T) -> T {
        let recording = self.0.take();
        let found = compute();
        self.0.replace(recording);
        found
    }

    fn enter(&self, step: impl FnOnce() -> Option<ResolutionStep>) -> Option<usize> {
        let mut recording = self.0.borrow_mut();
        let recording = recording.as_mut()?;
        if recording.frames.len() >= MAX_FRAMES {
            return None;
        }
        let frame = recording.frames.len();
        recording.frames.push(Frame {
            step: step()?,
            outer: recording.current.replace(frame),
            found: ResolvedEntities::none(),
        });
        Some(frame)
    }

    fn leave(&self, frame: usize, found: &ResolvedEntities) {
        if let Some(recording) = self.0.borrow_mut().as_mut()
            && let Some(done) = recording.frames.get_mut(frame)
        {
            done.found = found.clone();
            recording.current = done.outer;
        }
    }
}

impl Recording {
    fn add_steps(
        &self,
        outer: Option<usize>,
        targets: &BTreeSet<(RepoPath, DefinitionId)>,
        steps: &mut Vec<ResolutionStep>,
    ) {
        let frames = self.frames.iter().enumerate();
        let inner =
            frames.filter(|(_, frame)| frame.outer == outer && !frame.found.entities.is_empty());
        let inner: Vec<(usize, &Frame)> = inner.collect();
        let is_near = |frame: &Frame| {
            let mut files = frame.found.entities.iter().filter_map(Entity::file);
            files.any(|file| targets.iter().any(|(home, _)| home == file))
        };
        // Of several values of one name, those from the file of the definition lead there.
        let name_of = |frame: &Frame| (frame.step.kind, frame.step.name.clone());
        let near = inner.iter().filter(|(_, frame)| is_near(frame));
        let near: BTreeSet<_> = near.map(|(_, frame)| name_of(frame)).collect();
        for (place, frame) in inner {
            if near.contains(&name_of(frame)) && !is_near(frame) {
                continue;
            }
            if steps.len() >= MAX_STEPS {
                return;
            }
            if !steps.contains(&frame.step) {
                steps.push(frame.step.clone());
                self.add_steps(Some(place), targets, steps);
            }
        }
    }
}
