//! The node kinds and fields of the grammar.

use std::sync::OnceLock;

use tree_sitter::Tree;

use crate::tree::{self, KindTable, NodeClass, NodeField, NodeKind};

/// The tree of a PHP text.
pub(super) type FlatTree<'t> = tree::FlatTree<'t, Kind, Field>;

/// The node kinds that matter for facts, named as in the grammar.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    AnonymousClass,
    Argument,
    ArrayCreation,
    ArrayElement,
    ArrowFunction,
    Assignment,
    Attribute,
    BaseClause,
    Binary,
    Block,
    CatchClause,
    Closure,
    ClosureUse,
    Comment,
    ConstantAccess,
    ConstElement,
    Creation,
    EnumCase,
    Foreach,
    Function,
    FunctionCall,
    Label,
    List,
    Literal,
    MemberAccess,
    MemberCall,
    Method,
    Name,
    NamedType,
    Namespace,
    NamespaceName,
    Pair,
    Parameter,
    Parenthesized,
    PropertyDeclaration,
    PropertyElement,
    QualifiedName,
    RelativeScope,
    Return,
    ScopedCall,
    ScopedProperty,
    String,
    Subscript,
    TraitUse,
    TypeDeclaration,
    TypeList,
    Use,
    UseClause,
    UseGroup,
    Variable,
    Variadic,
    /// A type that may be one of several, or nothing.
    WrappedType,
    /// An expression whose value is that of the expression inside it.
    Wrapped,
    /// A keyword, operator or bracket.
    Token,
    /// Any other named node.
    #[default]
    Other,
}

impl Kind {
    pub(super) fn from_name(name: &str) -> Self {
        Self::declaration(name).unwrap_or_else(|| Self::expression(name))
    }

    fn declaration(name: &str) -> Option<Self> {
        Some(match name {
            "attribute" => Self::Attribute,
            "base_clause" | "class_interface_clause" => Self::BaseClause,
            "class_declaration"
            | "enum_declaration"
            | "interface_declaration"
            | "trait_declaration" => Self::TypeDeclaration,
            "const_element" => Self::ConstElement,
            "enum_case" => Self::EnumCase,
            "function_definition" => Self::Function,
            "method_declaration" => Self::Method,
            "name" => Self::Name,
            "named_type" => Self::NamedType,
            "namespace_definition" => Self::Namespace,
            "namespace_name" => Self::NamespaceName,
            "namespace_use_clause" => Self::UseClause,
            "namespace_use_declaration" => Self::Use,
            "namespace_use_group" => Self::UseGroup,
            "property_declaration" => Self::PropertyDeclaration,
            "property_element" => Self::PropertyElement,
            "property_promotion_parameter" | "simple_parameter" => Self::Parameter,
            "variadic_parameter" => Self::Variadic,
            "disjunctive_normal_form_type"
            | "intersection_type"
            | "optional_type"
            | "union_type" => Self::WrappedType,
            "type_list" => Self::TypeList,
            "use_declaration" => Self::TraitUse,
            _ => return None,
        })
    }

    fn expression(name: &str) -> Self {
        match name {
            "argument" => Self::Argument,
            "anonymous_class" => Self::AnonymousClass,
            "anonymous_function" => Self::Closure,
            "anonymous_function_use_clause" => Self::ClosureUse,
            "array_creation_expression" => Self::ArrayCreation,
            "array_element_initializer" => Self::ArrayElement,
            "boolean" | "encapsed_string" | "float" | "heredoc" | "integer" | "nowdoc" | "null" => {
                Self::Literal
            }
            "arrow_function" => Self::ArrowFunction,
            "assignment_expression" | "reference_assignment_expression" => Self::Assignment,
            "binary_expression" => Self::Binary,
            "catch_clause" => Self::CatchClause,
            "class_constant_access_expression" => Self::ConstantAccess,
            "clone_expression" | "error_suppression_expression" => Self::Wrapped,
            "comment" => Self::Comment,
            "compound_statement" | "declaration_list" | "enum_declaration_list" => Self::Block,
            "foreach_statement" => Self::Foreach,
            "function_call_expression" => Self::FunctionCall,
            "goto_statement" | "named_label_statement" => Self::Label,
            "list_literal" => Self::List,
            "member_access_expression" | "nullsafe_member_access_expression" => Self::MemberAccess,
            "member_call_expression" | "nullsafe_member_call_expression" => Self::MemberCall,
            "object_creation_expression" => Self::Creation,
            "pair" => Self::Pair,
            "parenthesized_expression" => Self::Parenthesized,
            "qualified_name" | "relative_name" => Self::QualifiedName,
            "relative_scope" => Self::RelativeScope,
            "return_statement" => Self::Return,
            "scoped_call_expression" => Self::ScopedCall,
            "scoped_property_access_expression" => Self::ScopedProperty,
            "nowdoc_string" | "string" | "string_content" | "text" => Self::String,
            "subscript_expression" => Self::Subscript,
            "variable_name" => Self::Variable,
            _ => Self::Other,
        }
    }
}

impl NodeKind for Kind {
    const OWN_RECEIVERS: &'static [&'static str] = &["$this", "self", "static"];
    const TOKEN: Self = Self::Token;
    const ERROR: Self = Self::Other;

    fn class(self) -> NodeClass {
        match self {
            Self::Token => NodeClass::Token,
            Self::Comment => NodeClass::Extra,
            Self::String => NodeClass::Text,
            Self::Name => NodeClass::Name,
            Self::Block => NodeClass::Block,
            _ => NodeClass::Other,
        }
    }
}

/// The fields of nodes that ragnav reads, named as in the grammar.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Field {
    Alias,
    Arguments,
    Body,
    Function,
    Left,
    Name,
    Object,
    Parameters,
    Prefix,
    ReturnType,
    Right,
    Scope,
    Type,
    Visibility,
    /// Any other field, or none.
    #[default]
    Other,
}

impl NodeField for Field {
    fn from_name(name: &str) -> Self {
        match name {
            "alias" => Self::Alias,
            "arguments" => Self::Arguments,
            "body" => Self::Body,
            "function" => Self::Function,
            "left" => Self::Left,
            "name" => Self::Name,
            "object" => Self::Object,
            "parameters" => Self::Parameters,
            "prefix" => Self::Prefix,
            "return_type" => Self::ReturnType,
            "right" => Self::Right,
            "scope" => Self::Scope,
            "type" => Self::Type,
            "visibility" => Self::Visibility,
            _ => Self::Other,
        }
    }
}

/// Returns the kinds and fields of the grammar by number.
pub(super) fn kind_table(tree: &Tree) -> &'static KindTable<Kind, Field> {
    static KIND_TABLE: OnceLock<KindTable<Kind, Field>> = OnceLock::new();
    KIND_TABLE.get_or_init(|| KindTable::new(&tree.language(), Kind::from_name))
}
