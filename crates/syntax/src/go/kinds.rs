//! The node kinds and fields of the grammar.

use std::sync::OnceLock;

use crate::syntax_tree::SyntaxTree;
use crate::tree::{self, KindTable, NodeClass, NodeKind, node_fields, node_kinds};

/// The tree of a Go text.
pub(super) type FlatTree<'t> = tree::FlatTree<'t, Kind, Field>;

node_kinds! {
    /// The node kinds that matter for facts, named as in the grammar.
    pub(super) enum Kind {
        Block "block",
        Call "call_expression",
        Case "communication_case" | "default_case" | "expression_case",
        ChannelType "channel_type",
        Comment "comment",
        CompositeLiteral "composite_literal",
        ConstDeclaration "const_declaration",
        ConstSpec "const_spec",
        Conversion "type_conversion_expression",
        Dot "dot",
        ExpressionList "expression_list",
        ExpressionStatement "expression_statement",
        FieldDeclaration "field_declaration",
        FieldIdentifier "field_identifier",
        ForStatement "for_statement",
        Function "function_declaration",
        FunctionLiteral "func_literal",
        FunctionType "function_type",
        GenericType "generic_type",
        Identifier "identifier",
        IfStatement "if_statement",
        ImportSpec "import_spec",
        Index "index_expression",
        InterfaceType "interface_type",
        KeyedElement "keyed_element",
        Label "label_name",
        ListType "array_type" | "implicit_length_array_type" | "slice_type",
        LiteralElement "literal_element",
        MapType "map_type",
        Method "method_declaration",
        MethodElem "method_elem",
        NegatedType "negated_type",
        PackageClause "package_clause",
        PackageIdentifier "package_identifier",
        Parameter "parameter_declaration",
        Parameters "parameter_list",
        Parenthesized "parenthesized_expression" | "parenthesized_type",
        PointerType "pointer_type",
        QualifiedType "qualified_type",
        RangeClause "range_clause",
        ReceiveStatement "receive_statement",
        Selector "selector_expression",
        ShortVar "short_var_declaration",
        Slice "slice_expression",
        String "interpreted_string_literal" | "raw_string_literal" | "rune_literal",
        StructType "struct_type",
        Switch "expression_switch_statement",
        TypeAssertion "type_assertion_expression",
        TypeCase "type_case",
        TypeElem "type_elem",
        TypeIdentifier "type_identifier",
        TypeParameter "type_parameter_declaration",
        TypeParameters "type_parameter_list",
        TypeSpec "type_alias" | "type_spec",
        TypeSwitch "type_switch_statement",
        Unary "unary_expression",
        VarDeclaration "var_declaration",
        VarSpec "var_spec",
        VarSpecList "var_spec_list",
        VariadicParameter "variadic_parameter_declaration",
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

node_fields! {
    /// The fields of nodes that ragnav reads, named as in the grammar.
    pub(super) enum Field {
        Alias "alias",
        Arguments "arguments",
        Body "body",
        Element "element",
        Selected "field",
        Function "function",
        Initializer "initializer",
        Key "key",
        Left "left",
        Name "name",
        Operand "operand",
        Package "package",
        Parameters "parameters",
        Path "path",
        Receiver "receiver",
        Result "result",
        Right "right",
        Type "type",
        TypeArguments "type_arguments",
        TypeParameters "type_parameters",
        Value "value",
    }
}

/// Returns the kinds and fields of the grammar by number.
pub(super) fn kind_table(tree: &SyntaxTree) -> &'static KindTable<Kind, Field> {
    static KIND_TABLE: OnceLock<KindTable<Kind, Field>> = OnceLock::new();
    KIND_TABLE.get_or_init(|| KindTable::new(&tree.language(), Kind::from_name))
}
