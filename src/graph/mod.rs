//! What is known of a repository beside its text.

pub mod graph_file;
pub mod rag_graph;
