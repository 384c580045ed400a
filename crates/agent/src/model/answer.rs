//! What a server's answer comes to.

use serde_json::Value;

use super::ladder::names_format;
use ragnav_base::host::ModelAnswer;

/// What an answer comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The model's words.
    Text {
        text: String,
        /// Whether the model's limit cut them.
        is_cut: bool,
    },
    /// The model, or a filter before it, refused.
    Refusal(String),
    /// The server does not know the shape that was asked for.
    Format(String),
    /// It may be otherwise the next time.
    Passing(String),
    /// It will be the same the next time.
    Lasting(String),
}

/// Longest message of a server that is shown, in characters.
const MAX_MESSAGE: usize = 200;

/// What an answer comes to, by its status, or by the one that an error inside a 200 names.
pub(super) fn outcome(answer: &ModelAnswer) -> Outcome {
    let body: Option<Value> = serde_json::from_str(&answer.body).ok();
    let error = body.as_ref().and_then(error);
    if !(200..300).contains(&answer.status) {
        let message = error.map_or_else(|| answer.body.clone(), |error| error.message);
        return refused(answer.status, &answer.body, &message);
    }
    if let Some(error) = error {
        // OpenRouter answers 200 where the provider behind it failed.
        return refused(error.status.unwrap_or(500), &answer.body, &error.message);
    }
    body.as_ref().and_then(choice).unwrap_or_else(|| {
        Outcome::Passing("the server's answer has no message, or is cut".to_owned())
    })
}

fn refused(status: u16, body: &str, message: &str) -> Outcome {
    let message: String = message.trim().chars().take(MAX_MESSAGE).collect();
    let message = format!("the model's server answered {status}: {message}");
    match status {
        400 | 422 if names_format(body) => Outcome::Format(message),
        429 if body.contains("insufficient_quota") => Outcome::Lasting(message),
        408 | 409 | 425 | 429 | 500..=599 => Outcome::Passing(message),
        _ => Outcome::Lasting(message),
    }
}

struct ServerError {
    message: String,
    /// The status that it names as its code.
    status: Option<u16>,
}

/// The error of a body: an object with a message, a bare string (LM Studio), with a code that is a number (llama.cpp) or a word.
fn error(body: &Value) -> Option<ServerError> {
    let error = body.get("error").filter(|error| !error.is_null())?;
    let message = error.as_str().or_else(|| error.get("message")?.as_str());
    let code = error.get("code").or_else(|| body.get("code"));
    let code = code.and_then(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok()));
    let status = code.and_then(|code| u16::try_from(code).ok());
    Some(ServerError {
        message: message.map_or_else(|| error.to_string(), str::to_owned),
        status: status.filter(|status| (400..600).contains(status)),
    })
}

/// What the first choice of an answer says; `None` where there is none.
fn choice(body: &Value) -> Option<Outcome> {
    let choice = body.get("choices")?.get(0)?;
    let message = choice.get("message")?;
    let finish = choice
        .get("finish_reason")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let refusal = message
        .get("refusal")
        .and_then(Value::as_str)
        .filter(|refusal| !refusal.is_empty());
    if let Some(refusal) = refusal {
        let shown: String = refusal.chars().take(MAX_MESSAGE).collect();
        return Some(Outcome::Refusal(format!("the model refused: {shown}")));
    }
    if finish == "content_filter" {
        return Some(Outcome::Refusal(
            "a filter held the model's answer back".to_owned(),
        ));
    }
    let text = content(message)
        .or_else(|| arguments(message))
        .unwrap_or_default();
    let is_cut = finish == "length";
    Some(Outcome::Text { text, is_cut })
}

/// The text of a message, which may come in parts.
fn content(message: &Value) -> Option<String> {
    let content = message.get("content")?;
    let text = match content.as_array() {
        Some(parts) => {
            let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
            texts.collect()
        }
        None => content.as_str()?.to_owned(),
    };
    (!text.trim().is_empty()).then_some(text)
}

/// What a model passes to a tool that nobody offered.
fn arguments(message: &Value) -> Option<String> {
    let call = message.get("tool_calls")?.get(0)?.get("function")?;
    call.get("arguments")?.as_str().map(str::to_owned)
}
