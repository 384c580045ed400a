//! The node kinds and fields of the grammars of C and C++ that facts need. The grammar of C++
//! extends that of C.

use std::sync::OnceLock;

use crate::syntax_tree::SyntaxTree;
use crate::tree::{self, KindTable, NodeClass, NodeKind, node_fields, node_kinds};

/// The tree of a text in C or C++.
pub(super) type FlatTree<'t> = tree::FlatTree<'t, Kind, Field>;

/// The language of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Dialect {
    C,
    Cpp,
}

node_kinds! {
    /// The node kinds that matter for facts, named as in the grammars.
    pub(super) enum Kind {
        AliasDeclaration "alias_declaration",
        ArgumentList "argument_list" | "initializer_list",
        ArrayDeclarator "abstract_array_declarator" | "array_declarator",
        Assignment "assignment_expression",
        Attribute "attribute_declaration" | "attribute_specifier" | "ms_declspec_modifier",
        BaseClause "base_class_clause",
        Binary "binary_expression",
        Block "compound_statement",
        Call "call_expression",
        Cast "cast_expression",
        CatchClause "catch_clause",
        Comment "comment",
        CompoundLiteral "compound_literal_expression",
        Concept "concept_definition",
        Conditional "conditional_expression",
        ConditionClause "condition_clause",
        Declaration "declaration",
        Decltype "decltype",
        DependentType "dependent_type",
        EnumSpecifier "enum_specifier",
        Enumerator "enumerator",
        FieldDeclaration "field_declaration",
        FieldExpression "field_expression",
        FieldIdentifier "field_identifier",
        FieldInitializer "field_initializer",
        FieldList "field_declaration_list",
        Friend "friend_declaration",
        Function "function_definition",
        FunctionDeclarator "abstract_function_declarator" | "function_declarator",
        Identifier "identifier",
        Include "preproc_include",
        InitDeclarator "init_declarator",
        Label "statement_identifier",
        Lambda "lambda_expression",
        LambdaCapture "lambda_capture_initializer",
        MacroFunction "preproc_function_def",
        MacroParameters "preproc_params",
        MacroType "macro_type_specifier",
        MacroVariable "preproc_def",
        Namespace "namespace_definition",
        NamespaceAlias "namespace_alias_definition",
        NamespaceIdentifier "namespace_identifier",
        New "new_expression",
        Parameter "optional_parameter_declaration" | "parameter_declaration"
                | "variadic_parameter_declaration",
        Parameters "parameter_list",
        Parenthesized "parenthesized_expression",
        ParenthesizedDeclarator "parenthesized_declarator",
        Placeholder "placeholder_type_specifier",
        PointerDeclarator "abstract_pointer_declarator" | "abstract_reference_declarator"
                | "attributed_declarator" | "pointer_declarator" | "pointer_type_declarator"
                | "reference_declarator" | "variadic_declarator",
        PointerExpression "pointer_expression",
        PreprocCall "preproc_call",
        PreprocDefined "preproc_defined",
        PreprocIfdef "preproc_elifdef" | "preproc_ifdef",
        PrimitiveType "primitive_type" | "sized_type_specifier",
        Qualified "qualified_identifier",
        RangeFor "for_range_loop",
        Return "return_statement",
        SpecialName "destructor_name" | "operator_cast" | "operator_name",
        Statement "for_statement" | "if_statement" | "switch_statement" | "while_statement",
        String "char_literal" | "preproc_arg" | "raw_string_literal" | "string_literal"
                | "system_lib_string",
        StructuredBinding "structured_binding_declarator",
        Subscript "subscript_expression",
        TagSpecifier "class_specifier" | "struct_specifier" | "union_specifier",
        Template "template_declaration",
        TemplateArguments "template_argument_list",
        TemplateFunction "dependent_name" | "template_function" | "template_method",
        TemplateType "template_type",
        This "this",
        TrailingReturn "trailing_return_type",
        TypeDefinition "type_definition",
        TypeDescriptor "type_descriptor",
        TypeIdentifier "type_identifier",
        TypeParameter "optional_type_parameter_declaration" | "type_parameter_declaration"
                | "variadic_type_parameter_declaration",
        Using "using_declaration",
    }
}

impl Kind {
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

node_fields! {
    /// The fields of nodes that ragnav reads, named as in the grammars.
    pub(super) enum Field {
        Argument "argument",
        Arguments "arguments",
        Body "body",
        Declarator "declarator",
        Function "function",
        Left "left",
        Member "field",
        Name "name",
        Parameters "parameters",
        Path "path",
        Right "right",
        Scope "scope",
        Size "size",
        Type "type",
        Value "default_value" | "value",
    }
}

/// Returns the kinds and fields of the grammar by number.
pub(super) fn kind_table(tree: &SyntaxTree, dialect: Dialect) -> &'static KindTable<Kind, Field> {
    static C: OnceLock<KindTable<Kind, Field>> = OnceLock::new();
    static CPP: OnceLock<KindTable<Kind, Field>> = OnceLock::new();
    let table = match dialect {
        Dialect::C => &C,
        Dialect::Cpp => &CPP,
    };
    table.get_or_init(|| KindTable::new(&tree.language(), Kind::from_name))
}
