//! The node kinds and fields of the grammar.

use std::sync::OnceLock;

use tree_sitter::Tree;

use crate::tree::{self, KindTable, NodeClass, NodeField, NodeKind};

/// The tree of a Go text.
pub(super) type FlatTree<'t> = tree::FlatTree<'t, Kind, Field>;

/// The node kinds that matter for facts, named as in the grammar.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    Block,
    Call,
    Case,
    ChannelType,
    Comment,
    CompositeLiteral,
    ConstDeclaration,
    ConstSpec,
    Conversion,
    Dot,
    ExpressionList,
    FieldDeclaration,
    FieldIdentifier,
    ForStatement,
    Function,
    FunctionLiteral,
    FunctionType,
    GenericType,
    Identifier,
    IfStatement,
    ImportSpec,
    Index,
    InterfaceType,
    KeyedElement,
    Label,
    ListType,
    LiteralElement,
    MapType,
    Method,
    MethodElem,
    PackageClause,
    PackageIdentifier,
    Parameter,
    Parameters,
    Parenthesized,
    PointerType,
    QualifiedType,
    RangeClause,
    ReceiveStatement,
    Selector,
    ShortVar,
    Slice,
    String,
    StructType,
    Switch,
    TypeAssertion,
    TypeCase,
    TypeElem,
    TypeIdentifier,
    TypeParameter,
    TypeParameters,
    TypeSpec,
    TypeSwitch,
    Unary,
    VarDeclaration,
    VarSpec,
    VarSpecList,
    VariadicParameter,
    /// A keyword, operator or bracket.
    Token,
    /// Any other named node.
    #[default]
    Other,
}

impl Kind {
    pub(super) fn from_name(name: &str) -> Self {
        match name {
            "array_type" | "implicit_length_array_type" | "slice_type" => Self::ListType,
            "block" => Self::Block,
            "call_expression" => Self::Call,
            "channel_type" => Self::ChannelType,
            "comment" => Self::Comment,
            "communication_case" | "default_case" | "expression_case" => Self::Case,
            "composite_literal" => Self::CompositeLiteral,
            "const_declaration" => Self::ConstDeclaration,
            "const_spec" => Self::ConstSpec,
            "dot" => Self::Dot,
            "expression_list" => Self::ExpressionList,
            "expression_switch_statement" => Self::Switch,
            "field_declaration" => Self::FieldDeclaration,
            "field_identifier" => Self::FieldIdentifier,
            "for_statement" => Self::ForStatement,
            "func_literal" => Self::FunctionLiteral,
            "function_declaration" => Self::Function,
            "function_type" => Self::FunctionType,
            "generic_type" => Self::GenericType,
            "identifier" => Self::Identifier,
            "if_statement" => Self::IfStatement,
            "import_spec" => Self::ImportSpec,
            "index_expression" => Self::Index,
            "interface_type" => Self::InterfaceType,
            "interpreted_string_literal" | "raw_string_literal" | "rune_literal" => Self::String,
            "keyed_element" => Self::KeyedElement,
            "label_name" => Self::Label,
            "literal_element" => Self::LiteralElement,
            "map_type" => Self::MapType,
            "method_declaration" => Self::Method,
            "method_elem" => Self::MethodElem,
            "package_clause" => Self::PackageClause,
            "package_identifier" => Self::PackageIdentifier,
            "parameter_declaration" => Self::Parameter,
            "parameter_list" => Self::Parameters,
            "parenthesized_expression" | "parenthesized_type" => Self::Parenthesized,
            "pointer_type" => Self::PointerType,
            "qualified_type" => Self::QualifiedType,
            "range_clause" => Self::RangeClause,
            "receive_statement" => Self::ReceiveStatement,
            "selector_expression" => Self::Selector,
            "short_var_declaration" => Self::ShortVar,
            "slice_expression" => Self::Slice,
            "struct_type" => Self::StructType,
            "type_alias" | "type_spec" => Self::TypeSpec,
            "type_assertion_expression" => Self::TypeAssertion,
            "type_case" => Self::TypeCase,
            "type_conversion_expression" => Self::Conversion,
            "type_elem" => Self::TypeElem,
            "type_identifier" => Self::TypeIdentifier,
            "type_parameter_declaration" => Self::TypeParameter,
            "type_parameter_list" => Self::TypeParameters,
            "type_switch_statement" => Self::TypeSwitch,
            "unary_expression" => Self::Unary,
            "var_declaration" => Self::VarDeclaration,
            "var_spec" => Self::VarSpec,
            "var_spec_list" => Self::VarSpecList,
            "variadic_parameter_declaration" => Self::VariadicParameter,
            _ => Self::Other,
        }
    }
}

impl NodeKind for Kind {
    // A method names its receiver as it likes.
    const OWN_RECEIVERS: &'static [&'static str] = &[];
    const TOKEN: Self = Self::Token;
    const ERROR: Self = Self::Other;

    fn class(self) -> NodeClass {
        match self {
            Self::Token => NodeClass::Token,
            Self::Comment => NodeClass::Extra,
            Self::String => NodeClass::Text,
            Self::Identifier
            | Self::FieldIdentifier
            | Self::PackageIdentifier
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
    Arguments,
    Body,
    Element,
    Selected,
    Function,
    Initializer,
    Key,
    Left,
    Name,
    Operand,
    Package,
    Parameters,
    Path,
    Receiver,
    Result,
    Right,
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
            "arguments" => Self::Arguments,
            "body" => Self::Body,
            "element" => Self::Element,
            "field" => Self::Selected,
            "function" => Self::Function,
            "initializer" => Self::Initializer,
            "key" => Self::Key,
            "left" => Self::Left,
            "name" => Self::Name,
            "operand" => Self::Operand,
            "package" => Self::Package,
            "parameters" => Self::Parameters,
            "path" => Self::Path,
            "receiver" => Self::Receiver,
            "result" => Self::Result,
            "right" => Self::Right,
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
