//! Planning with a language model: asked, asked again where that may help, and replaced by the words of the question where not.
//!
//! Source: seed `micro-agent`, section 1, `deconstruct_query`. Its fallback holds for every failure here: there is always a plan.

mod answer;
mod ladder;
mod retry;

use std::collections::BTreeSet;

use serde_json::{Value, json};

pub use self::ladder::{Rung, Rungs};

use self::answer::{Outcome, outcome};
use super::catalogue::Catalogue;
use super::civil::Weekday;
use super::clock::{Clock, TimeZone, Utc, with_offsets};
use super::deterministic::{Words, bounded, of_words, read};
use super::draft::{Draft, DraftFilter};
use super::plan::{PlanMeta, PlanSource, PlanWarning, PlanWarningCode, Repair};
use super::prompt::{Message, messages};
use super::repair::plan_from_text;
use super::validate::{Mandatory, Rules, Validated, validate};
use crate::host::{self, Answer, Ask, Host};

/// Which model is asked, and for how long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelOptions {
    /// The base URL, by which what a server takes is remembered; never asked by the core.
    pub endpoint: String,
    /// The model's name.
    pub model: String,
    /// Calls in all, at least 1; a call for a simpler shape is not counted. Default 3.
    pub max_retries: u32,
    /// Milliseconds for everything, waits included. Default 15,000.
    pub deadline_ms: u32,
}

impl ModelOptions {
    /// A model at an endpoint, with the defaults.
    #[must_use]
    pub fn new(endpoint: &str, model: &str) -> Self {
        Self {
            endpoint: endpoint.to_owned(),
            model: model.to_owned(),
            max_retries: 3,
            deadline_ms: 15_000,
        }
    }
}

/// What a question is planned with.
#[derive(Debug, Clone)]
pub struct Planning {
    /// The fields there are.
    pub catalogue: Catalogue,
    /// On which day a week begins.
    pub first_day_of_week: Weekday,
    /// Filters that hold in any case; no model sees them.
    pub mandatory: Mandatory,
    /// The model, where one is set.
    pub model: Option<ModelOptions>,
}

impl Planning {
    fn clock<'a>(&self, now_ms: i64, zone: &'a dyn TimeZone) -> Clock<'a> {
        Clock {
            now_ms,
            zone,
            first_day_of_week: self.first_day_of_week,
        }
    }
}

/// The plan of a question.
///
/// Asks for the time, for time zone offsets, and, where a model is set, for the model and for waits. There is always a plan: where the host
/// fails, dates are counted in UTC or from 1970, and the words of the question are planned without a model, and it is said.
pub async fn plan(
    host: &impl Host,
    question: &str,
    planning: &Planning,
    rungs: &mut Rungs,
) -> PlanMeta {
    let started_ms = now_ms(host).await;
    let mut lost = Vec::new();
    if started_ms.is_none() {
        let message = "the host does not tell the time: dates are counted from 1970";
        lost.push(PlanWarning::new(PlanWarningCode::NoClock, message));
    }
    let now_ms = started_ms.unwrap_or_default();
    let Planning {
        catalogue,
        mandatory,
        model,
        ..
    } = planning;
    let from_words = |zone: &dyn TimeZone| {
        let words = read(question, catalogue, &planning.clock(now_ms, zone));
        let meta = of_words(&words, catalogue, planning.clock(now_ms, zone), mandatory);
        (
            words,
            messages(bounded(question), catalogue, &planning.clock(now_ms, zone)),
            meta,
        )
    };
    let (words, messages, mut fallback) = match with_offsets(host, from_words).await {
        Ok(planned) => planned,
        Err(error) => {
            let message = format!("dates are in UTC: {}", error.message);
            lost.push(PlanWarning::new(PlanWarningCode::NoClock, message));
            from_words(&Utc)
        }
    };
    fallback.warnings.splice(0..0, lost.iter().cloned());
    let Some(model) = model.as_ref().filter(|_| has_words(&fallback)) else {
        return fallback;
    };
    let asking = Asking {
        host,
        options: model,
        catalogue,
        started_ms: now_ms,
    };
    let found = match asking.draft(&messages, rungs).await {
        Ok(found) => found,
        Err(warning) => {
            fallback.warnings.push(warning);
            return fallback;
        }
    };
    let of_model = |zone: &dyn TimeZone| {
        let rules = Rules {
            catalogue,
            clock: planning.clock(now_ms, zone),
            mandatory,
            grounded_in: Some(question),
        };
        of_model(&found, &words, &rules)
    };
    let mut meta = match with_offsets(host, of_model).await {
        Ok(meta) => meta,
        Err(_) => of_model(&Utc),
    };
    meta.warnings.splice(0..0, lost);
    meta
}

fn has_words(fallback: &PlanMeta) -> bool {
    let is_empty = |warning: &PlanWarning| warning.code == PlanWarningCode::EmptyQuestion;
    !fallback.warnings.iter().any(is_empty)
}

/// What a model wrote.
#[derive(Debug)]
struct Found {
    draft: Draft,
    repairs: BTreeSet<Repair>,
    is_cut: bool,
}

/// The plan of a model's draft, held against the words of the question.
fn of_model(found: &Found, words: &Words, rules: &Rules<'_>) -> PlanMeta {
    let mut draft = found.draft.clone();
    let mut warnings = words.warnings.clone();
    if found.is_cut {
        let message = "the model's answer was cut: what it lacks is from the words of the question";
        warnings.push(PlanWarning::new(PlanWarningCode::ModelCut, message));
    }
    let missing = unsaid(&draft, words, rules.catalogue);
    if !missing.is_empty() {
        let shown: Vec<&str> = missing.iter().map(|filter| filter.field.as_str()).collect();
        let message = format!(
            "the question's own filters on {} were added to the model's",
            shown.join(", ")
        );
        warnings.push(PlanWarning::new(PlanWarningCode::FilterAdded, message));
        draft.filters.get_or_insert_default().extend(missing);
    }
    let Validated {
        mut plan,
        mut repairs,
        warnings: of_filters,
        dropped,
    } = validate(&draft, &words.draft, rules);
    repairs.extend(&found.repairs);
    warnings.extend(of_filters);
    let is_bare =
        !plan.semantic_search_needed && plan.filters.len() == rules.mandatory.filters().len();
    let query = words.draft.semantic_query.as_deref().unwrap_or_default();
    if is_bare && !query.is_empty() {
        let message =
            "the model's plan would have found everything: the words of the question are searched";
        warnings.push(PlanWarning::new(PlanWarningCode::QueryRestored, message));
        plan.semantic_search_needed = true;
        query.clone_into(&mut plan.semantic_query);
    }
    PlanMeta {
        source: if found.repairs.is_empty() {
            PlanSource::Llm
        } else {
            PlanSource::LlmRepaired
        },
        plan,
        mandatory: rules.mandatory.count(),
        repairs: repairs.into_iter().collect(),
        warnings,
        dropped,
    }
}

/// Filters that were written as such into the question, and on whose fields a model's draft has none.
fn unsaid(draft: &Draft, words: &Words, catalogue: &Catalogue) -> Vec<DraftFilter> {
    let Some(filters) = &draft.filters else {
        // Then all filters are from the words.
        return Vec::new();
    };
    let same = |one: &str, other: &str| {
        let named = |name: &str| {
            catalogue
                .field_like(name.trim())
                .map(|field| field.name.clone())
        };
        named(one) == named(other)
    };
    let is_unsaid =
        |own: &&DraftFilter| !filters.iter().any(|filter| same(&filter.field, &own.field));
    words.explicit.iter().filter(is_unsaid).cloned().collect()
}

async fn now_ms(host: &impl Host) -> Option<i64> {
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
struct Asking<'a, H> {
    host: &'a H,
    options: &'a ModelOptions,
    catalogue: &'a Catalogue,
    started_ms: i64,
}

impl<H: Host> Asking<'_, H> {
    /// The draft that the model writes, or why there is none.
    async fn draft(&self, messages: &[Message], rungs: &mut Rungs) -> Result<Found, PlanWarning> {
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
        let mut body = json!({
            "model": self.options.model,
            "messages": messages,
            "temperature": 0,
        });
        if let (Some(body), Some(format)) =
            (body.as_object_mut(), rung.response_format(self.catalogue))
        {
            body.insert("response_format".to_owned(), format);
        }
        Value::to_string(&body)
    }
}

fn failed(message: impl Into<String>) -> PlanWarning {
    PlanWarning::new(PlanWarningCode::ModelFailed, message)
}
