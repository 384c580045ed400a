//! Planning with a language model, with retries, and with the deterministic plan as fallback.
//!
//! There is always a plan: every failure leads to the deterministic plan and a warning.

mod classify_response;
mod conversation;
mod options;
mod plan_task;
mod response_formats;
mod retry;
mod task;

pub use self::options::ModelOptions;
pub use self::response_formats::{FormatLevel, SupportedFormats};
pub(crate) use self::task::Task;

pub(crate) use self::conversation::{Conversation, ModelFault, now_ms};
use self::plan_task::{ModelDraft, PlanTask};
use super::calendar::Weekday;
use super::catalogue::Catalogue;
use super::clock::{Clock, TimeZone, Utc, with_offsets};
use super::deterministic::{QuestionWords, plan_from_words, read_words, truncate_question};
use super::draft::DraftFilter;
use super::plan::{Plan, PlanMeta, PlanSource, PlanWarning, PlanWarningCode};
use super::prompt::build_messages;
use super::validate::{Mandatory, Rules, Validated, validate};
use ragnav_base::host::Host;

/// The settings of the planner.
///
/// # Examples
///
/// ```
/// use ragnav_agent::calendar::Weekday;
/// use ragnav_agent::catalogue::Catalogue;
/// use ragnav_agent::model::{ModelOptions, PlanSettings};
/// use ragnav_agent::validate::Mandatory;
///
/// let settings = PlanSettings {
///     catalogue: Catalogue::notes(),
///     first_day_of_week: Weekday::Monday,
///     mandatory: Mandatory::default(),
///     model: Some(ModelOptions::new("http://localhost:11434/v1", "qwen3:8b")),
/// };
/// assert_eq!(settings.model.unwrap().model, "qwen3:8b");
/// ```
#[derive(Debug, Clone)]
pub struct PlanSettings {
    /// The metadata fields.
    pub catalogue: Catalogue,
    /// The first day of the week.
    pub first_day_of_week: Weekday,
    /// Filters that apply to every plan. No model sees them.
    pub mandatory: Mandatory,
    /// The language model, if there is one.
    pub model: Option<ModelOptions>,
}

impl PlanSettings {
    fn clock<'a>(&self, now_ms: i64, zone: &'a dyn TimeZone) -> Clock<'a> {
        Clock {
            now_ms,
            zone,
            first_day_of_week: self.first_day_of_week,
        }
    }
}

/// Plans a question.
///
/// It requests the time, time zone offsets and, with a model, chat completions. There is always a
/// plan: without offsets dates are in UTC, without a clock they count from 1970, and without a
/// model the words of the question are planned. A warning reports each of these.
///
/// # Examples
///
/// ```
/// use ragnav_agent::calendar::Weekday;
/// use ragnav_agent::catalogue::Catalogue;
/// use ragnav_agent::model::{PlanSettings, SupportedFormats, plan};
/// use ragnav_agent::plan::PlanSource;
/// use ragnav_agent::validate::Mandatory;
/// use ragnav_base::memory_host::{MemoryHost, block_on};
///
/// let settings = PlanSettings {
///     catalogue: Catalogue::notes(),
///     first_day_of_week: Weekday::Monday,
///     mandatory: Mandatory::default(),
///     model: None,
/// };
/// let (host, mut formats) = (MemoryHost::default(), SupportedFormats::default());
/// let planned = block_on(plan(&host, "deployment tag:ops", &settings, &mut formats));
/// assert_eq!(planned.source, PlanSource::Deterministic);
/// assert_eq!(planned.plan.semantic_query, "deployment");
/// ```
pub async fn plan(
    host: &impl Host,
    question: &str,
    settings: &PlanSettings,
    formats: &mut SupportedFormats,
) -> PlanMeta {
    let started_ms = now_ms(host).await;
    let mut lost = Vec::new();
    if started_ms.is_none() {
        let message = "the host has no clock; dates count from 1970";
        lost.push(PlanWarning::new(PlanWarningCode::NoClock, message));
    }
    let now_ms = started_ms.unwrap_or_default();
    let PlanSettings {
        catalogue,
        mandatory,
        model,
        ..
    } = settings;
    let from_words = |zone: &dyn TimeZone| {
        let words = read_words(question, catalogue, &settings.clock(now_ms, zone));
        let meta = plan_from_words(&words, catalogue, settings.clock(now_ms, zone), mandatory);
        (
            words,
            build_messages(
                truncate_question(question),
                catalogue,
                &settings.clock(now_ms, zone),
            ),
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
    let conversation = Conversation {
        host,
        options: model,
        started_ms: now_ms,
    };
    let task = PlanTask(catalogue);
    let found = match conversation.request(&task, &messages, formats).await {
        Ok(found) => found,
        Err(fault) => {
            fallback.warnings.push(fault.into());
            return fallback;
        }
    };
    let build_plan = |zone: &dyn TimeZone| {
        let rules = Rules {
            catalogue,
            clock: settings.clock(now_ms, zone),
            mandatory,
            grounded_in: Some(question),
        };
        plan_from_model(&found, &words, &rules)
    };
    let mut meta = match with_offsets(host, build_plan).await {
        Ok(meta) => meta,
        Err(_) => build_plan(&Utc),
    };
    meta.warnings.splice(0..0, lost);
    meta
}

fn has_words(fallback: &PlanMeta) -> bool {
    let is_empty = |warning: &PlanWarning| warning.code == PlanWarningCode::EmptyQuestion;
    !fallback.warnings.iter().any(is_empty)
}

/// Builds the plan of a model's draft, completed from the words of the question.
fn plan_from_model(found: &ModelDraft, words: &QuestionWords, rules: &Rules<'_>) -> PlanMeta {
    let mut draft = found.draft.clone();
    let own = validate(&draft, &words.draft, rules);
    let mut warnings = words.warnings.clone();
    if found.is_truncated {
        let message =
            "the model's answer was truncated; missing parts come from the words of the question";
        warnings.push(PlanWarning::new(PlanWarningCode::ModelCut, message));
    }
    let missing = missing_filters(&own, words, rules.catalogue);
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
        warnings: filter_warnings,
        dropped,
    } = validate(&draft, &words.draft, rules);
    repairs.extend(&found.repairs);
    warnings.extend(filter_warnings);
    let finds_everything = |plan: &Plan| {
        !plan.semantic_search_needed && plan.filters.len() == rules.mandatory.filters().len()
    };
    if finds_everything(&plan) {
        let by_words = validate(&words.draft, &words.draft, rules).plan;
        if !finds_everything(&by_words) {
            let message = "the model's plan would have matched everything; the words of the \
                           question are searched instead";
            warnings.push(PlanWarning::new(PlanWarningCode::QueryRestored, message));
            plan = by_words;
        }
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

/// Returns the filters of the question that a model's plan lacks: written filters such as `tag:x`,
/// and those on fields whose filters were dropped.
fn missing_filters(
    own: &Validated,
    words: &QuestionWords,
    catalogue: &Catalogue,
) -> Vec<DraftFilter> {
    let named = |name: &str| {
        let field = catalogue.field_like(name.trim());
        field.map(|field| field.name.clone())
    };
    let is_said = |filter: &&DraftFilter| {
        let mut kept = own.plan.filters.iter();
        kept.any(|kept| Some(&kept.field) == named(&filter.field).as_ref())
    };
    let is_dropped = |filter: &&DraftFilter| {
        let mut dropped = own.dropped.iter();
        dropped.any(|dropped| named(&dropped.field) == named(&filter.field))
    };
    let meant = words.draft.filters.iter().flatten();
    let meant = meant.filter(|filter| words.explicit.contains(filter) || is_dropped(filter));
    meant.filter(|filter| !is_said(filter)).cloned().collect()
}
