//! Asking a model until it writes a plan, or until asking on makes no sense.

use std::collections::BTreeSet;

use serde::Serialize;

use super::ModelOptions;
use super::answer::{Outcome, outcome};
use super::ladder::{ResponseFormat, Rung, Rungs};
use super::retry;
use crate::catalogue::Catalogue;
use crate::draft::Draft;
use crate::plan::{PlanWarning, PlanWarningCode, Repair};
use crate::prompt::Message;
use crate::repair::plan_from_text;
use ragnav_base::host::{self, Answer, Ask, Host};

/// What a model wrote.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) draft: Draft,
    pub(super) repairs: BTreeSet<Repair>,
    pub(super) is_cut: bool,
}

pub(super) async fn now_ms(host: &impl Host) -> Option<i64> {
    let now = host::now(host).await.ok()?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "within the years 1 to 9999"
    )]
    let is_sane = now
        .ms
        .is_finite()
        .then_some(now.ms.clamp(-6.2e13, 2.5e14) as i64);
    is_sane
}

/// A question to a model, with what bounds it.
pub(super) struct Asking<'a, H> {
    pub(super) host: &'a H,
    pub(super) options: &'a ModelOptions,
    pub(super) catalogue: &'a Catalogue,
    pub(super) started_ms: i64,
}

impl<H: Host> Asking<'_, H> {
    /// The draft that the model writes, or why there is none.
    pub(super) async fn draft(
        &self,
        messages: &[Message],
        rungs: &mut Rungs,
    ) -> Result<Found, PlanWarning> {
        let ModelOptions {
            endpoint, model, ..
        } = self.options;
        let mut rung = rungs.of(endpoint, model);
        let mut failures = 0;
        let mut was_cut = false;
        loop {
            let Some(left_ms) = self.left_ms().await else {
                return Err(failed("the time for the model is over"));
            };
            let ask = Ask::Model {
                body: self.body(messages, rung),
                timeout_ms: u32::try_from(left_ms).unwrap_or(u32::MAX),
            };
            let (outcome, retry_after) = match self.host.ask(ask).await {
                Answer::Model(answer) => (outcome(&answer), answer.retry_after),
                Answer::Failed(message) => (
                    Outcome::Passing(format!("the model cannot be reached: {message}")),
                    None,
                ),
                _ => (
                    Outcome::Lasting("the host answered another question".to_owned()),
                    None,
                ),
            };
            let passing = match outcome {
                Outcome::Text { text, is_cut } => {
                    rungs.remember(endpoint, model, rung);
                    match plan_from_text(&text) {
                        Ok(repaired) => {
                            let is_cut = is_cut || repaired.repairs.contains(&Repair::Truncated);
                            return Ok(Found {
                                draft: repaired.draft,
                                repairs: repaired.repairs,
                                is_cut,
                            });
                        }
                        // What was cut twice would be cut a third time.
                        Err(error) if is_cut && was_cut => return Err(failed(error.message)),
                        Err(error) => {
                            was_cut |= is_cut;
                            format!("the model's answer is no plan: {}", error.message)
                        }
                    }
                }
                Outcome::Format(message) => match rung.next() {
                    Some(next) => {
                        rung = next;
                        continue;
                    }
                    None => return Err(failed(message)),
                },
                Outcome::Refusal(message) => {
                    return Err(PlanWarning::new(PlanWarningCode::ModelRefused, message));
                }
                Outcome::Lasting(message) => return Err(failed(message)),
                Outcome::Passing(message) => message,
            };
            failures += 1;
            if failures >= self.options.max_retries
                || !self.wait(failures, retry_after.as_deref()).await
            {
                return Err(failed(passing));
            }
        }
    }

    /// Waits before the next call; `false` where there is no time for it.
    async fn wait(&self, failures: u32, retry_after: Option<&str>) -> bool {
        let Some(left_ms) = self.left_ms().await else {
            return false;
        };
        let now_ms = self.started_ms + i64::from(self.options.deadline_ms) - left_ms;
        let wait_ms = retry::wait_ms(failures, retry_after, now_ms);
        if wait_ms >= left_ms {
            return false;
        }
        let ms = u32::try_from(wait_ms).unwrap_or(0);
        ms == 0 || self.host.ask(Ask::Wait { ms }).await == Answer::Done
    }

    /// How many milliseconds are left; `None` where none are, and where the host does not tell.
    async fn left_ms(&self) -> Option<i64> {
        let deadline_ms = i64::from(self.options.deadline_ms);
        let passed_ms = now_ms(self.host).await? - self.started_ms;
        // A clock that was set back gives no more time than there was.
        let left_ms = deadline_ms - passed_ms.max(0);
        (left_ms > 0).then_some(left_ms)
    }

    fn body(&self, messages: &[Message], rung: Rung) -> String {
        let body = Body {
            model: &self.options.model,
            messages,
            temperature: 0,
            response_format: rung.response_format(self.catalogue),
        };
        // Writing to memory cannot fail, and every key is a text.
        serde_json::to_string(&body).unwrap_or_default()
    }
}

/// A request for a chat completion.
#[derive(Debug, Serialize)]
struct Body<'b> {
    model: &'b str,
    messages: &'b [Message],
    temperature: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat>,
}

fn failed(message: impl Into<String>) -> PlanWarning {
    PlanWarning::new(PlanWarningCode::ModelFailed, message)
}
