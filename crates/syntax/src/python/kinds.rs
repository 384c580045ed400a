//! The node kinds and fields of the grammar.

use std::sync::OnceLock;

use crate::syntax_tree::SyntaxTree;
use crate::tree::{self, KindTable, NodeClass, NodeKind, node_fields, node_kinds};

/// The tree of a Python text.
pub(super) type FlatTree<'t> = tree::FlatTree<'t, Kind, Field>;

node_kinds! {
    /// The node kinds that matter for facts, named as in the grammar.
    pub(super) enum Kind {
        AliasedImport "aliased_import",
        ArgumentList "argument_list",
        AsPattern "as_pattern",
        AsPatternTarget "as_pattern_target",
        AssertStatement "assert_statement",
        Assignment "assignment",
        Attribute "attribute",
        AugmentedAssignment "augmented_assignment",
        Await "await",
        BinaryOperator "binary_operator",
        Block "block",
        BooleanOperator "boolean_operator",
        Call "call",
        CaseClause "case_clause",
        ClassDefinition "class_definition",
        ClassPattern "class_pattern",
        Comment "comment",
        Comprehension "dictionary_comprehension" | "generator_expression" | "list_comprehension"
                | "set_comprehension",
        ConcatenatedString "concatenated_string",
        ConditionalExpression "conditional_expression",
        ConstrainedType "constrained_type",
        DecoratedDefinition "decorated_definition",
        Decorator "decorator",
        Dictionary "dictionary",
        DefaultParameter "default_parameter" | "typed_default_parameter",
        DottedName "dotted_name",
        ElifClause "elif_clause",
        ExceptClause "except_clause",
        ExpressionStatement "expression_statement",
        ForInClause "for_in_clause",
        ForStatement "for_statement",
        FunctionDefinition "function_definition",
        FutureImportStatement "future_import_statement",
        GenericType "generic_type",
        GlobalStatement "global_statement",
        Identifier "identifier",
        IfStatement "if_statement",
        ImportFromStatement "import_from_statement",
        ImportPrefix "import_prefix",
        ImportStatement "import_statement",
        Integer "integer",
        Interpolation "interpolation",
        KeywordArgument "keyword_argument",
        KeywordPattern "keyword_pattern",
        Lambda "lambda" | "lambda_within_for_in_clause",
        LineContinuation "line_continuation",
        /// A list of patterns or expressions without brackets.
        Elements "expression_list" | "list_pattern" | "pattern_list" | "tuple_pattern",
        List "list",
        MemberType "member_type",
        NamedExpression "named_expression",
        None "none",
        NotOperator "not_operator",
        NonlocalStatement "nonlocal_statement",
        Pair "pair",
        Parameters "lambda_parameters" | "parameters",
        ParenthesizedExpression "parenthesized_expression",
        /// A pattern of `case` that contains other patterns.
        Pattern "case_pattern" | "dict_pattern" | "union_pattern",
        RaiseStatement "raise_statement",
        RelativeImport "relative_import",
        ReturnStatement "return_statement",
        Set "set",
        Slice "slice",
        /// `*a` or `**a`, read or assigned.
        Splat "dictionary_splat_pattern" | "list_splat" | "list_splat_pattern",
        SplatPattern "splat_pattern",
        SplatType "splat_type",
        String "string",
        StringContent "string_content",
        Subscript "subscript",
        Tuple "tuple",
        Type "type",
        TypeAliasStatement "type_alias_statement",
        TypeParameter "type_parameter",
        TypedParameter "typed_parameter",
        UnionType "union_type",
        WhileStatement "while_statement",
        WithStatement "with_statement",
        WildcardImport "wildcard_import",
        Yield "yield",
    }
}

impl NodeKind for Kind {
    const OWN_RECEIVERS: &'static [&'static str] = &["self", "cls"];
    const TOKEN: Self = Self::Token;
    const ERROR: Self = Self::Other;

    fn class(self) -> NodeClass {
        match self {
            Self::Token => NodeClass::Token,
            Self::Comment | Self::LineContinuation => NodeClass::Extra,
            Self::String => NodeClass::Text,
            Self::Identifier => NodeClass::Name,
            Self::Block => NodeClass::Block,
            _ => NodeClass::Other,
        }
    }
}

node_fields! {
    /// The fields of nodes that ragnav reads, named as in the grammar.
    pub(super) enum Field {
        Alias "alias",
        Attribute "attribute",
        Body "body",
        Condition "condition",
        Consequence "consequence",
        Function "function",
        Left "left",
        ModuleName "module_name",
        Name "name",
        Object "object",
        Parameters "parameters",
        ReturnType "return_type",
        Right "right",
        Superclasses "superclasses",
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
