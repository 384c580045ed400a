//! The node kinds and fields of the grammar.

use std::sync::OnceLock;

use tree_sitter::Tree;

use crate::tree::{self, KindTable, NodeClass, NodeField, NodeKind};

/// The tree of a Ruby text.
pub(super) type FlatTree<'t> = tree::FlatTree<'t, Kind, Field>;

/// The node kinds that matter for facts, named as in the grammar.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    Alias,
    Array,
    Assignment,
    Binary,
    Block,
    Body,
    Branch,
    Call,
    Class,
    Comment,
    Constant,
    DeclaredNames,
    ElementReference,
    Ensure,
    ExceptionVariable,
    Hash,
    Identifier,
    InstanceVariable,
    Lambda,
    LeftAssignmentList,
    Literal,
    Method,
    Module,
    OperatorAssignment,
    Parameter,
    Parenthesized,
    Rescue,
    Return,
    ScopeResolution,
    SelfKeyword,
    Setter,
    SingletonClass,
    SingletonMethod,
    String,
    StringLiteral,
    Superclass,
    Symbol,
    /// A keyword, operator or bracket.
    Token,
    /// Any other named node.
    #[default]
    Other,
}

impl Kind {
    pub(super) fn from_name(name: &str) -> Self {
        match name {
            "alias" | "undef" => Self::Alias,
            "array" | "string_array" | "symbol_array" => Self::Array,
            "assignment" => Self::Assignment,
            "block" | "do_block" => Self::Block,
            "begin" | "block_body" | "body_statement" | "else" | "then" => Self::Body,
            "case" | "case_match" | "conditional" | "elsif" | "if" | "if_modifier"
            | "in_clause" | "unless" | "unless_modifier" | "when" => Self::Branch,
            "binary" => Self::Binary,
            "ensure" => Self::Ensure,
            "block_parameters"
            | "destructured_parameter"
            | "lambda_parameters"
            | "method_parameters" => Self::DeclaredNames,
            "call" => Self::Call,
            "class" => Self::Class,
            "comment" => Self::Comment,
            "constant" => Self::Constant,
            "element_reference" => Self::ElementReference,
            "exception_variable" => Self::ExceptionVariable,
            "hash" => Self::Hash,
            "identifier" => Self::Identifier,
            "instance_variable" => Self::InstanceVariable,
            "lambda" => Self::Lambda,
            "left_assignment_list" | "destructured_left_assignment" | "rest_assignment" => {
                Self::LeftAssignmentList
            }
            "chained_string" | "heredoc_beginning" | "string" => Self::StringLiteral,
            "float" | "integer" | "regex" | "true" | "false" | "nil" => Self::Literal,
            "method" => Self::Method,
            "module" => Self::Module,
            "operator_assignment" => Self::OperatorAssignment,
            "block_parameter"
            | "hash_splat_parameter"
            | "keyword_parameter"
            | "optional_parameter"
            | "splat_parameter" => Self::Parameter,
            "parenthesized_statements" => Self::Parenthesized,
            "rescue" => Self::Rescue,
            "return" => Self::Return,
            "scope_resolution" => Self::ScopeResolution,
            "self" => Self::SelfKeyword,
            "setter" => Self::Setter,
            "simple_symbol" => Self::Symbol,
            "singleton_class" => Self::SingletonClass,
            "singleton_method" => Self::SingletonMethod,
            "heredoc_content" | "string_content" => Self::String,
            "superclass" => Self::Superclass,
            _ => Self::Other,
        }
    }
}

impl NodeKind for Kind {
    const OWN_RECEIVERS: &'static [&'static str] = &["self"];
    const TOKEN: Self = Self::Token;
    const ERROR: Self = Self::Other;

    fn class(self) -> NodeClass {
        match self {
            Self::Token => NodeClass::Token,
            Self::Comment => NodeClass::Extra,
            Self::String | Self::Symbol => NodeClass::Text,
            Self::Identifier | Self::Constant => NodeClass::Name,
            Self::Body => NodeClass::Block,
            _ => NodeClass::Other,
        }
    }
}

/// The fields of nodes that ragnav reads, named as in the grammar.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Field {
    Arguments,
    Block,
    Body,
    Condition,
    Left,
    Method,
    Name,
    Object,
    Parameters,
    Pattern,
    Receiver,
    Right,
    Scope,
    Superclass,
    Value,
    Variable,
    /// Any other field, or none.
    #[default]
    Other,
}

impl NodeField for Field {
    fn from_name(name: &str) -> Self {
        match name {
            "arguments" => Self::Arguments,
            "block" => Self::Block,
            "body" => Self::Body,
            "condition" => Self::Condition,
            "left" => Self::Left,
            "method" => Self::Method,
            "name" => Self::Name,
            "object" => Self::Object,
            "parameters" => Self::Parameters,
            "pattern" => Self::Pattern,
            "receiver" => Self::Receiver,
            "right" => Self::Right,
            "scope" => Self::Scope,
            "superclass" => Self::Superclass,
            "value" => Self::Value,
            "variable" => Self::Variable,
            _ => Self::Other,
        }
    }
}

/// Returns the kinds and fields of the grammar by number.
pub(super) fn kind_table(tree: &Tree) -> &'static KindTable<Kind, Field> {
    static KIND_TABLE: OnceLock<KindTable<Kind, Field>> = OnceLock::new();
    KIND_TABLE.get_or_init(|| KindTable::new(&tree.language(), Kind::from_name))
}
