//! The table of the queries.

/// Calls a macro with the table of the queries. A row is the name on every surface, the type of the
/// query, and the TypeScript types of its arguments and of its answer.
///
/// Adding a query takes a row here, its file, and how the command line prints its rows. The MCP
/// server and the command line take the name, the documentation and the arguments from here.
///
/// # Examples
///
/// ```
/// macro_rules! names {
///     ($($name:literal, $query:ty, $arguments:literal, $answer:literal;)*) => {
///         [$($name),*]
///     };
/// }
///
/// let names = ragnav_query::for_each_query!(names);
/// assert_eq!(names[..2], ["search", "where_used"]);
/// ```
#[macro_export]
macro_rules! for_each_query {
    ($callback:ident) => {
        $callback! {
            "search", $crate::search::Search, "SearchArguments", "SearchResult";
            "where_used", $crate::where_used::WhereUsed, "WhereUsedArguments", "WhereUsedResult";
            "lineage", $crate::lineage::Lineage, "LineageArguments", "LineageResult";
            "locate", $crate::locate::Locate, "LocateArguments", "LocateResult";
            "definition", $crate::definition::DefinitionAt, "DefinitionArguments", "LocateResult";
            "type_definition", $crate::type_definition::TypeDefinitionAt, "TypeDefinitionArguments", "LocateResult";
            "identify", $crate::identify::Identify, "IdentifyArguments", "RagResult<Definition>";
            "outline", $crate::outline::Outline, "OutlineArguments", "RagResult<OutlineItem>";
            "occurrences", $crate::occurrences::Occurrences, "OccurrencesArguments", "OccurrencesResult";
            "files", $crate::files::Files, "FilesArguments", "FilesResult";
            "explore", $crate::explore::Explore, "ExploreArguments", "ExploreResult";
            "impact", $crate::impact::Impact, "ImpactArguments", "ImpactResult";
            "trace", $crate::trace::Trace, "TraceArguments", "RagResult<TraceItem>";
            "rename_plan", $crate::rename_plan::RenamePlan, "RenamePlanArguments", "RenamePlanResult";
            "move_plan", $crate::move_plan::MovePlan, "MovePlanArguments", "MovePlanResult";
            "recheck", $crate::recheck::Recheck, "RecheckArguments", "RecheckResult";
            "status", $crate::status::Status, "StatusArguments", "StatusAnswer";
        }
    };
}
