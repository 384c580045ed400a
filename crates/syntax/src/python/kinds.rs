//! The node kinds and fields of the grammar.

use std::sync::OnceLock;

use tree_sitter::Tree;

use crate::tree::{self, KindTable, NodeClass, NodeField, NodeKind};

/// The tree of a Python text.
pub(super) type FlatTree<'t> = tree::FlatTree<'t, Kind, Field>;

/// The node kinds that matter for facts, named as in the grammar.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    AliasedImport,
    ArgumentList,
    AsPattern,
    AsPatternTarget,
    AssertStatement,
    Assignment,
    Attribute,
    AugmentedAssignment,
    Await,
    BinaryOperator,
    Block,
    BooleanOperator,
    Call,
    ClassDefinition,
    ClassPattern,
    Comment,
    Comprehension,
    ConcatenatedString,
    ConditionalExpression,
    ConstrainedType,
    DecoratedDefinition,
    Decorator,
    Dictionary,
    DefaultParameter,
    DottedName,
    ElifClause,
    ExceptClause,
    ExpressionStatement,
    ForInClause,
    ForStatement,
    FunctionDefinition,
    FutureImportStatement,
    GenericType,
    GlobalStatement,
    Identifier,
    IfStatement,
    ImportFromStatement,
    ImportPrefix,
    ImportStatement,
    Integer,
    Interpolation,
    KeywordArgument,
    KeywordPattern,
    Lambda,
    LineContinuation,
    /// A list of patterns or expressions without brackets.
    Elements,
    List,
    MemberType,
    NamedExpression,
    None,
    NotOperator,
    NonlocalStatement,
    Pair,
    Parameters,
    ParenthesizedExpression,
    /// A pattern of `case` that contains other patterns.
    Pattern,
    RaiseStatement,
    RelativeImport,
    ReturnStatement,
    Set,
    Slice,
    /// `*a` or `**a`, read or assigned.
    Splat,
    SplatPattern,
    SplatType,
    String,
    StringContent,
    Subscript,
    Tuple,
    Type,
    TypeAliasStatement,
    TypeParameter,
    TypedParameter,
    UnionType,
    WhileStatement,
    WithStatement,
    WildcardImport,
    Yield,
    /// A keyword, operator or bracket.
    Token,
    /// Any other named node.
    #[default]
    Other,
}

impl Kind {
    pub(super) fn from_name(name: &str) -> Self {
        match name {
            "aliased_import" => Self::AliasedImport,
            "argument_list" => Self::ArgumentList,
            "as_pattern" => Self::AsPattern,
            "as_pattern_target" => Self::AsPatternTarget,
            "assert_statement" => Self::AssertStatement,
            "assignment" => Self::Assignment,
            "attribute" => Self::Attribute,
            "augmented_assignment" => Self::AugmentedAssignment,
            "await" => Self::Await,
            "binary_operator" => Self::BinaryOperator,
            "block" => Self::Block,
            "boolean_operator" => Self::BooleanOperator,
            "call" => Self::Call,
            "case_pattern" | "dict_pattern" | "union_pattern" => Self::Pattern,
            "class_definition" => Self::ClassDefinition,
            "class_pattern" => Self::ClassPattern,
            "comment" => Self::Comment,
            "concatenated_string" => Self::ConcatenatedString,
            "conditional_expression" => Self::ConditionalExpression,
            "constrained_type" => Self::ConstrainedType,
            "decorated_definition" => Self::DecoratedDefinition,
            "decorator" => Self::Decorator,
            "default_parameter" | "typed_default_parameter" => Self::DefaultParameter,
            "dictionary" => Self::Dictionary,
            "dictionary_comprehension"
            | "generator_expression"
            | "list_comprehension"
            | "set_comprehension" => Self::Comprehension,
            "dictionary_splat_pattern" | "list_splat" | "list_splat_pattern" => Self::Splat,
            "dotted_name" => Self::DottedName,
            "elif_clause" => Self::ElifClause,
            "expression_list" | "list_pattern" | "pattern_list" | "tuple_pattern" => Self::Elements,
            "except_clause" => Self::ExceptClause,
            "expression_statement" => Self::ExpressionStatement,
            "for_in_clause" => Self::ForInClause,
            "for_statement" => Self::ForStatement,
            "function_definition" => Self::FunctionDefinition,
            "future_import_statement" => Self::FutureImportStatement,
            "generic_type" => Self::GenericType,
            "global_statement" => Self::GlobalStatement,
            "identifier" => Self::Identifier,
            "if_statement" => Self::IfStatement,
            "import_from_statement" => Self::ImportFromStatement,
            "import_prefix" => Self::ImportPrefix,
            "import_statement" => Self::ImportStatement,
            "integer" => Self::Integer,
            "interpolation" => Self::Interpolation,
            "keyword_argument" => Self::KeywordArgument,
            "keyword_pattern" => Self::KeywordPattern,
            "lambda" | "lambda_within_for_in_clause" => Self::Lambda,
            "lambda_parameters" | "parameters" => Self::Parameters,
            "line_continuation" => Self::LineContinuation,
            "list" => Self::List,
            "member_type" => Self::MemberType,
            "named_expression" => Self::NamedExpression,
            "none" => Self::None,
            "nonlocal_statement" => Self::NonlocalStatement,
            "not_operator" => Self::NotOperator,
            "pair" => Self::Pair,
            "parenthesized_expression" => Self::ParenthesizedExpression,
            "raise_statement" => Self::RaiseStatement,
            "relative_import" => Self::RelativeImport,
            "return_statement" => Self::ReturnStatement,
            "set" => Self::Set,
            "slice" => Self::Slice,
            "splat_pattern" => Self::SplatPattern,
            "splat_type" => Self::SplatType,
            "string" => Self::String,
            "string_content" => Self::StringContent,
            "subscript" => Self::Subscript,
            "tuple" => Self::Tuple,
            "type" => Self::Type,
            "type_alias_statement" => Self::TypeAliasStatement,
            "type_parameter" => Self::TypeParameter,
            "typed_parameter" => Self::TypedParameter,
            "union_type" => Self::UnionType,
            "while_statement" => Self::WhileStatement,
            "wildcard_import" => Self::WildcardImport,
            "with_statement" => Self::WithStatement,
            "yield" => Self::Yield,
            _ => Self::Other,
        }
    }
}

impl NodeKind for Kind {
    const OWN_RECEIVERS: &'static [&'static str] = &["self", "cls"];
    const TOKEN: Self = Self::Token;
    const ERROR: Self = Self::Other;

    fn class(self) -> NodeClass {
        match self {
            Self::Token => NodeClass::Token,
            Self::Comment | Self::LineContinuation => NodeClass::Extra,
            Self::String => NodeClass::Text,
            Self::Identifier => NodeClass::Name,
            Self::Block => NodeClass::Block,
            _ => NodeClass::Other,
        }
    }
}

/// The fields of nodes that ragnav reads, named as in the grammar.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Field {
    Alias,
    Attribute,
    Body,
    Condition,
    Consequence,
    Function,
    Left,
    ModuleName,
    Name,
    Object,
    Parameters,
    ReturnType,
    Right,
    Superclasses,
    Type,
    TypeParameters,
    Value,
    /// Any other field, or none.
    #[default]
    Other,
}

impl NodeField for Field {
    fn from_name(name: &str) -> Self {
        match name {
            "alias" => Self::Alias,
            "attribute" => Self::Attribute,
            "body" => Self::Body,
            "condition" => Self::Condition,
            "consequence" => Self::Consequence,
            "function" => Self::Function,
            "left" => Self::Left,
            "module_name" => Self::ModuleName,
            "name" => Self::Name,
            "object" => Self::Object,
            "parameters" => Self::Parameters,
            "return_type" => Self::ReturnType,
            "right" => Self::Right,
            "superclasses" => Self::Superclasses,
            "type" => Self::Type,
            "type_parameters" => Self::TypeParameters,
            "value" => Self::Value,
            _ => Self::Other,
        }
    }
}

/// Returns the kinds and fields of the grammar by number.
pub(super) fn kind_table(tree: &Tree) -> &'static KindTable<Kind, Field> {
    static KIND_TABLE: OnceLock<KindTable<Kind, Field>> = OnceLock::new();
    KIND_TABLE.get_or_init(|| KindTable::new(&tree.language(), Kind::from_name))
}
