//! The node kinds and fields of the grammars of C and C++ that facts need. The grammar of C++
//! extends that of C.

use std::sync::OnceLock;

use tree_sitter::Tree;

use crate::tree::{self, KindTable, NodeClass, NodeField, NodeKind};

/// The tree of a text in C or C++.
pub(super) type FlatTree<'t> = tree::FlatTree<'t, Kind, Field>;

/// The language of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Dialect {
    C,
    Cpp,
}

/// The node kinds that matter for facts, named as in the grammars.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    AliasDeclaration,
    ArrayDeclarator,
    Assignment,
    Attribute,
    BaseClause,
    Block,
    Call,
    Cast,
    CatchClause,
    Comment,
    CompoundLiteral,
    Concept,
    Conditional,
    ConditionClause,
    Declaration,
    EnumSpecifier,
    Enumerator,
    FieldDeclaration,
    FieldExpression,
    FieldIdentifier,
    FieldInitializer,
    FieldList,
    Friend,
    Function,
    FunctionDeclarator,
    Identifier,
    Include,
    InitDeclarator,
    Label,
    Lambda,
    LambdaCapture,
    MacroFunction,
    MacroParameters,
    MacroVariable,
    Namespace,
    NamespaceAlias,
    NamespaceIdentifier,
    New,
    Parameter,
    Parameters,
    Parenthesized,
    ParenthesizedDeclarator,
    PointerDeclarator,
    PointerExpression,
    PreprocCall,
    PreprocDefined,
    PreprocIfdef,
    Qualified,
    RangeFor,
    SpecialName,
    Statement,
    String,
    StructuredBinding,
    Subscript,
    TagSpecifier,
    Template,
    TemplateArguments,
    TemplateFunction,
    TemplateType,
    This,
    TrailingReturn,
    TypeDefinition,
    TypeDescriptor,
    TypeIdentifier,
    TypeParameter,
    Using,
    /// A keyword, operator or bracket.
    Token,
    /// Any other named node.
    #[default]
    Other,
}

impl Kind {
    pub(super) fn from_name(name: &str) -> Self {
        match name {
            "alias_declaration" => Self::AliasDeclaration,
            "array_declarator" | "abstract_array_declarator" => Self::ArrayDeclarator,
            "assignment_expression" => Self::Assignment,
            "attribute_specifier" | "attribute_declaration" | "ms_declspec_modifier" => {
                Self::Attribute
            }
            "base_class_clause" => Self::BaseClause,
            "call_expression" => Self::Call,
            "cast_expression" => Self::Cast,
            "catch_clause" => Self::CatchClause,
            "char_literal" | "preproc_arg" | "raw_string_literal" | "string_literal"
            | "system_lib_string" => Self::String,
            "class_specifier" | "struct_specifier" | "union_specifier" => Self::TagSpecifier,
            "comment" => Self::Comment,
            "compound_literal_expression" => Self::CompoundLiteral,
            "compound_statement" => Self::Block,
            "concept_definition" => Self::Concept,
            "conditional_expression" => Self::Conditional,
            "condition_clause" => Self::ConditionClause,
            "declaration" => Self::Declaration,
            "destructor_name" | "operator_cast" | "operator_name" => Self::SpecialName,
            "enum_specifier" => Self::EnumSpecifier,
            "enumerator" => Self::Enumerator,
            "field_declaration" => Self::FieldDeclaration,
            "field_declaration_list" => Self::FieldList,
            "field_expression" => Self::FieldExpression,
            "field_identifier" => Self::FieldIdentifier,
            "field_initializer" => Self::FieldInitializer,
            "for_range_loop" => Self::RangeFor,
            "for_statement" | "if_statement" | "switch_statement" | "while_statement" => {
                Self::Statement
            }
            "friend_declaration" => Self::Friend,
            "function_declarator" | "abstract_function_declarator" => Self::FunctionDeclarator,
            "function_definition" => Self::Function,
            "identifier" => Self::Identifier,
            "init_declarator" => Self::InitDeclarator,
            "lambda_capture_initializer" => Self::LambdaCapture,
            "lambda_expression" => Self::Lambda,
            "namespace_alias_definition" => Self::NamespaceAlias,
            "namespace_definition" => Self::Namespace,
            "namespace_identifier" => Self::NamespaceIdentifier,
            "new_expression" => Self::New,
            "parameter_list" => Self::Parameters,
            "parenthesized_declarator" => Self::ParenthesizedDeclarator,
            "parenthesized_expression" => Self::Parenthesized,
            "pointer_declarator"
            | "reference_declarator"
            | "variadic_declarator"
            | "abstract_pointer_declarator"
            | "abstract_reference_declarator"
            | "pointer_type_declarator"
            | "attributed_declarator" => Self::PointerDeclarator,
            "pointer_expression" => Self::PointerExpression,
            "qualified_identifier" => Self::Qualified,
            "statement_identifier" => Self::Label,
            "structured_binding_declarator" => Self::StructuredBinding,
            "subscript_expression" => Self::Subscript,
            "this" => Self::This,
            "type_definition" => Self::TypeDefinition,
            "type_descriptor" => Self::TypeDescriptor,
            "type_identifier" => Self::TypeIdentifier,
            "using_declaration" => Self::Using,
            _ => Self::from_other_name(name),
        }
    }

    /// Returns the kind of a template, of a parameter or of the preprocessor.
    fn from_other_name(name: &str) -> Self {
        match name {
            "dependent_name" | "template_function" | "template_method" => Self::TemplateFunction,
            "optional_parameter_declaration"
            | "parameter_declaration"
            | "variadic_parameter_declaration" => Self::Parameter,
            "optional_type_parameter_declaration"
            | "type_parameter_declaration"
            | "variadic_type_parameter_declaration" => Self::TypeParameter,
            "preproc_call" => Self::PreprocCall,
            "preproc_def" => Self::MacroVariable,
            "preproc_defined" => Self::PreprocDefined,
            "preproc_elifdef" | "preproc_ifdef" => Self::PreprocIfdef,
            "preproc_function_def" => Self::MacroFunction,
            "preproc_include" => Self::Include,
            "preproc_params" => Self::MacroParameters,
            "template_argument_list" => Self::TemplateArguments,
            "template_declaration" => Self::Template,
            "template_type" => Self::TemplateType,
            "trailing_return_type" => Self::TrailingReturn,
            _ => Self::Other,
        }
    }

    /// Reports whether a leaf of this kind is the name of something.
    pub(super) fn is_name(self) -> bool {
        matches!(
            self,
            Self::Identifier
                | Self::FieldIdentifier
                | Self::NamespaceIdentifier
                | Self::TypeIdentifier
        )
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
            Self::Block | Self::FieldList => NodeClass::Block,
            kind if kind.is_name() => NodeClass::Name,
            _ => NodeClass::Other,
        }
    }
}

/// The fields of nodes that ragnav reads, named as in the grammars.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Field {
    Argument,
    Arguments,
    Body,
    Declarator,
    Function,
    Left,
    Member,
    Name,
    Parameters,
    Path,
    Right,
    Scope,
    Size,
    Type,
    Value,
    /// Any other field, or none.
    #[default]
    Other,
}

impl NodeField for Field {
    fn from_name(name: &str) -> Self {
        match name {
            "argument" => Self::Argument,
            "arguments" => Self::Arguments,
            "body" => Self::Body,
            "declarator" => Self::Declarator,
            "field" => Self::Member,
            "function" => Self::Function,
            "left" => Self::Left,
            "name" => Self::Name,
            "parameters" => Self::Parameters,
            "path" => Self::Path,
            "right" => Self::Right,
            "scope" => Self::Scope,
            "size" => Self::Size,
            "type" => Self::Type,
            "default_value" | "value" => Self::Value,
            _ => Self::Other,
        }
    }
}

/// Returns the kinds and fields of the grammar by number.
pub(super) fn kind_table(tree: &Tree, dialect: Dialect) -> &'static KindTable<Kind, Field> {
    static C: OnceLock<KindTable<Kind, Field>> = OnceLock::new();
    static CPP: OnceLock<KindTable<Kind, Field>> = OnceLock::new();
    let table = match dialect {
        Dialect::C => &C,
        Dialect::Cpp => &CPP,
    };
    table.get_or_init(|| KindTable::new(&tree.language(), Kind::from_name))
}
