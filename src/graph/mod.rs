//! What is known of a repository beside its text.

pub mod rag_graph;
