//! Planning with a language model: asked, asked again where that may help, and replaced by the words of the question where not.
//!
//! Source: seed `micro-agent`, section 1, `deconstruct_query`. Its fallback holds for every failure here: there is always a plan.

mod answer;
mod asking;
mod ladder;
mod retry;

pub use self::ladder::{Rung, Rungs};

use self::asking::{Asking, Found, now_ms};
use super::catalogue::Catalogue;
use super::civil::Weekday;
use super::clock::{Clock, TimeZone, Utc, with_offsets};
use super::deterministic::{Words, bounded, of_words, read};
use super::draft::DraftFilter;
use super::plan::{Plan, PlanMeta, PlanSource, PlanWarning, PlanWarningCode};
use super::prompt::messages;
use super::validate::{Mandatory, Rules, Validated, validate};
use ragnav_base::host::Host;

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

/// The plan of a model's draft, held against the words of the question.
fn of_model(found: &Found, words: &Words, rules: &Rules<'_>) -> PlanMeta {
    let mut draft = found.draft.clone();
    let own = validate(&draft, &words.draft, rules);
    let mut warnings = words.warnings.clone();
    if found.is_cut {
        let message = "the model's answer was cut: what it lacks is from the words of the question";
        warnings.push(PlanWarning::new(PlanWarningCode::ModelCut, message));
    }
    let missing = unsaid(&own, words, rules.catalogue);
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
    let finds_everything = |plan: &Plan| {
        !plan.semantic_search_needed && plan.filters.len() == rules.mandatory.filters().len()
    };
    if finds_everything(&plan) {
        let by_words = validate(&words.draft, &words.draft, rules).plan;
        if !finds_everything(&by_words) {
            let message = "the model's plan would have found everything: the words of the question are searched";
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

/// Filters of the question's words that a model's plan lost: those that were written as such, and those on fields of which the model's own
/// were left out.
fn unsaid(own: &Validated, words: &Words, catalogue: &Catalogue) -> Vec<DraftFilter> {
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
