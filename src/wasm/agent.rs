//! The agent, as JavaScript calls it.

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
use ragnav_agent::model::{self, ModelOptions, PlanSettings, SupportedFormats};
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
export type Passage = Package & PassageDetails & {
    /** Where `content` has terms of the question: pairs of offsets in UTF-16 units. */
    highlights_utf16: [number, number][];
};

/** The fields of a passage besides those of its package. */
export interface PassageDetails {
    /** What the passage is: `method of QuerySet · test`, `section of Models`. */
    about: string;
    /** The first line of the docstring, or the first sentence of a note; `null` if it has none. */
    summary: string | null;
    /** The citation; `null` for a document without a file. */
    citation: Citation | null;
    /** The relevance, from 0 to 1; `null` if the plan has no query. */
    score: number | null;
    /** The rank among the retrieved documents, from 1, before a model orders them. */
    rank: number;
    /** The number of other retrieved documents of the same file, which this one replaces. */
    siblings: number;
    /** The origin of this passage. */
    source: SourceTag;
    /** How current this passage is. */
    freshness_state: FreshnessState;
    /** The proof that this passage is current. */
    proof: Proof;
    /** How the document was re-identified in a changed file; `null` if the file is unchanged. */
    match: Match | null;
}
"#;

/// The options of planning.
#[derive(Debug, Default, Deserialize, Tsify)]
pub(super) struct PlanningOptions {
    /// The fields of the documents: of notes, of code, of both, or the caller's own. The default is
    /// `notes` if questions are only planned, and both if they are answered.
    #[tsify(
        optional,
        type = "\"notes\" | \"code\" | \"all\" | Field[] | null | undefined"
    )]
    catalogue: Option<Fields>,
    /// The first day of the week. Default Monday.
    #[tsify(optional, type = "Weekday | null | undefined")]
    first_day_of_week: Option<Weekday>,
    /// Filters that every plan contains. No model sees them.
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

/// A model, with its limits.
#[derive(Debug, Deserialize, Tsify)]
pub(super) struct ModelChoice {
    /// The base URL. The formats that a server supports are stored under it.
    endpoint: String,
    /// The name of the model.
    model: String,
    /// The largest number of calls.
    max_retries: u32,
    /// The time limit for everything, including waits, in milliseconds.
    deadline_ms: u32,
}

/// The plan in the text of a model.
#[derive(Debug, Serialize, Tsify)]
struct PlanFromText {
    /// The plan, as far as the text contains it.
    plan: Draft,
    /// The repairs of the text.
    repairs: Vec<Repair>,
}

/// A plan that may lack time zone offsets at some instants.
#[derive(Debug, Serialize, Tsify)]
struct PlanByWords {
    /// The plan, which is valid once no offset is missing.
    plan: PlanMeta,
    /// The instants whose offsets are missing, in seconds since 1970.
    wanted: Vec<i64>,
}

/// The plan of a model, and the format that its server supports.
#[derive(Debug, Serialize, Tsify)]
struct PlanByModel {
    plan: PlanMeta,
    formats: SupportedFormats,
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

/// An answer, and the format that the model's server supports.
#[derive(Debug, Serialize, Tsify)]
pub(super) struct AnswerByModel {
    answer: AgentResult,
    formats: SupportedFormats,
}

/// The services of a question's host, beside files.
#[derive(Debug, Default, Deserialize, Tsify)]
pub(super) struct AskPorts {
    /// Whether the host has a document store that replaces the embedded one.
    has_store: bool,
    /// Whether the host has an embedding model.
    embeds: bool,
    /// The plan, if the caller made it.
    #[tsify(optional, type = "Plan | null | undefined")]
    plan: Option<Plan>,
    /// The source of that plan. Default: the caller.
    #[tsify(optional, type = "PlanSource | null | undefined")]
    plan_source: Option<PlanSource>,
}

/// A validated question to the agent.
pub(super) struct Question {
    text: String,
    planning: PlanSettings,
    formats: SupportedFormats,
    options: AskOptions,
    ports: AskPorts,
}

impl Question {
    pub(super) fn parse(
        question: &JsValue,
        planning: &JsValue,
        model: &JsValue,
        formats: &JsValue,
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
            formats: convert::required("formats", formats)?,
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
            None => Ok(model::plan(host, &self.text, &self.planning, &mut self.formats).await),
        };
        let mut formats = self.formats;
        let plan = match plan {
            Ok(plan) => plan,
            Err(error) => {
                let answer = ask::ask_error(&self.text, error);
                return AnswerByModel { answer, formats };
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
            model: self.planning.model.as_ref(),
        };
        let answer = ask::ask(host, settings, &asking, &mut formats).await;
        AnswerByModel { answer, formats }
    }
}

/// Returns the answer to an invalid question.
pub(super) fn refusal_of(question: &JsValue, error: RagnavError) -> AnswerByModel {
    let shown = question.as_string().unwrap_or_default();
    AnswerByModel {
        answer: ask::ask_error(&shown, error),
        formats: SupportedFormats::default(),
    }
}

impl PlanningOptions {
    /// Returns the catalogue; `None` if the options name none.
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

/// Returns the plan in the text of a model. Throws a `RagnavErrorValue` with `PLAN_FAILED` if there
/// is none.
#[wasm_bindgen(js_name = planFromText, unchecked_return_type = "PlanFromText")]
pub fn plan_from_text(text: &JsValue) -> Result<JsValue, JsValue> {
    let found = convert::text("text", text).and_then(|text| repair::plan_from_text(&text));
    let found = found.map_err(|error| convert::thrown(&error))?;
    Ok(convert::value(&PlanFromText {
        plan: found.draft,
        repairs: found.repairs.into_iter().collect(),
    }))
}

/// Plans a question by its words. `offsets` are pairs of instants and time zone offsets, both in
/// seconds.
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

/// Returns the JSON schema of plans over a catalogue; `has_lengths` limits its texts.
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

/// Requests the plan of a question from a model. It ends with a `PlanByModel`. Throws a
/// `RagnavErrorValue` for invalid options.
#[wasm_bindgen(js_name = planByModel)]
pub fn plan_by_model(
    question: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "PlanningOptions | null | undefined")] options: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "ModelChoice")] model: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "SupportedFormats")] formats: &JsValue,
) -> Result<JsSession, JsValue> {
    let parsed = || {
        let question = convert::text("question", question)?;
        let options: PlanningOptions = convert::options("options", options)?;
        let choice: ModelChoice = convert::required("model", model)?;
        let formats: SupportedFormats = convert::required("formats", formats)?;
        Ok((question, options.planning(Some(choice.options()))?, formats))
    };
    let parsed: Result<_, RagnavError> = parsed();
    let (question, planning, mut formats) = parsed.map_err(|error| convert::thrown(&error))?;
    Ok(JsSession::new(move |host| async move {
        let plan = model::plan(&*host, &question, &planning, &mut formats).await;
        PlanByModel { plan, formats }
    }))
}
