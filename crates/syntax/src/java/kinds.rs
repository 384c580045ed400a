//! The node kinds and fields of the grammar.

use std::sync::OnceLock;

use tree_sitter::Tree;

use crate::tree::{self, KindTable, NodeClass, NodeField, NodeKind};

/// The tree of a Java text.
pub(super) type FlatTree<'t> = tree::FlatTree<'t, Kind, Field>;

/// The node kinds that matter for facts, named as in the grammar.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    AnnotatedType,
    Annotation,
    ArrayAccess,
    ArrayCreation,
    ArrayType,
    Assignment,
    Asterisk,
    Block,
    Cast,
    CatchClause,
    CatchParameter,
    CatchType,
    ClassBody,
    ClassLiteral,
    Comment,
    Creation,
    Declarator,
    ElementPair,
    EnhancedFor,
    EnumConstant,
    Field,
    FieldAccess,
    ForStatement,
    GenericType,
    Identifier,
    Import,
    InferredParameters,
    InstanceOf,
    Jump,
    Label,
    Lambda,
    LocalVariable,
    Method,
    MethodCall,
    MethodReference,
    Package,
    Parameter,
    Parameters,
    Parenthesized,
    Pattern,
    Resource,
    ScopedIdentifier,
    ScopedType,
    SpreadParameter,
    String,
    Super,
    SuperTypes,
    SwitchArm,
    Ternary,
    This,
    TryWithResources,
    TypeArguments,
    TypeBound,
    TypeDeclaration,
    TypeIdentifier,
    TypeList,
    TypeParameter,
    TypeParameters,
    /// A keyword, operator or bracket.
    Token,
    /// Any other named node.
    #[default]
    Other,
}

impl Kind {
    pub(super) fn from_name(name: &str) -> Self {
        match name {
            "annotated_type" => Self::AnnotatedType,
            "annotation" | "marker_annotation" => Self::Annotation,
            "annotation_type_declaration"
            | "class_declaration"
            | "enum_declaration"
            | "interface_declaration"
            | "record_declaration" => Self::TypeDeclaration,
            "annotation_type_element_declaration"
            | "compact_constructor_declaration"
            | "constructor_declaration"
            | "method_declaration" => Self::Method,
            "array_access" => Self::ArrayAccess,
            "array_creation_expression" => Self::ArrayCreation,
            "array_type" => Self::ArrayType,
            "assignment_expression" => Self::Assignment,
            "asterisk" => Self::Asterisk,
            "block" | "constructor_body" => Self::Block,
            "block_comment" | "line_comment" => Self::Comment,
            "break_statement" | "continue_statement" => Self::Jump,
            "cast_expression" => Self::Cast,
            "catch_clause" => Self::CatchClause,
            "catch_formal_parameter" => Self::CatchParameter,
            "catch_type" => Self::CatchType,
            "character_literal" | "string_literal" => Self::String,
            "class_body" => Self::ClassBody,
            "class_literal" => Self::ClassLiteral,
            "constant_declaration" | "field_declaration" => Self::Field,
            "element_value_pair" => Self::ElementPair,
            "enhanced_for_statement" => Self::EnhancedFor,
            "enum_constant" => Self::EnumConstant,
            "extends_interfaces" | "super_interfaces" | "superclass" => Self::SuperTypes,
            "field_access" => Self::FieldAccess,
            "for_statement" => Self::ForStatement,
            "formal_parameter" => Self::Parameter,
            "formal_parameters" => Self::Parameters,
            "generic_type" => Self::GenericType,
            "identifier" => Self::Identifier,
            "import_declaration" => Self::Import,
            "inferred_parameters" => Self::InferredParameters,
            "instanceof_expression" => Self::InstanceOf,
            "labeled_statement" => Self::Label,
            "lambda_expression" => Self::Lambda,
            "local_variable_declaration" => Self::LocalVariable,
            "method_invocation" => Self::MethodCall,
            "method_reference" => Self::MethodReference,
            "module_declaration" | "package_declaration" => Self::Package,
            "object_creation_expression" => Self::Creation,
            "parenthesized_expression" => Self::Parenthesized,
            "record_pattern_component" | "type_pattern" => Self::Pattern,
            "resource" => Self::Resource,
            "scoped_identifier" => Self::ScopedIdentifier,
            "scoped_type_identifier" => Self::ScopedType,
            "spread_parameter" => Self::SpreadParameter,
            "super" => Self::Super,
            "switch_block_statement_group" | "switch_rule" => Self::SwitchArm,
            "ternary_expression" => Self::Ternary,
            "this" => Self::This,
            "try_with_resources_statement" => Self::TryWithResources,
            "type_arguments" => Self::TypeArguments,
            "type_bound" => Self::TypeBound,
            "type_identifier" => Self::TypeIdentifier,
            "type_list" => Self::TypeList,
            "type_parameter" => Self::TypeParameter,
            "type_parameters" => Self::TypeParameters,
            "variable_declarator" => Self::Declarator,
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
            Self::Identifier | Self::TypeIdentifier => NodeClass::Name,
            Self::Block | Self::ClassBody => NodeClass::Block,
            _ => NodeClass::Other,
        }
    }
}

/// The fields of nodes that ragnav reads, named as in the grammar.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Field {
    Arguments,
    Array,
    Body,
    Consequence,
    Declarator,
    Element,
    Key,
    Name,
    Object,
    Parameters,
    Right,
    Selected,
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
            "arguments" => Self::Arguments,
            "array" => Self::Array,
            "body" => Self::Body,
            "consequence" => Self::Consequence,
            "declarator" => Self::Declarator,
            "element" => Self::Element,
            "field" => Self::Selected,
            "key" => Self::Key,
            "name" => Self::Name,
            "object" => Self::Object,
            "parameters" => Self::Parameters,
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
