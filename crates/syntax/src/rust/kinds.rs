//! The node kinds and fields of the grammar.

use std::sync::OnceLock;

use crate::syntax_tree::SyntaxTree;
use crate::tree::{self, KindTable, NodeClass, NodeKind, node_fields, node_kinds};

/// The tree of a Rust text.
pub(super) type FlatTree<'t> = tree::FlatTree<'t, Kind, Field>;

node_kinds! {
    /// The node kinds that matter for facts, named as in the grammar.
    pub(super) enum Kind {
        ArrayExpression "array_expression",
        ArrayType "array_type",
        Assignment "assignment_expression",
        AssociatedType "associated_type",
        Attribute "attribute_item" | "inner_attribute_item",
        Await "await_expression",
        Binary "binary_expression",
        Block "block",
        BoundedType "bounded_type",
        BracketedType "bracketed_type",
        Break "break_expression",
        Call "call_expression",
        CapturedPattern "captured_pattern",
        Cast "type_cast_expression",
        Closure "closure_expression",
        Comment "block_comment" | "line_comment",
        ConstItem "const_item" | "static_item",
        ConstParameter "const_parameter",
        Crate "crate",
        Else "else_clause",
        Enum "enum_item",
        EnumVariant "enum_variant",
        ExpressionStatement "expression_statement",
        ExternCrate "extern_crate_declaration",
        FieldDeclaration "field_declaration",
        FieldExpression "field_expression",
        FieldIdentifier "field_identifier",
        FieldInitializer "field_initializer",
        FieldPattern "field_pattern",
        For "for_expression",
        ForeignMod "foreign_mod_item",
        Function "function_item" | "function_signature_item",
        FunctionType "function_type",
        GenericFunction "generic_function",
        GenericType "generic_type" | "generic_type_with_turbofish",
        Identifier "identifier",
        If "if_expression" | "while_expression",
        Impl "impl_item",
        Index "index_expression",
        Let "let_declaration",
        LetCondition "let_condition",
        Lifetime "label" | "lifetime",
        Literal "boolean_literal" | "float_literal" | "integer_literal" | "unit_expression",
        Loop "loop_expression",
        MacroDefinition "macro_definition",
        MacroInvocation "macro_invocation",
        MacroPattern "token_tree_pattern",
        Match "match_expression",
        MatchArm "match_arm",
        MatchPattern "match_pattern",
        Mod "mod_item",
        OrderedFields "ordered_field_declaration_list",
        Parameter "parameter",
        Parameters "parameters",
        Parenthesized "parenthesized_expression",
        PrimitiveType "primitive_type",
        QualifiedType "qualified_type",
        Range "range_expression",
        Reference "reference_expression",
        ReferenceType "pointer_type" | "reference_type",
        Scoped "scoped_identifier" | "scoped_type_identifier",
        ScopedUseList "scoped_use_list",
        SelfKeyword "self",
        SelfParameter "self_parameter",
        ShorthandField "shorthand_field_identifier",
        SlicePattern "slice_pattern",
        String "char_literal" | "raw_string_literal" | "string_literal",
        Struct "struct_item" | "union_item",
        StructExpression "struct_expression",
        StructPattern "struct_pattern",
        Super "super",
        TokenTree "token_tree",
        Trait "trait_item",
        TraitBounds "trait_bounds",
        TraitType "abstract_type" | "dynamic_type" | "higher_ranked_trait_bound",
        Try "try_expression",
        Tuple "tuple_expression",
        TuplePattern "tuple_pattern",
        TupleStructPattern "tuple_struct_pattern",
        TupleType "tuple_type",
        TypeArguments "type_arguments",
        TypeBinding "type_binding",
        TypeIdentifier "type_identifier",
        TypeItem "type_item",
        TypeParameter "type_parameter",
        Unary "unary_expression",
        Use "use_declaration",
        UseAs "use_as_clause",
        UseList "use_list",
        UseWildcard "use_wildcard",
        WherePredicate "where_predicate",
        /// An expression that has the value of the block in it.
        WrappedBlock "async_block" | "unsafe_block",
        /// A pattern that binds the names of the pattern inside it.
        WrappedPattern "mut_pattern" | "or_pattern" | "ref_pattern" | "reference_pattern",
    }
}

impl NodeKind for Kind {
    const OWN_RECEIVERS: &'static [&'static str] = &["self", "Self"];
    const TOKEN: Self = Self::Token;
    const ERROR: Self = Self::Other;

    fn class(self) -> NodeClass {
        match self {
            Self::Token => NodeClass::Token,
            Self::Comment => NodeClass::Extra,
            Self::String => NodeClass::Text,
            Self::Identifier
            | Self::FieldIdentifier
            | Self::ShorthandField
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
        Alternative "alternative",
        Arguments "arguments",
        Body "body",
        Bounds "bounds",
        Condition "condition",
        Consequence "consequence",
        Element "element",
        Function "function",
        Left "left",
        List "list",
        Macro "macro",
        Name "name",
        Parameters "parameters",
        Path "path",
        Pattern "pattern",
        ReturnType "return_type",
        Right "right",
        Selected "field",
        Trait "trait",
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
