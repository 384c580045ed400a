//! The micro-agent, as JavaScript calls it.

use serde::{Deserialize, Serialize};
use tsify::Tsify;
use wasm_bindgen::prelude::*;

use super::{JsSession, convert};
use ragnav_agent::answer::AgentResult;
use ragnav_agent::ask::{self, AgentQuery, AskOptions};
use ragnav_agent::calendar::Weekday;
use ragnav_agent::catalogue::{Catalogue, Field};
use ragnav_agent::clock::{Clock, KnownOffsets};
use ragnav_agent::draft::Draft;
use ragnav_agent::model::{self, ModelOptions, PlanSettings, Rungs};
use ragnav_agent::plan::{Filter, Plan, PlanMeta, PlanSource, Repair};
use ragnav_agent::store::files::StoreCache;
use ragnav_agent::validate::Mandatory;
use ragnav_agent::{caller_plan, deterministic, repair, schema};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_repository::settings::Settings;

#[wasm_bindgen(typescript_custom_section)]
const PASSAGE: &str = r#"
/** A document of an answer. */
export type Passage = Package & {
    /** Where it stands; `null` for a document of no file. */
    citation: Citation | null;
    /** How well it fits, from 0 to 1; `null` where nothing was searched for. */
    score: number | null;
    /** Which it was among those that were found, from 1. */
    rank: number;
    /** How many others of its file were found, and are left out for it. */
    siblings: number;
    /** Where this row came from. */
    source: SourceTag;
    /** How current this row is. */
    freshness_state: FreshnessState;
    /** How that is known. */
    proof: Proof;
    /** How it was found again in a file that has changed; `null` where it has not. */
    match: Match | null;
};
"#;

/// What a question is planned with.
#[derive(Debug, Default, Deserialize, Tsify)]
pub(super) struct PlanningOptions {
    /// The fields there are: of notes (where questions are only planned, the default), of code, of both (where they are answered, the
    /// default), or one's own.
    #[tsify(
        optional,
        type = "\"notes\" | \"code\" | \"all\" | Field[] | null | undefined"
    )]
    catalogue: Option<Fields>,
    /// On which day a week begins. Default Monday.
    #[tsify(optional, type = "Weekday | null | undefined")]
    first_day_of_week: Option<Weekday>,
    /// Filters that hold in any case. No model sees them.
    #[tsify(optional, type = "Filter[] | null | undefined")]
    mandatory: Option<Vec<Filter>>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Fields {
    Preset(Preset),
    Own(Vec<Field>),
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Preset {
    Notes,
    Code,
    All,
}

/// Which model is asked, and for how long.
#[derive(Debug, Deserialize, Tsify)]
pub(super) struct ModelChoice {
    /// The base URL, by which what a server takes is remembered.
    endpoint: String,
    /// Its name.
    model: String,
    /// Calls in all.
    max_retries: u32,
    /// Milliseconds for everything, waits included.
    deadline_ms: u32,
}

/// What was found in the text of a model.
#[derive(Debug, Serialize, Tsify)]
struct PlanFromText {
    /// The plan, as far as it was written.
    plan: Draft,
    /// What had to be mended.
    repairs: Vec<Repair>,
}

/// A plan that may have been made without knowing the time zone at some instants.
#[derive(Debug, Serialize, Tsify)]
struct PlanByWords {
    /// The plan; right once nothing is wanted.
    plan: PlanMeta,
    /// Instants, in seconds since 1970, whose offsets are wanted.
    wanted: Vec<i64>,
}

/// A plan by a model, and what was learned of it.
#[derive(Debug, Serialize, Tsify)]
struct PlanByModel {
    plan: PlanMeta,
    rungs: Rungs,
}

impl ModelChoice {
    fn options(self) -> ModelOptions {
        ModelOptions {
            endpoint: self.endpoint,
            model: self.model,
            max_retries: self.max_retries,
            deadline_ms: self.deadline_ms,
        }
    }
}

/// An answer, and what was learned of the model that planned it.
#[derive(Debug, Serialize, Tsify)]
pub(super) struct AnswerByModel {
    answer: AgentResult,
    rungs: Rungs,
}

/// What the host of a question has beside files.
#[derive(Debug, Default, Deserialize, Tsify)]
pub(super) struct AskPorts {
    /// Whether it has a store that is asked in place of the embedded one.
    has_store: bool,
    /// Whether it embeds texts.
    embeds: bool,
    /// The plan, where the caller made it.
    #[tsify(optional, type = "Plan | null | undefined")]
    plan: Option<Plan>,
    /// Who made that plan. Default: the caller.
    #[tsify(optional, type = "PlanSource | null | undefined")]
    plan_source: Option<PlanSource>,
}

/// What a question to the agent is asked with.
pub(super) struct Question {
    text: String,
    planning: PlanSettings,
    rungs: Rungs,
    options: AskOptions,
    ports: AskPorts,
}

impl Question {
    pub(super) fn understand(
        question: &JsValue,
        planning: &JsValue,
        model: &JsValue,
        rungs: &JsValue,
        options: &JsValue,
        ports: &JsValue,
    ) -> Result<Self, RagnavError> {
        let model: Option<ModelChoice> = if model.is_null() {
            None
        } else {
            Some(convert::required("model", model)?)
        };
        let mut planning: PlanningOptions = convert::options("options", planning)?;
        planning
            .catalogue
            .get_or_insert(Fields::Preset(Preset::All));
        Ok(Self {
            text: convert::text("question", question)?,
            planning: planning.planning(model.map(ModelChoice::options))?,
            rungs: convert::required("rungs", rungs)?,
            options: convert::options("options", options)?,
            ports: convert::required("plan", ports)?,
        })
    }

    /// Plans the question, unless its caller did, and answers it.
    pub(super) async fn answer<H: Host>(
        mut self,
        host: &H,
        settings: &Settings,
        cache: &StoreCache,
    ) -> AnswerByModel {
        let plan = match self.ports.plan.take() {
            Some(plan) => {
                let source = self.ports.plan_source.unwrap_or(PlanSource::Given);
                caller_plan::accept_plan(plan, source, &self.planning)
            }
            None => Ok(model::plan(host, &self.text, &self.planning, &mut self.rungs).await),
        };
        let rungs = self.rungs;
        let plan = match plan {
            Ok(plan) => plan,
            Err(error) => {
                let answer = ask::ask_error(&self.text, error);
                return AnswerByModel { answer, rungs };
            }
        };
        let asking = AgentQuery {
            question: &self.text,
            plan,
            catalogue: &self.planning.catalogue,
            mandatory: self.planning.mandatory.filters(),
            options: &self.options,
            cache,
            is_foreign: self.ports.has_store,
            embeds: self.ports.embeds,
        };
        let answer = ask::ask(host, settings, &asking).await;
        AnswerByModel { answer, rungs }
    }
}

/// The answer to a question that was not understood.
pub(super) fn not_understood(question: &JsValue, error: RagnavError) -> AnswerByModel {
    let shown = question.as_string().unwrap_or_default();
    AnswerByModel {
        answer: ask::ask_error(&shown, error),
        rungs: Rungs::default(),
    }
}

impl PlanningOptions {
    /// The catalogue, `None` where none is named.
    pub(super) fn named_catalogue(&mut self) -> Result<Option<Catalogue>, RagnavError> {
        if self.catalogue.is_none() {
            return Ok(None);
        }
        self.catalogue().map(Some)
    }

    fn catalogue(&mut self) -> Result<Catalogue, RagnavError> {
        match self.catalogue.take() {
            None | Some(Fields::Preset(Preset::Notes)) => Ok(Catalogue::notes()),
            Some(Fields::Preset(Preset::Code)) => Ok(Catalogue::code()),
            Some(Fields::Preset(Preset::All)) => Ok(Catalogue::all()),
            Some(Fields::Own(fields)) => Catalogue::new(fields),
        }
    }

    pub(super) fn planning(
        mut self,
        model: Option<ModelOptions>,
    ) -> Result<PlanSettings, RagnavError> {
        Ok(PlanSettings {
            catalogue: self.catalogue()?,
            first_day_of_week: self.first_day_of_week.unwrap_or_default(),
            mandatory: Mandatory::new(self.mandatory.unwrap_or_default())?,
            model,
        })
    }
}

/// The plan in what a model wrote; throws a `RagnavErrorValue` with `PLAN_FAILED` where there is none.
#[wasm_bindgen(js_name = planFromText, unchecked_return_type = "PlanFromText")]
pub fn plan_from_text(text: &JsValue) -> Result<JsValue, JsValue> {
    let found = convert::text("text", text).and_then(|text| repair::plan_from_text(&text));
    let found = found.map_err(|error| convert::thrown(&error))?;
    Ok(convert::value(&PlanFromText {
        plan: found.draft,
        repairs: found.repairs.into_iter().collect(),
    }))
}

/// The plan by the words of a question. `offsets` are pairs of instants and time zone offsets, both in seconds.
#[wasm_bindgen(js_name = planByWords, unchecked_return_type = "PlanByWords")]
pub fn plan_by_words(
    question: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "PlanningOptions | null | undefined")] options: &JsValue,
    now_ms: f64,
    #[wasm_bindgen(unchecked_param_type = "[number, number][]")] offsets: &JsValue,
) -> Result<JsValue, JsValue> {
    let planned = || {
        let question = convert::text("question", question)?;
        let options: PlanningOptions = convert::options("options", options)?;
        let planning = options.planning(None)?;
        let mut zone = KnownOffsets::default();
        for (at, offset) in convert::required::<Vec<(i64, i32)>>("offsets", offsets)? {
            zone.add(at, offset);
        }
        let clock = Clock {
            now_ms: milliseconds(now_ms),
            zone: &zone,
            first_day_of_week: planning.first_day_of_week,
        };
        let (catalogue, mandatory) = (&planning.catalogue, &planning.mandatory);
        let plan = deterministic::plan(&question, catalogue, clock, mandatory);
        let wanted = zone.take_missing();
        Ok(PlanByWords { plan, wanted })
    };
    let planned: Result<PlanByWords, RagnavError> = planned();
    planned
        .map(|planned| convert::value(&planned))
        .map_err(|error| convert::thrown(&error))
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a time in this age of the world; any other is cut to the first or last one there is"
)]
fn milliseconds(now_ms: f64) -> i64 {
    now_ms as i64
}

/// The JSON schema of plans over a catalogue; `has_lengths` bounds its texts.
#[wasm_bindgen(js_name = planSchema, unchecked_return_type = "Record<string, unknown>")]
pub fn plan_schema(
    #[wasm_bindgen(unchecked_param_type = "PlanningOptions | null | undefined")] options: &JsValue,
    has_lengths: bool,
) -> Result<JsValue, JsValue> {
    let options: Result<PlanningOptions, _> = convert::options("options", options);
    let catalogue = options.and_then(|mut options| options.catalogue());
    let catalogue = catalogue.map_err(|error| convert::thrown(&error))?;
    Ok(convert::value(&schema::plan_schema(
        &catalogue,
        has_lengths,
    )))
}

/// Asks a model for the plan of a question; done with a `PlanByModel`. Throws a `RagnavErrorValue` for options that make no sense.
#[wasm_bindgen(js_name = planByModel)]
pub fn plan_by_model(
    question: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "PlanningOptions | null | undefined")] options: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "ModelChoice")] model: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "Rungs")] rungs: &JsValue,
) -> Result<JsSession, JsValue> {
    let understood = || {
        let question = convert::text("question", question)?;
        let options: PlanningOptions = convert::options("options", options)?;
        let choice: ModelChoice = convert::required("model", model)?;
        let rungs: Rungs = convert::required("rungs", rungs)?;
        Ok((question, options.planning(Some(choice.options()))?, rungs))
    };
    let understood: Result<_, RagnavError> = understood();
    let (question, planning, mut rungs) = understood.map_err(|error| convert::thrown(&error))?;
    Ok(JsSession::new(move |host| async move {
        let plan = model::plan(&*host, &question, &planning, &mut rungs).await;
        PlanByModel { plan, rungs }
    }))
}
