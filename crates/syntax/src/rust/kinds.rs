//! The node kinds and fields of the grammar.

use std::sync::OnceLock;

use tree_sitter::Tree;

use crate::tree::{self, KindTable, NodeClass, NodeField, NodeKind};

/// The tree of a Rust text.
pub(super) type FlatTree<'t> = tree::FlatTree<'t, Kind, Field>;

/// The node kinds that matter for facts, named as in the grammar.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    ArrayType,
    AssociatedType,
    Attribute,
    Await,
    Block,
    BoundedType,
    BracketedType,
    Call,
    CapturedPattern,
    Cast,
    Closure,
    Comment,
    ConstItem,
    ConstParameter,
    Crate,
    Enum,
    EnumVariant,
    ExternCrate,
    FieldDeclaration,
    FieldExpression,
    FieldIdentifier,
    FieldInitializer,
    FieldPattern,
    For,
    ForeignMod,
    Function,
    GenericFunction,
    GenericType,
    Identifier,
    If,
    Impl,
    Index,
    Let,
    LetCondition,
    Lifetime,
    Literal,
    MacroDefinition,
    MacroInvocation,
    MacroPattern,
    MatchArm,
    MatchPattern,
    Mod,
    OrderedFields,
    Parameter,
    Parameters,
    Parenthesized,
    PrimitiveType,
    QualifiedType,
    Range,
    Reference,
    ReferenceType,
    Scoped,
    ScopedUseList,
    SelfKeyword,
    SelfParameter,
    ShorthandField,
    SlicePattern,
    String,
    Struct,
    StructExpression,
    StructPattern,
    Super,
    TokenTree,
    Trait,
    TraitBounds,
    TraitType,
    Try,
    Tuple,
    TuplePattern,
    TupleStructPattern,
    TupleType,
    TypeArguments,
    TypeBinding,
    TypeIdentifier,
    TypeItem,
    TypeParameter,
    Unary,
    Use,
    UseAs,
    UseList,
    UseWildcard,
    WherePredicate,
    /// A pattern that binds the names of the pattern inside it.
    WrappedPattern,
    /// A keyword, operator or bracket.
    Token,
    /// Any other named node.
    #[default]
    Other,
}

impl Kind {
    pub(super) fn from_name(name: &str) -> Self {
        Self::expression(name)
            .or_else(|| Self::type_or_pattern(name))
            .unwrap_or_else(|| Self::item(name))
    }

    fn expression(name: &str) -> Option<Self> {
        Some(match name {
            "await_expression" => Self::Await,
            "block" => Self::Block,
            "call_expression" => Self::Call,
            "boolean_literal" | "float_literal" | "integer_literal" | "unit_expression" => {
                Self::Literal
            }
            "char_literal" | "raw_string_literal" | "string_literal" => Self::String,
            "closure_expression" => Self::Closure,
            "field_expression" => Self::FieldExpression,
            "field_initializer" => Self::FieldInitializer,
            "for_expression" => Self::For,
            "generic_function" => Self::GenericFunction,
            "if_expression" | "while_expression" => Self::If,
            "index_expression" => Self::Index,
            "let_condition" => Self::LetCondition,
            "macro_invocation" => Self::MacroInvocation,
            "match_arm" => Self::MatchArm,
            "parenthesized_expression" => Self::Parenthesized,
            "range_expression" => Self::Range,
            "reference_expression" => Self::Reference,
            "scoped_identifier" | "scoped_type_identifier" => Self::Scoped,
            "struct_expression" => Self::StructExpression,
            "token_tree" => Self::TokenTree,
            "try_expression" => Self::Try,
            "tuple_expression" => Self::Tuple,
            "type_cast_expression" => Self::Cast,
            "unary_expression" => Self::Unary,
            _ => return None,
        })
    }

    fn type_or_pattern(name: &str) -> Option<Self> {
        Some(match name {
            "abstract_type" | "dynamic_type" | "higher_ranked_trait_bound" => Self::TraitType,
            "array_type" => Self::ArrayType,
            "bounded_type" => Self::BoundedType,
            "bracketed_type" => Self::BracketedType,
            "captured_pattern" => Self::CapturedPattern,
            "field_pattern" => Self::FieldPattern,
            "generic_type" | "generic_type_with_turbofish" => Self::GenericType,
            "match_pattern" => Self::MatchPattern,
            "mut_pattern" | "or_pattern" | "ref_pattern" | "reference_pattern" => {
                Self::WrappedPattern
            }
            "pointer_type" | "reference_type" => Self::ReferenceType,
            "primitive_type" => Self::PrimitiveType,
            "qualified_type" => Self::QualifiedType,
            "slice_pattern" => Self::SlicePattern,
            "struct_pattern" => Self::StructPattern,
            "trait_bounds" => Self::TraitBounds,
            "tuple_pattern" => Self::TuplePattern,
            "tuple_struct_pattern" => Self::TupleStructPattern,
            "tuple_type" => Self::TupleType,
            "type_arguments" => Self::TypeArguments,
            "type_binding" => Self::TypeBinding,
            _ => return None,
        })
    }

    fn item(name: &str) -> Self {
        match name {
            "associated_type" => Self::AssociatedType,
            "attribute_item" | "inner_attribute_item" => Self::Attribute,
            "block_comment" | "line_comment" => Self::Comment,
            "const_item" | "static_item" => Self::ConstItem,
            "const_parameter" => Self::ConstParameter,
            "crate" => Self::Crate,
            "enum_item" => Self::Enum,
            "enum_variant" => Self::EnumVariant,
            "extern_crate_declaration" => Self::ExternCrate,
            "field_declaration" => Self::FieldDeclaration,
            "field_identifier" => Self::FieldIdentifier,
            "foreign_mod_item" => Self::ForeignMod,
            "function_item" | "function_signature_item" => Self::Function,
            "identifier" => Self::Identifier,
            "impl_item" => Self::Impl,
            "label" | "lifetime" => Self::Lifetime,
            "let_declaration" => Self::Let,
            "macro_definition" => Self::MacroDefinition,
            "mod_item" => Self::Mod,
            "ordered_field_declaration_list" => Self::OrderedFields,
            "parameter" => Self::Parameter,
            "parameters" => Self::Parameters,
            "scoped_use_list" => Self::ScopedUseList,
            "self" => Self::SelfKeyword,
            "self_parameter" => Self::SelfParameter,
            "shorthand_field_identifier" => Self::ShorthandField,
            "struct_item" | "union_item" => Self::Struct,
            "super" => Self::Super,
            "token_tree_pattern" => Self::MacroPattern,
            "trait_item" => Self::Trait,
            "type_identifier" => Self::TypeIdentifier,
            "type_item" => Self::TypeItem,
            "type_parameter" => Self::TypeParameter,
            "use_as_clause" => Self::UseAs,
            "use_declaration" => Self::Use,
            "use_list" => Self::UseList,
            "use_wildcard" => Self::UseWildcard,
            "where_predicate" => Self::WherePredicate,
            _ => Self::Other,
        }
    }
}

impl NodeKind for Kind {
    const OWN_RECEIVERS: &'static [&'static str] = &["self", "Self"];
    const TOKEN: Self = Self::Token;
    const ERROR: Self = Self::Other;

    fn class(self) -> NodeClass {
        match self {
            Self::Token => NodeClass::Token,
            Self::Comment => NodeClass::Extra,
            Self::String => NodeClass::Text,
            Self::Identifier
            | Self::FieldIdentifier
            | Self::ShorthandField
            | Self::TypeIdentifier => NodeClass::Name,
            Self::Block => NodeClass::Block,
            _ => NodeClass::Other,
        }
    }
}

/// The fields of nodes that ragnav reads, named as in the grammar.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Field {
    Alias,
    Alternative,
    Arguments,
    Body,
    Bounds,
    Condition,
    Element,
    Function,
    Left,
    List,
    Macro,
    Name,
    Parameters,
    Path,
    Pattern,
    ReturnType,
    Selected,
    Trait,
    Type,
    TypeArguments,
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
            "alternative" => Self::Alternative,
            "arguments" => Self::Arguments,
            "body" => Self::Body,
            "bounds" => Self::Bounds,
            "condition" => Self::Condition,
            "element" => Self::Element,
            "field" => Self::Selected,
            "function" => Self::Function,
            "left" => Self::Left,
            "list" => Self::List,
            "macro" => Self::Macro,
            "name" => Self::Name,
            "parameters" => Self::Parameters,
            "path" => Self::Path,
            "pattern" => Self::Pattern,
            "return_type" => Self::ReturnType,
            "trait" => Self::Trait,
            "type" => Self::Type,
            "type_arguments" => Self::TypeArguments,
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
