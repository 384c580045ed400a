//! The node kinds and fields of the grammars.

use crate::tree::{self, NodeClass, NodeField, NodeKind};

/// The tree of a text in one of the languages.
pub(super) type FlatTree<'t> = tree::FlatTree<'t, Kind, Field>;

/// The kinds and fields of a grammar by number.
pub(super) type KindTable = tree::KindTable<Kind, Field>;

/// The node kinds that matter for facts, named as in the grammars.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    Accessibility,
    AmbientDeclaration,
    Arguments,
    Array,
    ArrayPattern,
    ArrayType,
    ArrowFunction,
    /// `a as B` and `a satisfies B`.
    As,
    Asserts,
    Assignment,
    /// A pattern with a default value.
    AssignmentPattern,
    Await,
    /// `a || b` and other expressions with an operator between operands.
    Binary,
    Block,
    Call,
    Catch,
    /// A class declaration or expression.
    Class,
    ClassBody,
    ClassHeritage,
    ClassStaticBlock,
    Comment,
    ComputedName,
    Decorator,
    Else,
    Enum,
    EnumAssignment,
    EnumBody,
    /// A syntax error.
    Error,
    Export,
    ExportClause,
    ExpressionStatement,
    ExtendsClause,
    FieldDefinition,
    For,
    ForIn,
    FormalParameters,
    /// A function declaration with a body or, as an overload, without one.
    FunctionDeclaration,
    FunctionExpression,
    /// A type that has parameters and no name.
    FunctionType,
    GenericType,
    Identifier,
    If,
    ImportAlias,
    ImportClause,
    /// The keyword of `import(…)`.
    ImportKeyword,
    ImportRequire,
    ImportStatement,
    IndexSignature,
    InferType,
    Interface,
    InterfaceBody,
    IntersectionType,
    JsxClosing,
    JsxNamespaceName,
    JsxOpening,
    /// `let` or `const`.
    LexicalDeclaration,
    /// `A["b"]` as a type.
    LookupType,
    MappedType,
    /// `a.b` in expressions and types.
    Member,
    Method,
    MethodSignature,
    NamedImports,
    Namespace,
    NamespaceExport,
    NamespaceImport,
    New,
    NonNull,
    /// A literal type, such as `null`.
    Nothing,
    Object,
    ObjectPattern,
    ObjectType,
    Pair,
    PairPattern,
    /// A parameter in TypeScript.
    Parameter,
    Parenthesized,
    Program,
    PropertyName,
    PropertySignature,
    ReadonlyType,
    RestPattern,
    Return,
    /// `a` in an object `{ a }`.
    Shorthand,
    /// `a` in a pattern `{ a }`.
    ShorthandPattern,
    Spread,
    String,
    /// `a[b]`.
    Subscript,
    Super,
    SwitchBody,
    SwitchCase,
    /// `a ? b : c`.
    Ternary,
    This,
    Try,
    TypeAlias,
    TypeAnnotation,
    TypeArguments,
    /// `<A>b`.
    TypeAssertion,
    /// The name of a type, in declarations and references.
    TypeName,
    TypeParameter,
    TypeParameters,
    TypePredicate,
    /// `typeof a` as a type.
    TypeQuery,
    UnionType,
    /// `var`.
    VariableDeclaration,
    VariableDeclarator,
    /// A `while` or `do` loop.
    While,
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
            "accessibility_modifier" | "override_modifier" => Self::Accessibility,
            "ambient_declaration" => Self::AmbientDeclaration,
            "arguments" => Self::Arguments,
            "array" => Self::Array,
            "array_pattern" => Self::ArrayPattern,
            "arrow_function" => Self::ArrowFunction,
            "as_expression" | "satisfies_expression" => Self::As,
            "assignment_expression" => Self::Assignment,
            "assignment_pattern" | "object_assignment_pattern" => Self::AssignmentPattern,
            "await_expression" => Self::Await,
            "binary_expression" => Self::Binary,
            "statement_block" => Self::Block,
            "call_expression" => Self::Call,
            "catch_clause" => Self::Catch,
            "abstract_class_declaration" | "class" | "class_declaration" => Self::Class,
            "class_body" => Self::ClassBody,
            "class_heritage" => Self::ClassHeritage,
            "class_static_block" => Self::ClassStaticBlock,
            "comment" | "html_comment" => Self::Comment,
            "computed_property_name" => Self::ComputedName,
            "decorator" => Self::Decorator,
            "else_clause" => Self::Else,
            "export_statement" => Self::Export,
            "export_clause" => Self::ExportClause,
            "expression_statement" => Self::ExpressionStatement,
            "extends_clause" | "extends_type_clause" | "implements_clause" => Self::ExtendsClause,
            "field_definition" | "public_field_definition" => Self::FieldDefinition,
            "for_statement" => Self::For,
            "for_in_statement" => Self::ForIn,
            "formal_parameters" => Self::FormalParameters,
            "function_declaration" | "function_signature" | "generator_function_declaration" => {
                Self::FunctionDeclaration
            }
            "function_expression" | "generator_function" => Self::FunctionExpression,
            "identifier" => Self::Identifier,
            "if_statement" => Self::If,
            "import_alias" => Self::ImportAlias,
            "import_clause" => Self::ImportClause,
            "import" => Self::ImportKeyword,
            "import_require_clause" => Self::ImportRequire,
            "import_statement" => Self::ImportStatement,
            "jsx_closing_element" => Self::JsxClosing,
            "jsx_namespace_name" => Self::JsxNamespaceName,
            "jsx_opening_element" | "jsx_self_closing_element" => Self::JsxOpening,
            "lexical_declaration" => Self::LexicalDeclaration,
            "member_expression" | "nested_identifier" | "nested_type_identifier" => Self::Member,
            "method_definition" => Self::Method,
            "abstract_method_signature" | "method_signature" => Self::MethodSignature,
            "named_imports" => Self::NamedImports,
            "internal_module" | "module" => Self::Namespace,
            "namespace_export" => Self::NamespaceExport,
            "namespace_import" => Self::NamespaceImport,
            "new_expression" => Self::New,
            "non_null_expression" => Self::NonNull,
            "object" => Self::Object,
            "object_pattern" => Self::ObjectPattern,
            "pair" => Self::Pair,
            "pair_pattern" => Self::PairPattern,
            "optional_parameter" | "required_parameter" => Self::Parameter,
            "parenthesized_expression" | "parenthesized_type" => Self::Parenthesized,
            "program" => Self::Program,
            "private_property_identifier" | "property_identifier" => Self::PropertyName,
            "return_statement" => Self::Return,
            "rest_pattern" => Self::RestPattern,
            "shorthand_property_identifier" => Self::Shorthand,
            "shorthand_property_identifier_pattern" => Self::ShorthandPattern,
            "spread_element" => Self::Spread,
            "string" => Self::String,
            "subscript_expression" => Self::Subscript,
            "super" => Self::Super,
            "switch_body" => Self::SwitchBody,
            "switch_case" | "switch_default" => Self::SwitchCase,
            "ternary_expression" => Self::Ternary,
            "this" | "this_type" => Self::This,
            "try_statement" => Self::Try,
            "variable_declaration" => Self::VariableDeclaration,
            "variable_declarator" => Self::VariableDeclarator,
            "do_statement" | "while_statement" => Self::While,
            "yield_expression" => Self::Yield,
            _ => of_type(name),
        }
    }
}

impl NodeKind for Kind {
    const OWN_RECEIVERS: &'static [&'static str] = &["this"];
    const TOKEN: Self = Self::Token;
    const ERROR: Self = Self::Error;

    fn class(self) -> NodeClass {
        match self {
            Self::Token => NodeClass::Token,
            Self::Comment => NodeClass::Extra,
            Self::String => NodeClass::Text,
            Self::Identifier | Self::PropertyName | Self::Shorthand | Self::TypeName => {
                NodeClass::Name
            }
            Self::Block => NodeClass::Block,
            _ => NodeClass::Other,
        }
    }
}

/// Returns the kinds that only TypeScript has.
fn of_type(name: &str) -> Kind {
    match name {
        "array_type" => Kind::ArrayType,
        "asserts" => Kind::Asserts,
        "enum_declaration" => Kind::Enum,
        "enum_assignment" => Kind::EnumAssignment,
        "enum_body" => Kind::EnumBody,
        "call_signature" | "construct_signature" | "constructor_type" | "function_type" => {
            Kind::FunctionType
        }
        "generic_type" => Kind::GenericType,
        "index_signature" => Kind::IndexSignature,
        "infer_type" => Kind::InferType,
        "interface_declaration" => Kind::Interface,
        "interface_body" => Kind::InterfaceBody,
        "intersection_type" => Kind::IntersectionType,
        "mapped_type_clause" => Kind::MappedType,
        "literal_type" => Kind::Nothing,
        "lookup_type" => Kind::LookupType,
        "object_type" => Kind::ObjectType,
        "property_signature" => Kind::PropertySignature,
        "readonly_type" => Kind::ReadonlyType,
        "type_alias_declaration" => Kind::TypeAlias,
        "asserts_annotation" | "type_annotation" | "type_predicate_annotation" => {
            Kind::TypeAnnotation
        }
        "type_arguments" => Kind::TypeArguments,
        "type_assertion" => Kind::TypeAssertion,
        "type_identifier" => Kind::TypeName,
        "type_parameter" => Kind::TypeParameter,
        "type_parameters" => Kind::TypeParameters,
        "type_predicate" => Kind::TypePredicate,
        "type_query" => Kind::TypeQuery,
        "union_type" => Kind::UnionType,
        _ => Kind::Other,
    }
}

/// The fields of nodes that ragnav reads, named as in the grammar.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Field {
    Alias,
    Body,
    Condition,
    Consequence,
    Constraint,
    Constructor,
    Declaration,
    Function,
    Initializer,
    Key,
    /// `const`, `let` or `var`.
    KindWord,
    Left,
    Module,
    Name,
    Object,
    Parameter,
    Parameters,
    Pattern,
    Property,
    ReturnType,
    Right,
    Source,
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
            "body" => Self::Body,
            "condition" => Self::Condition,
            "consequence" => Self::Consequence,
            "constraint" => Self::Constraint,
            "constructor" => Self::Constructor,
            "declaration" => Self::Declaration,
            "function" => Self::Function,
            "initializer" => Self::Initializer,
            "key" => Self::Key,
            "kind" => Self::KindWord,
            "left" => Self::Left,
            "module" => Self::Module,
            "name" => Self::Name,
            "object" => Self::Object,
            "parameter" => Self::Parameter,
            "parameters" => Self::Parameters,
            "pattern" => Self::Pattern,
            "property" => Self::Property,
            "return_type" => Self::ReturnType,
            "right" => Self::Right,
            "source" => Self::Source,
            "type" => Self::Type,
            "type_parameters" => Self::TypeParameters,
            "value" => Self::Value,
            _ => Self::Other,
        }
    }
}
