//! Requesting an answer from a model, with retries.

use serde::Serialize;

use super::classify_response::{Outcome, classify_response};
use super::options::ModelOptions;
use super::response_formats::{FormatLevel, ResponseFormat, SupportedFormats};
use super::retry;
use super::task::Task;
use crate::prompt::Message;
use ragnav_base::host::{Host, ModelRequest, NowRequest, Response, WaitRequest};

/// Why a model gave no answer, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ModelFault {
    /// The model cannot be reached, or all attempts failed.
    Failed(String),
    /// The model or a content filter refused.
    Refused(String),
}

impl ModelFault {
    /// Returns the reason.
    pub(crate) fn message(&self) -> &str {
        match self {
            Self::Failed(message) | Self::Refused(message) => message,
        }
    }
}

pub(crate) async fn now_ms(host: &impl Host) -> Option<i64> {
    let now = host.send(NowRequest {}).await.ok()?;
    // The years 1 to 9999, so that later arithmetic cannot overflow.
    Some(now.ms.clamp(-62_000_000_000_000, 250_000_000_000_000))
}

/// A conversation with a model, with its limits.
pub(crate) struct Conversation<'a, H> {
    pub(crate) host: &'a H,
    pub(crate) options: &'a ModelOptions,
    pub(crate) started_ms: i64,
}

impl<H: Host> Conversation<'_, H> {
    /// Requests an answer until there is one, or returns the reason for giving up.
    pub(crate) async fn request<T: Task>(
        &self,
        task: &T,
        messages: &[Message],
        formats: &mut SupportedFormats,
    ) -> Result<T::Answer, ModelFault> {
        let ModelOptions {
            endpoint, model, ..
        } = self.options;
        let mut level = formats.get(endpoint, model);
        let mut failures = 0;
        let mut was_truncated = false;
        loop {
            let Some(left_ms) = self.left_ms().await else {
                return Err(failed("the time for the model is over"));
            };
            let request = ModelRequest {
                body: self.request_body(task, messages, level),
                timeout_ms: u32::try_from(left_ms).unwrap_or(u32::MAX),
            };
            let (outcome, retry_after) = match self.host.respond(request.into()).await {
                Response::Model(response) => (classify_response(&response), response.retry_after),
                Response::Failed(message) => (
                    Outcome::Transient(format!("the model cannot be reached: {message}")),
                    None,
                ),
                _ => (
                    Outcome::Permanent("the host sent the wrong response".to_owned()),
                    None,
                ),
            };
            let failure = match outcome {
                Outcome::Text { text, is_truncated } => {
                    formats.remember(endpoint, model, level);
                    match task.read(&text, is_truncated) {
                        Ok(answer) => return Ok(answer),
                        // A second truncated text means that further ones will be truncated too.
                        Err(error) if is_truncated && was_truncated => {
                            return Err(failed(error.message));
                        }
                        Err(error) => {
                            was_truncated |= is_truncated;
                            format!("the model's answer is no {}: {}", T::ANSWER, error.message)
                        }
                    }
                }
                Outcome::UnsupportedFormat(message) => match level.next() {
                    Some(next) => {
                        level = next;
                        continue;
                    }
                    None => return Err(failed(message)),
                },
                Outcome::Refusal(message) => return Err(ModelFault::Refused(message)),
                Outcome::Permanent(message) => return Err(failed(message)),
                Outcome::Transient(message) => message,
            };
            failures += 1;
            if failures >= self.options.max_retries
                || !self.wait(failures, retry_after.as_deref()).await
            {
                return Err(failed(failure));
            }
        }
    }

    /// Waits before the next call. Returns `false` if the time limit does not allow it.
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
        ms == 0 || self.host.send(WaitRequest { ms }).await.is_ok()
    }

    /// Returns the remaining time in milliseconds; `None` if it is over or the host has no clock.
    async fn left_ms(&self) -> Option<i64> {
        let deadline_ms = i64::from(self.options.deadline_ms);
        let passed_ms = now_ms(self.host).await? - self.started_ms;
        // A clock that was set back does not extend the time limit.
        let left_ms = deadline_ms - passed_ms.max(0);
        (left_ms > 0).then_some(left_ms)
    }

    fn request_body(&self, task: &impl Task, messages: &[Message], level: FormatLevel) -> String {
        let body = CompletionRequest {
            model: &self.options.model,
            messages,
            temperature: 0,
            response_format: level.response_format(task),
        };
        // Writing to memory cannot fail, and every key is a text.
        serde_json::to_string(&body).unwrap_or_default()
    }
}

/// The body of a chat completion request.
#[derive(Debug, Serialize)]
struct CompletionRequest<'b> {
    model: &'b str,
    messages: &'b [Message],
    temperature: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat>,
}

fn failed(message: impl Into<String>) -> ModelFault {
    ModelFault::Failed(message.into())
}
