//! The node kinds and fields of the grammar.

use std::sync::OnceLock;

use crate::syntax_tree::SyntaxTree;
use crate::tree::{self, KindTable, NodeClass, NodeKind, node_fields, node_kinds};

/// The tree of a Ruby text.
pub(super) type FlatTree<'t> = tree::FlatTree<'t, Kind, Field>;

node_kinds! {
    /// The node kinds that matter for facts, named as in the grammar.
    pub(super) enum Kind {
        Alias "alias" | "undef",
        ArgumentList "argument_list",
        Array "array" | "string_array" | "symbol_array",
        AlternativePattern "alternative_pattern",
        AsPattern "as_pattern",
        Assignment "assignment",
        Binary "binary",
        Block "block" | "do_block",
        BlockArgument "block_argument",
        BlockParameter "block_parameter",
        Body "begin" | "block_body" | "body_statement" | "else" | "then",
        Branch "case" | "case_match" | "conditional" | "elsif" | "if" | "if_modifier" | "in_clause"
                | "unless" | "unless_modifier" | "when",
        Call "call",
        Class "class",
        Comment "comment",
        Constant "constant",
        DeclaredNames "block_parameters" | "destructured_parameter" | "lambda_parameters"
                | "method_parameters",
        ElementReference "element_reference",
        Ensure "ensure",
        ExceptionVariable "exception_variable",
        Hash "hash",
        Identifier "identifier",
        InstanceVariable "class_variable" | "instance_variable",
        Lambda "lambda",
        LeftAssignmentList "destructured_left_assignment" | "left_assignment_list"
                | "rest_assignment",
        Literal "false" | "float" | "integer" | "nil" | "regex" | "true",
        Loop "for" | "until" | "until_modifier" | "while" | "while_modifier",
        Method "method",
        Module "module",
        Next "next",
        OperatorAssignment "operator_assignment",
        Parameter "hash_splat_parameter" | "keyword_parameter" | "optional_parameter"
                | "splat_parameter",
        Pair "pair",
        Pattern "pattern",
        Parenthesized "parenthesized_statements",
        Rescue "rescue",
        RescueModifier "rescue_modifier",
        Return "return",
        RightAssignmentList "right_assignment_list",
        ScopeResolution "scope_resolution",
        SelfKeyword "self",
        Setter "setter",
        SingletonClass "singleton_class",
        SingletonMethod "singleton_method",
        Splat "splat_argument",
        String "heredoc_content" | "string_content",
        StringLiteral "chained_string" | "heredoc_beginning" | "string",
        Super "super",
        Superclass "superclass",
        Symbol "simple_symbol",
        Unary "unary",
        Yield "yield",
    }
}

impl NodeKind for Kind {
    const OWN_RECEIVERS: &'static [&'static str] = &["self"];
    const TOKEN: Self = Self::Token;
    const ERROR: Self = Self::Other;

    fn class(self) -> NodeClass {
        match self {
            Self::Token => NodeClass::Token,
            Self::Comment => NodeClass::Extra,
            Self::String | Self::Symbol => NodeClass::Text,
            Self::Identifier | Self::Constant => NodeClass::Name,
            Self::Body => NodeClass::Block,
            _ => NodeClass::Other,
        }
    }
}

node_fields! {
    /// The fields of nodes that ragnav reads, named as in the grammar.
    pub(super) enum Field {
        Alternative "alternative",
        Arguments "arguments",
        Block "block",
        Body "body",
        Condition "condition",
        Consequence "consequence",
        Left "left",
        Method "method",
        Name "name",
        Object "object",
        Parameters "parameters",
        Pattern "pattern",
        Receiver "receiver",
        Right "right",
        Scope "scope",
        Superclass "superclass",
        Value "value",
        Variable "variable",
    }
}

/// Returns the kinds and fields of the grammar by number.
pub(super) fn kind_table(tree: &SyntaxTree) -> &'static KindTable<Kind, Field> {
    static KIND_TABLE: OnceLock<KindTable<Kind, Field>> = OnceLock::new();
    KIND_TABLE.get_or_init(|| KindTable::new(&tree.language(), Kind::from_name))
}
