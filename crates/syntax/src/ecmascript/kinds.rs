//! The node kinds and fields of the grammars.

use crate::tree::{self, NodeClass, NodeKind, node_fields, node_kinds};

/// The tree of a text in one of the languages.
pub(super) type FlatTree<'t> = tree::FlatTree<'t, Kind, Field>;

/// The kinds and fields of a grammar by number.
pub(super) type KindTable = tree::KindTable<Kind, Field>;

node_kinds! {
    /// The node kinds that matter for facts, named as in the grammars.
    pub(super) enum Kind {
        Accessibility "accessibility_modifier" | "override_modifier",
        AmbientDeclaration "ambient_declaration",
        Arguments "arguments",
        Array "array",
        ArrayPattern "array_pattern",
        ArrayType "array_type",
        ArrowFunction "arrow_function",
        /// `a as B` and `a satisfies B`.
        As "as_expression" | "satisfies_expression",
        Asserts "asserts",
        Assignment "assignment_expression",
        /// A pattern with a default value.
        AssignmentPattern "assignment_pattern" | "object_assignment_pattern",
        /// `a += b` and `a ??= b`.
        AugmentedAssignment "augmented_assignment_expression",
        Await "await_expression",
        /// `a || b` and other expressions with an operator between operands.
        Binary "binary_expression",
        Block "statement_block",
        Call "call_expression",
        Catch "catch_clause",
        /// A class declaration or expression.
        Class "abstract_class_declaration" | "class" | "class_declaration",
        ClassBody "class_body",
        ClassHeritage "class_heritage",
        ClassStaticBlock "class_static_block",
        Comment "comment" | "html_comment",
        ComputedName "computed_property_name",
        Decorator "decorator",
        Else "else_clause",
        Enum "enum_declaration",
        EnumAssignment "enum_assignment",
        EnumBody "enum_body",
        /// A syntax error.
        Error,
        Export "export_statement",
        ExportClause "export_clause",
        ExpressionStatement "expression_statement",
        ExtendsClause "extends_clause" | "extends_type_clause" | "implements_clause",
        FieldDefinition "field_definition" | "public_field_definition",
        For "for_statement",
        ForIn "for_in_statement",
        FormalParameters "formal_parameters",
        /// A function declaration with a body or, as an overload, without one.
        FunctionDeclaration "function_declaration" | "function_signature"
                | "generator_function_declaration",
        FunctionExpression "function_expression" | "generator_function",
        /// A type that has parameters and no name.
        FunctionType "call_signature" | "construct_signature" | "constructor_type"
            | "function_type",
        GenericType "generic_type",
        Identifier "identifier",
        If "if_statement",
        ImportAlias "import_alias",
        ImportClause "import_clause",
        /// The keyword of `import(…)`.
        ImportKeyword "import",
        ImportRequire "import_require_clause",
        ImportStatement "import_statement",
        IndexSignature "index_signature",
        InferType "infer_type",
        Interface "interface_declaration",
        InterfaceBody "interface_body",
        IntersectionType "intersection_type",
        JsxClosing "jsx_closing_element",
        JsxNamespaceName "jsx_namespace_name",
        JsxOpening "jsx_opening_element" | "jsx_self_closing_element",
        /// `let` or `const`.
        LexicalDeclaration "lexical_declaration",
        /// `A["b"]` as a type.
        LookupType "lookup_type",
        MappedType "mapped_type_clause",
        /// `a.b` in expressions and types.
        Member "member_expression" | "nested_identifier" | "nested_type_identifier",
        Method "method_definition",
        MethodSignature "abstract_method_signature" | "method_signature",
        NamedImports "named_imports",
        Namespace "internal_module" | "module",
        NamespaceExport "namespace_export",
        NamespaceImport "namespace_import",
        New "new_expression",
        NonNull "non_null_expression",
        /// A literal type, such as `null`.
        Nothing "literal_type",
        Object "object",
        ObjectPattern "object_pattern",
        ObjectType "object_type",
        OptionalType "optional_type",
        Pair "pair",
        PairPattern "pair_pattern",
        /// A parameter in TypeScript.
        Parameter "optional_parameter" | "required_parameter",
        Parenthesized "parenthesized_expression" | "parenthesized_type",
        Program "program",
        PropertyName "private_property_identifier" | "property_identifier",
        PropertySignature "property_signature",
        ReadonlyType "readonly_type",
        RestPattern "rest_pattern",
        Return "return_statement",
        /// `a, b` as an expression.
        Sequence "sequence_expression",
        /// `a` in an object `{ a }`.
        Shorthand "shorthand_property_identifier",
        /// `a` in a pattern `{ a }`.
        ShorthandPattern "shorthand_property_identifier_pattern",
        Spread "spread_element",
        String "string",
        /// `a[b]`.
        Subscript "subscript_expression",
        Super "super",
        SwitchBody "switch_body",
        SwitchCase "switch_case" | "switch_default",
        /// `a ? b : c`.
        Ternary "ternary_expression",
        This "this" | "this_type",
        Try "try_statement",
        TupleType "tuple_type",
        TypeAlias "type_alias_declaration",
        TypeAnnotation "asserts_annotation" | "type_annotation" | "type_predicate_annotation",
        TypeArguments "type_arguments",
        /// `<A>b`.
        TypeAssertion "type_assertion",
        /// The name of a type, in declarations and references.
        TypeName "type_identifier",
        TypeParameter "type_parameter",
        TypeParameters "type_parameters",
        TypePredicate "type_predicate",
        /// `typeof a` as a type.
        TypeQuery "type_query",
        UnionType "union_type",
        /// `var`.
        VariableDeclaration "variable_declaration",
        VariableDeclarator "variable_declarator",
        /// A `while` or `do` loop.
        While "do_statement" | "while_statement",
        Yield "yield_expression",
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

node_fields! {
    /// The fields of nodes that ragnav reads, named as in the grammar.
    pub(super) enum Field {
        Alias "alias",
        Body "body",
        Condition "condition",
        Consequence "consequence",
        Constraint "constraint",
        Constructor "constructor",
        Declaration "declaration",
        Function "function",
        Initializer "initializer",
        Key "key",
        /// `const`, `let` or `var`.
        KindWord "kind",
        Left "left",
        Module "module",
        Name "name",
        Object "object",
        Parameter "parameter",
        Parameters "parameters",
        Pattern "pattern",
        Property "property",
        ReturnType "return_type",
        Right "right",
        Source "source",
        Type "type",
        TypeParameters "type_parameters",
        Value "value",
    }
}
