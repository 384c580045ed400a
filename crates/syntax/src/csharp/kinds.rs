//! The node kinds and fields of the grammar.

use std::sync::OnceLock;

use crate::syntax_tree::SyntaxTree;
use crate::tree::{self, KindTable, NodeClass, NodeKind, node_fields, node_kinds};

/// The tree of a C# text.
pub(super) type FlatTree<'t> = tree::FlatTree<'t, Kind, Field>;

node_kinds! {
    /// The node kinds that matter for facts, named as in the grammar.
    pub(super) enum Kind {
        Accessor "accessor_declaration",
        AliasQualified "alias_qualified_name",
        AnonymousMethod "anonymous_method_expression",
        AnonymousObject "anonymous_object_creation_expression",
        Arguments "argument_list",
        Argument "argument" | "attribute_argument" | "tuple_element",
        ArrowBody "arrow_expression_clause",
        ArrayCreation "array_creation_expression" | "stackalloc_expression",
        ArrayType "array_type",
        As "as_expression",
        Assignment "assignment_expression",
        Attribute "attribute",
        AttributeList "attribute_list",
        Await "await_expression",
        BaseList "base_list",
        Binary "binary_expression",
        Block "accessor_list" | "block" | "declaration_list" | "enum_member_declaration_list"
                | "switch_body",
        Cast "cast_expression",
        CatchClause "catch_clause",
        CatchDeclaration "catch_declaration",
        Comment "comment",
        ConditionalAccess "conditional_access_expression",
        ConditionalExpression "conditional_expression",
        ConstantPattern "constant_pattern",
        Constraints "type_parameter_constraints_clause",
        ConstructorCall "constructor_initializer",
        Creation "object_creation_expression",
        DeclarationExpression "declaration_expression" | "declaration_pattern"
                | "recursive_pattern" | "var_pattern",
        Declarator "variable_declarator",
        Default "default_expression",
        Delegate "delegate_declaration",
        ElementAccess "element_access_expression",
        EnumMember "enum_member_declaration",
        Event "event_declaration",
        EventField "event_field_declaration",
        ExplicitInterface "explicit_interface_specifier",
        ExpressionStatement "expression_statement",
        Field "field_declaration",
        FileNamespace "file_scoped_namespace_declaration",
        Foreach "foreach_statement",
        From "from_clause",
        Generic "generic_name",
        Group "group_clause",
        Identifier "identifier",
        ImplicitArray "implicit_array_creation_expression",
        ImplicitCreation "implicit_object_creation_expression",
        ImplicitParameter "implicit_parameter",
        Indexer "indexer_declaration",
        Initializer "initializer_expression" | "with_initializer",
        Invocation "invocation_expression",
        Is "is_expression",
        IsPattern "is_pattern_expression",
        Join "join_clause",
        JoinInto "join_into_clause",
        Jump "extern_alias_directive" | "goto_statement" | "preproc_pragma",
        Label "labeled_statement",
        Lambda "lambda_expression",
        Let "let_clause",
        ListPattern "list_pattern",
        LocalFunction "local_function_statement",
        MemberAccess "member_access_expression",
        MemberBinding "member_binding_expression",
        Method "constructor_declaration" | "conversion_operator_declaration"
                | "destructor_declaration" | "method_declaration" | "operator_declaration",
        Modifier "modifier",
        Namespace "namespace_declaration",
        Null "null_literal",
        NullableType "nullable_type",
        Number "boolean_literal" | "character_literal" | "integer_literal" | "real_literal",
        Parameter "parameter",
        Parameters "bracketed_parameter_list" | "parameter_list",
        Parenthesized "checked_expression" | "parenthesized_expression" | "ref_expression",
        PositionalPattern "positional_pattern_clause",
        PostfixUnary "postfix_unary_expression",
        PredefinedType "predefined_type",
        PrefixUnary "prefix_unary_expression",
        PrimaryBase "primary_constructor_base_type",
        Property "property_declaration",
        PreprocessorIf "preproc_elif" | "preproc_if",
        Qualified "qualified_name",
        Query "query_expression",
        Return "return_statement",
        Range "range_expression",
        RefType "pointer_type" | "ref_type" | "scoped_type",
        ScopeStatement "fixed_statement" | "for_statement" | "switch_expression_arm"
                | "switch_section" | "using_statement" | "while_statement",
        Select "select_clause",
        String "interpolated_string_expression" | "raw_string_literal" | "string_literal"
                | "verbatim_string_literal",
        Subpattern "subpattern",
        SwitchExpression "switch_expression",
        TupleExpression "tuple_expression",
        TuplePattern "parenthesized_variable_designation" | "tuple_pattern",
        TupleType "tuple_type",
        TypeArguments "type_argument_list",
        TypeDeclaration "class_declaration" | "enum_declaration" | "interface_declaration"
                | "record_declaration" | "struct_declaration",
        TypeOf "sizeof_expression" | "typeof_expression",
        TypeParameter "type_parameter",
        TypeParameters "type_parameter_list",
        Using "using_directive",
        Variable "variable_declaration",
        With "with_expression",
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

node_fields! {
    /// The fields of nodes that ragnav reads, named as in the grammar.
    pub(super) enum Field {
        Accessors "accessors",
        Alias "alias",
        Alternative "alternative",
        Arguments "arguments",
        Body "body",
        Condition "condition",
        Consequence "consequence",
        Expression "expression",
        Function "function",
        Initializer "initializer",
        Left "left",
        Name "name",
        Operator "operator",
        Parameters "parameters",
        Qualifier "qualifier",
        Returns "returns",
        Right "right",
        Type "type",
        TypeParameters "type_parameters",
        Value "value",
    }
}

/// Returns the kinds and fields of the grammar by number.
pub(super) fn kind_table(tree: &SyntaxTree) -> &'static KindTable<Kind, Field> {
    static KIND_TABLE: OnceLock<KindTable<Kind, Field>> = OnceLock::new();
    KIND_TABLE.get_or_init(|| KindTable::new(&tree.language(), Kind::from_name))
}
