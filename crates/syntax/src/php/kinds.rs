//! The node kinds and fields of the grammar.

use std::sync::OnceLock;

use crate::syntax_tree::SyntaxTree;
use crate::tree::{self, KindTable, NodeClass, NodeKind, node_fields, node_kinds};

/// The tree of a PHP text.
pub(super) type FlatTree<'t> = tree::FlatTree<'t, Kind, Field>;

node_kinds! {
    /// The node kinds that matter for facts, named as in the grammar.
    pub(super) enum Kind {
        AnonymousClass "anonymous_class",
        Argument "argument",
        ArrayCreation "array_creation_expression",
        ArrayElement "array_element_initializer",
        ArrowFunction "arrow_function",
        Assignment "assignment_expression" | "reference_assignment_expression",
        Attribute "attribute",
        AugmentedAssignment "augmented_assignment_expression",
        BaseClause "base_clause" | "class_interface_clause",
        Binary "binary_expression",
        Block "compound_statement" | "declaration_list" | "enum_declaration_list",
        Branch "case_statement" | "conditional_expression" | "default_statement" | "else_clause"
                | "else_if_clause" | "if_statement" | "match_conditional_expression"
                | "match_default_expression",
        CatchClause "catch_clause",
        Closure "anonymous_function",
        ClosureUse "anonymous_function_use_clause",
        Comment "comment",
        ConstantAccess "class_constant_access_expression",
        ConstElement "const_element",
        Creation "object_creation_expression",
        EnumCase "enum_case",
        Foreach "foreach_statement",
        Function "function_definition",
        FunctionCall "function_call_expression",
        Label "goto_statement" | "named_label_statement",
        List "list_literal",
        Literal "boolean" | "encapsed_string" | "float" | "heredoc" | "integer" | "nowdoc" | "null",
        Loop "do_statement" | "for_statement" | "while_statement",
        Match "match_expression",
        MatchBlock "match_block",
        MemberAccess "member_access_expression" | "nullsafe_member_access_expression",
        MemberCall "member_call_expression" | "nullsafe_member_call_expression",
        Method "method_declaration",
        Name "name",
        NamedType "named_type",
        Namespace "namespace_definition",
        NamespaceName "namespace_name",
        Pair "pair",
        Parameter "property_promotion_parameter" | "simple_parameter",
        Parenthesized "parenthesized_expression",
        PropertyDeclaration "property_declaration",
        PropertyElement "property_element",
        QualifiedName "qualified_name" | "relative_name",
        RelativeScope "relative_scope",
        Return "return_statement",
        ScopedCall "scoped_call_expression",
        ScopedProperty "scoped_property_access_expression",
        String "nowdoc_string" | "string" | "string_content" | "text",
        Subscript "subscript_expression",
        TraitAlias "use_as_clause",
        TraitChoice "use_instead_of_clause",
        TraitRules "use_list",
        TraitUse "use_declaration",
        Try "try_statement",
        TypeDeclaration "class_declaration" | "enum_declaration" | "interface_declaration"
                | "trait_declaration",
        TypeList "type_list",
        UnaryOperation "unary_op_expression",
        Use "namespace_use_declaration",
        UseClause "namespace_use_clause",
        UseGroup "namespace_use_group",
        Variable "variable_name",
        Variadic "variadic_parameter",
        /// A type that may be one of several, or nothing.
        WrappedType "disjunctive_normal_form_type" | "intersection_type" | "optional_type"
                | "union_type",
        /// An expression whose value is that of the expression inside it.
        Wrapped "clone_expression" | "error_suppression_expression",
        Yield "yield_expression",
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

node_fields! {
    /// The fields of nodes that ragnav reads, named as in the grammar.
    pub(super) enum Field {
        Alias "alias",
        Arguments "arguments",
        Body "body",
        DefaultValue "default_value",
        Function "function",
        Left "left",
        Name "name",
        Object "object",
        Parameters "parameters",
        Prefix "prefix",
        ReturnType "return_type",
        Right "right",
        Scope "scope",
        Type "type",
        Visibility "visibility",
    }
}

/// Returns the kinds and fields of the grammar by number.
pub(super) fn kind_table(tree: &SyntaxTree) -> &'static KindTable<Kind, Field> {
    static KIND_TABLE: OnceLock<KindTable<Kind, Field>> = OnceLock::new();
    KIND_TABLE.get_or_init(|| KindTable::new(&tree.language(), Kind::from_name))
}
