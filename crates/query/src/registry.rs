//! The table of the queries.

/// Calls a macro with the table of the queries. A row is the name on every surface, the type of the query, and the
/// TypeScript types of its options and of its answer. Adding a query takes a row here, its file, and how the command line
/// prints its rows.
#[macro_export]
macro_rules! for_each_query {
    ($callback:ident) => {
        $callback! {
            "search", $crate::search::Search, "SearchOptions", "SearchResult";
            "where_used", $crate::where_used::WhereUsed, "WhereUsedOptions", "WhereUsedResult";
            "lineage", $crate::lineage::Lineage, "LineageOptions", "LineageResult";
            "locate", $crate::locate::Locate, "QuestionOptions", "RagResult<Definition>";
            "identify", $crate::identify::Identify, "QuestionOptions", "RagResult<Definition>";
            "outline", $crate::outline::Outline, "QuestionOptions", "RagResult<OutlineItem>";
            "files", $crate::files::Files, "FilesOptions", "FilesResult";
            "status", $crate::status::Status, "QuestionOptions", "RagResult<FileVerdict>";
        }
    };
}
