//! The node kinds and fields of the grammar.

use std::sync::OnceLock;

use tree_sitter::Tree;

use crate::tree::{self, KindTable, NodeClass, NodeField, NodeKind};

/// The tree of a C# text.
pub(super) type FlatTree<'t> = tree::FlatTree<'t, Kind, Field>;

/// The node kinds that matter for facts, named as in the grammar.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    Accessor,
    AliasQualified,
    AnonymousMethod,
    AnonymousObject,
    Argument,
    ArrayCreation,
    ArrayType,
    As,
    Assignment,
    Attribute,
    Await,
    BaseList,
    Binary,
    Block,
    Cast,
    CatchClause,
    CatchDeclaration,
    Comment,
    ConditionalAccess,
    ConditionalExpression,
    Constraints,
    Creation,
    DeclarationExpression,
    Declarator,
    Default,
    Delegate,
    ElementAccess,
    EnumMember,
    Event,
    EventField,
    ExplicitInterface,
    Field,
    FileNamespace,
    Foreach,
    From,
    Generic,
    Identifier,
    ImplicitParameter,
    Indexer,
    Initializer,
    Invocation,
    Is,
    Join,
    JoinInto,
    Jump,
    Label,
    Lambda,
    Let,
    LocalFunction,
    MemberAccess,
    MemberBinding,
    Method,
    Modifier,
    Namespace,
    NullableType,
    Number,
    Parameter,
    Parameters,
    Parenthesized,
    PostfixUnary,
    PredefinedType,
    PrimaryBase,
    Property,
    PreprocessorIf,
    Qualified,
    Query,
    RefType,
    ScopeStatement,
    String,
    Subpattern,
    TuplePattern,
    TypeArguments,
    TypeDeclaration,
    TypeOf,
    TypeParameter,
    TypeParameters,
    Using,
    Variable,
    With,
    /// A keyword, operator or bracket.
    Token,
    /// Any other named node.
    #[default]
    Other,
}

impl Kind {
    pub(super) fn from_name(name: &str) -> Self {
        match name {
            "accessor_declaration" => Self::Accessor,
            "attribute" => Self::Attribute,
            "base_list" => Self::BaseList,
            "accessor_list"
            | "block"
            | "declaration_list"
            | "enum_member_declaration_list"
            | "switch_body" => Self::Block,
            "catch_declaration" => Self::CatchDeclaration,
            "comment" => Self::Comment,
            "type_parameter_list" => Self::TypeParameters,
            "variable_declarator" => Self::Declarator,
            "delegate_declaration" => Self::Delegate,
            "enum_member_declaration" => Self::EnumMember,
            "event_declaration" => Self::Event,
            "event_field_declaration" => Self::EventField,
            "explicit_interface_specifier" => Self::ExplicitInterface,
            "field_declaration" => Self::Field,
            "file_scoped_namespace_declaration" => Self::FileNamespace,
            "foreach_statement" => Self::Foreach,
            "identifier" => Self::Identifier,
            "implicit_parameter" => Self::ImplicitParameter,
            "indexer_declaration" => Self::Indexer,
            "extern_alias_directive" | "goto_statement" | "preproc_pragma" => Self::Jump,
            "labeled_statement" => Self::Label,
            "local_function_statement" => Self::LocalFunction,
            "constructor_declaration"
            | "conversion_operator_declaration"
            | "destructor_declaration"
            | "method_declaration"
            | "operator_declaration" => Self::Method,
            "modifier" => Self::Modifier,
            "namespace_declaration" => Self::Namespace,
            "parameter" => Self::Parameter,
            "bracketed_parameter_list" | "parameter_list" => Self::Parameters,
            "property_declaration" => Self::Property,
            "preproc_if" | "preproc_elif" => Self::PreprocessorIf,
            "fixed_statement"
            | "for_statement"
            | "switch_expression_arm"
            | "switch_section"
            | "using_statement" => Self::ScopeStatement,
            "subpattern" => Self::Subpattern,
            "class_declaration"
            | "enum_declaration"
            | "interface_declaration"
            | "record_declaration"
            | "struct_declaration" => Self::TypeDeclaration,
            "type_parameter" => Self::TypeParameter,
            "using_directive" => Self::Using,
            "variable_declaration" => Self::Variable,
            _ => Self::of_expression(name),
        }
    }

    /// Returns the kind of a node in an expression, a type, a pattern or a query.
    fn of_expression(name: &str) -> Self {
        match name {
            "alias_qualified_name" => Self::AliasQualified,
            "anonymous_method_expression" => Self::AnonymousMethod,
            "anonymous_object_creation_expression" => Self::AnonymousObject,
            "argument" | "attribute_argument" | "tuple_element" => Self::Argument,
            "array_creation_expression" | "stackalloc_expression" => Self::ArrayCreation,
            "array_type" => Self::ArrayType,
            "as_expression" => Self::As,
            "assignment_expression" => Self::Assignment,
            "await_expression" => Self::Await,
            "binary_expression" => Self::Binary,
            "cast_expression" => Self::Cast,
            "catch_clause" => Self::CatchClause,
            "conditional_access_expression" => Self::ConditionalAccess,
            "conditional_expression" => Self::ConditionalExpression,
            "type_parameter_constraints_clause" => Self::Constraints,
            "object_creation_expression" => Self::Creation,
            "declaration_expression"
            | "declaration_pattern"
            | "recursive_pattern"
            | "var_pattern" => Self::DeclarationExpression,
            "default_expression" => Self::Default,
            "element_access_expression" => Self::ElementAccess,
            "from_clause" => Self::From,
            "generic_name" => Self::Generic,
            "initializer_expression" | "with_initializer" => Self::Initializer,
            "invocation_expression" => Self::Invocation,
            "is_expression" => Self::Is,
            "join_clause" => Self::Join,
            "join_into_clause" => Self::JoinInto,
            "lambda_expression" => Self::Lambda,
            "let_clause" => Self::Let,
            "member_access_expression" => Self::MemberAccess,
            "member_binding_expression" => Self::MemberBinding,
            "nullable_type" => Self::NullableType,
            "boolean_literal" | "character_literal" | "integer_literal" | "real_literal" => {
                Self::Number
            }
            "checked_expression" | "parenthesized_expression" => Self::Parenthesized,
            "postfix_unary_expression" => Self::PostfixUnary,
            "predefined_type" => Self::PredefinedType,
            "primary_constructor_base_type" => Self::PrimaryBase,
            "qualified_name" => Self::Qualified,
            "query_expression" => Self::Query,
            "pointer_type" | "ref_type" | "scoped_type" => Self::RefType,
            "interpolated_string_expression"
            | "raw_string_literal"
            | "string_literal"
            | "verbatim_string_literal" => Self::String,
            "parenthesized_variable_designation" | "tuple_pattern" => Self::TuplePattern,
            "type_argument_list" => Self::TypeArguments,
            "sizeof_expression" | "typeof_expression" => Self::TypeOf,
            "with_expression" => Self::With,
            _ => Self::Other,
        }
    }
}

impl NodeKind for Kind {
    const OWN_RECEIVERS: &'static [&'static str] = &["this"];
    const TOKEN: Self = Self::Token;
    const ERROR: Self = Self::Other;

    fn class(self) -> NodeClass {
        match self {
            Self::Token => NodeClass::Token,
            Self::Comment => NodeClass::Extra,
            Self::String => NodeClass::Text,
            Self::Identifier | Self::ImplicitParameter => NodeClass::Name,
            Self::Block => NodeClass::Block,
            _ => NodeClass::Other,
        }
    }
}

/// The fields of nodes that ragnav reads, named as in the grammar.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Field {
    Accessors,
    Alias,
    Alternative,
    Arguments,
    Body,
    Condition,
    Consequence,
    Expression,
    Function,
    Initializer,
    Left,
    Name,
    Operator,
    Parameters,
    Qualifier,
    Returns,
    Right,
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
            "accessors" => Self::Accessors,
            "alias" => Self::Alias,
            "alternative" => Self::Alternative,
            "arguments" => Self::Arguments,
            "body" => Self::Body,
            "condition" => Self::Condition,
            "consequence" => Self::Consequence,
            "expression" => Self::Expression,
            "function" => Self::Function,
            "initializer" => Self::Initializer,
            "left" => Self::Left,
            "name" => Self::Name,
            "operator" => Self::Operator,
            "parameters" => Self::Parameters,
            "qualifier" => Self::Qualifier,
            "returns" => Self::Returns,
            "right" => Self::Right,
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
