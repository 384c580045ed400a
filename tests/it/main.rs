//! The native tests, in one program.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    clippy::format_push_string,
    clippy::format_collect,
    unreachable_pub,
    reason = "tests fail loudly and touch what the core must not"
)]

mod agent_ask;
mod agent_chunks;
mod agent_filters;
mod agent_rerank;
mod agent_store;
mod build_counts;
mod common;
mod compiler_indexes;
mod completeness;
mod conditions;
mod conditions_changes;
mod conditions_csharp_swift;
mod conditions_rust;
mod conflicts;
mod doc_examples;
mod edited_texts;
mod encodings;
mod explore;
mod fact_rows;
mod facts;
mod facts_ecmascript;
mod files;
mod flow_properties;
mod fs_host;
mod hostile_input;
mod impact;
mod index;
mod indirect_names;
mod lang_bash;
mod lang_c;
mod lang_cpp;
mod lang_csharp;
mod lang_dart;
mod lang_elixir;
mod lang_embedded;
mod lang_full;
mod lang_go;
mod lang_java;
mod lang_kotlin;
mod lang_lua;
mod lang_php;
mod lang_rows;
mod lang_ruby;
mod lang_rust;
mod lang_scala;
mod lang_swift;
mod lang_zig;
mod layering;
mod lineage;
mod links_properties;
mod modules;
mod move_plan;
mod move_properties;
mod occurrences;
mod outline;
mod partial;
mod place;
mod plan_deterministic;
mod plan_model;
mod plan_repair;
mod plugins;
mod printers;
mod ranked;
mod receipts;
mod reidentify;
mod rename_plan;
mod rename_properties;
mod repositories;
mod roots;
mod scan;
mod segments;
mod session;
mod small_sort;
mod suggestions;
mod terms;
mod test_fuzzy_linking;
mod test_nav_meta;
mod test_rag_nav_gateway;
mod test_rag_nav_tools;
mod time_zones;
mod trace;
mod walk;
mod watch;
mod where_used;
mod where_used_argument_types;
mod where_used_c;
mod where_used_constructors;
mod where_used_cpp;
mod where_used_cpp_receivers;
mod where_used_cpp_templates;
mod where_used_csharp;
mod where_used_csharp_values;
mod where_used_data_model;
mod where_used_derived_types;
mod where_used_ecmascript;
mod where_used_flow;
mod where_used_flow_ecmascript;
mod where_used_flow_limits;
mod where_used_generics;
mod where_used_go;
mod where_used_inferred_types;
mod where_used_java;
mod where_used_javascript_values;
mod where_used_jsdoc;
mod where_used_moved;
mod where_used_overloads;
mod where_used_own_instance;
mod where_used_php;
mod where_used_php_values;
mod where_used_python;
mod where_used_python_values;
mod where_used_ruby;
mod where_used_ruby_blocks;
mod where_used_ruby_containers;
mod where_used_ruby_values;
mod where_used_rust;
mod where_used_rust_values;
mod where_used_type_variables;
mod where_used_types;
