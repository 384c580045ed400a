//! The node kinds and fields of the grammar.

use std::sync::OnceLock;

use crate::syntax_tree::SyntaxTree;
use crate::tree::{self, KindTable, NodeClass, NodeKind, node_fields, node_kinds};

/// The tree of a Java text.
pub(super) type FlatTree<'t> = tree::FlatTree<'t, Kind, Field>;

node_kinds! {
    /// The node kinds that matter for facts, named as in the grammar.
    pub(super) enum Kind {
        AnnotatedType "annotated_type",
        Annotation "annotation" | "marker_annotation",
        Arguments "argument_list",
        ArrayAccess "array_access",
        ArrayCreation "array_creation_expression",
        ArrayType "array_type",
        Assignment "assignment_expression",
        Asterisk "asterisk",
        Binary "binary_expression",
        Block "block" | "constructor_body",
        Boolean "false" | "true",
        Cast "cast_expression",
        CatchClause "catch_clause",
        CatchParameter "catch_formal_parameter",
        CatchType "catch_type",
        ClassBody "class_body",
        ClassLiteral "class_literal",
        Comment "block_comment" | "line_comment",
        ConstructorCall "explicit_constructor_invocation",
        Creation "object_creation_expression",
        Declarator "variable_declarator",
        Dimension "dimensions_expr",
        Dimensions "dimensions",
        Do "do_statement",
        ElementPair "element_value_pair",
        EnhancedFor "enhanced_for_statement",
        EnumConstant "enum_constant",
        ExpressionStatement "expression_statement",
        Field "constant_declaration" | "field_declaration",
        FieldAccess "field_access",
        ForStatement "for_statement",
        GenericType "generic_type",
        Identifier "identifier",
        If "if_statement",
        Import "import_declaration",
        InferredParameters "inferred_parameters",
        InstanceOf "instanceof_expression",
        Integer "binary_integer_literal" | "decimal_integer_literal" | "hex_integer_literal"
                | "octal_integer_literal",
        InterfaceBody "interface_body",
        Jump "break_statement" | "continue_statement",
        Label "labeled_statement",
        Lambda "lambda_expression",
        LocalVariable "local_variable_declaration",
        Method "annotation_type_element_declaration" | "compact_constructor_declaration"
                | "constructor_declaration" | "method_declaration",
        MethodCall "method_invocation",
        MethodReference "method_reference",
        Null "null_literal",
        Package "module_declaration" | "package_declaration",
        Parameter "formal_parameter",
        Parameters "formal_parameters",
        Parenthesized "parenthesized_expression",
        Pattern "record_pattern_component" | "type_pattern",
        PrimitiveType "boolean_type" | "floating_point_type" | "integral_type",
        Real "decimal_floating_point_literal" | "hex_floating_point_literal",
        Resource "resource",
        Return "return_statement",
        ScopedIdentifier "scoped_identifier",
        ScopedType "scoped_type_identifier",
        SpreadParameter "spread_parameter",
        String "character_literal" | "string_literal",
        Super "super",
        SuperTypes "extends_interfaces" | "super_interfaces" | "superclass",
        Switch "switch_expression",
        SwitchArm "switch_block_statement_group" | "switch_rule",
        Ternary "ternary_expression",
        This "this",
        Throw "throw_statement" | "yield_statement",
        TryWithResources "try_with_resources_statement",
        TypeArguments "type_arguments",
        TypeBound "type_bound",
        TypeDeclaration "annotation_type_declaration" | "class_declaration" | "enum_declaration"
                | "interface_declaration" | "record_declaration",
        TypeIdentifier "type_identifier",
        TypeList "type_list",
        TypeParameter "type_parameter",
        TypeParameters "type_parameters",
        Unary "unary_expression",
        While "while_statement",
        Wildcard "wildcard",
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

node_fields! {
    /// The fields of nodes that ragnav reads, named as in the grammar.
    pub(super) enum Field {
        Alternative "alternative",
        Arguments "arguments",
        Array "array",
        Body "body",
        Condition "condition",
        Consequence "consequence",
        Constructor "constructor",
        Declarator "declarator",
        Element "element",
        Key "key",
        Left "left",
        Name "name",
        Object "object",
        Operator "operator",
        Parameters "parameters",
        Right "right",
        Selected "field",
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
