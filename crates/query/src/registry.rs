//! The table of the queries.

/// Calls a macro with the table of the queries. A row is the name on every surface, the type of the query, of its options
/// and of its answer. Adding a query takes a row here, its file, and how the command line prints its rows.
#[macro_export]
macro_rules! for_each_query {
    ($callback:ident) => {
        $callback! {
            "search" => search::Search, SearchOptions, SearchResult;
            "where_used" => where_used::WhereUsed, WhereUsedOptions, WhereUsedResult;
            "lineage" => lineage::Lineage, LineageOptions, LineageResult;
            "locate" => locate::Locate, QuestionOptions, DefinitionsResult;
            "identify" => identify::Identify, QuestionOptions, DefinitionsResult;
            "outline" => outline::Outline, QuestionOptions, OutlineResult;
            "files" => files::Files, FilesOptions, FilesResult;
            "status" => status::Status, QuestionOptions, FileVerdictsResult;
        }
    };
}
