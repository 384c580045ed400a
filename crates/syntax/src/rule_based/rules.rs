//! The rules and fields by which a language describes its grammar.

use crate::tree::{self, NodeClass, NodeKind, node_fields};
use ragnav_base::item::DefinitionKind;

/// A tree of any language that is described by rules.
pub(crate) type FlatTree<'t> = tree::FlatTree<'t, Rule, Field>;

/// The meaning of a node kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Rule {
    /// A construct that may define something of this kind.
    Definition(DefinitionKind),
    /// A construct that defines something of this kind, which lasts until the end of the
    /// enclosing node: `namespace a;` in C#.
    DefinitionOfRest(DefinitionKind),
    /// A construct that defines something of this kind, to which the accessors after it belong:
    /// `val a: Int` before `get() = 1` in Kotlin.
    DefinitionWithAccessors(DefinitionKind),
    /// An accessor, which is inside of the definition of its property or after it.
    Accessor,
    /// A construct that may define a function, or a method if a type encloses it.
    Function,
    /// A block whose definitions are members of the type in its `type` field.
    Members,
    /// A call of the child in this field.
    Call(Field),
    /// A call of the first operand.
    New,
    /// A call of the method `name` of `receiver`.
    MethodCall { receiver: Field, name: Field },
    /// An access to the member `name` of `receiver`. It is a reference without a call only if
    /// `is_value` is set.
    Member {
        receiver: Field,
        name: Field,
        is_value: bool,
    },
    /// A node whose first operand names a member of another object: `a` of `x is { a: 1 }`.
    MemberOfOther,
    /// A list of assignments to members of another object: `{ a = 1 }` of `new A { a = 1 }`.
    Initializer,
    /// An assignment.
    Assignment,
    /// A dotted name whose last segment has the role of the whole.
    Path,
    /// A dotted name whose segments are its children. The last has the role of the whole; the
    /// others are references.
    Segments,
    /// A dotted name without fields. Its last name has the role of the whole, and what precedes it
    /// is its receiver.
    DottedName,
    /// A node whose role passes to its children.
    Transparent,
    /// A node whose role passes to its first operand; the others are read.
    First,
    /// A node whose role passes to its children, except to the one in this field, which is read.
    Except(Field),
    /// A node whose children are read, whatever its role.
    ReadChildren,
    /// A node whose children are references, even bare identifiers.
    ReferenceChildren,
    /// A node whose child in this field contains no reference.
    SkipField(Field),
    /// A node that contains no reference.
    Skip,
    /// An import of the names inside.
    Import,
    /// An import under the name in the `alias` field.
    ImportAs,
    /// An import of a module and of all of its names. The file does not list the names.
    ImportAll,
    /// A star import.
    ImportStar,
    /// A star import. A definition of the file hides an imported name.
    WeakImportStar,
    /// An import of the module whose path is in the `path` field.
    ImportPath,
    /// The names that the import of a module lists: `a` of `import 'm' show a` in Dart.
    ImportedNames,
    /// A clause that lists base classes.
    Inherit,
    /// A declaration as below. In a type, it may define a method without a body.
    MemberDeclaration(Field, Field),
    /// A declaration of the variables in the first field. They are not visible in the second.
    Declaration(Field, Field),
    /// A declaration of fields. The whole enclosing definition sees them, also before.
    FieldDeclaration(Field),
    /// A match of the pattern in the first field with a value in the second, whose variables are
    /// not visible there. In a pattern, both are patterns: `{a, b} = c` in Elixir.
    Match(Field, Field),
    /// A declaration of the variables in the first operand. They are not visible in the others.
    DeclaredFirst,
    /// A declaration of the variables in the first operand. They are not visible in the second, but
    /// in the others: `a` of `a <- b if c` in Scala.
    Generator,
    /// A declaration of variables without values, to which definitions of the same names may assign
    /// functions: `local f` before `f = function() end` in Lua.
    ForwardDeclaration,
    /// A node whose direct names are variables or type parameters.
    DeclaredNames,
    /// A name that is no identifier: `~A` and `operator+`.
    SpecialName,
    /// A node around a definition, to which the comments before it belong.
    Wrapper,
    /// A construct around a definition, with parameters that only the definition sees:
    /// `template <class T>`.
    Template,
    /// The declarator of a function. Its parameters count only if it is a definition.
    Declarator,
    /// A block of statements: variables declared inside are visible until its end.
    Block,
    /// A construct that opens a scope: variables declared in this field are visible until its end.
    Scope(Field),
    /// A scope as above in which an unknown object may have the members that bare names refer to: a
    /// lambda in Kotlin.
    ReceiverScope(Field),
    /// A construct that precedes a definition without being part of it.
    Decorator,
    /// A list of modifiers, which may contain decorators.
    Modifiers,
    /// A name that may refer to a definition.
    Name,
    /// A name that refers to a definition only if it is called, imported, a base class or a
    /// receiver.
    Identifier,
    /// A name that is a reference even among variables and imports: `None` of `case None =>` and
    /// `A` of `import A.b`.
    ReferenceName,
    /// A name that declares a variable, unless it is a field.
    VariableName,
    /// A dotted name without nodes for its segments: `A.B` in Elixir. The last segment is the name,
    /// and it is never a variable.
    PathName,
    /// A comment.
    Comment,
    /// A string.
    Text,
    /// A keyword, operator or bracket.
    Token,
    /// Any other node.
    #[default]
    Other,
}

impl Rule {
    /// Reports whether the node is a name.
    pub(crate) fn is_name(self) -> bool {
        matches!(
            self,
            Self::Name
                | Self::Identifier
                | Self::ReferenceName
                | Self::VariableName
                | Self::PathName
        )
    }

    /// Reports whether the node may define something, or contain the only definition.
    pub(super) fn may_define(self) -> bool {
        matches!(
            self,
            Self::Definition(_)
                | Self::DefinitionWithAccessors(_)
                | Self::Function
                | Self::MemberDeclaration(..)
                | Self::Template
        )
    }

    /// Reports whether variables declared inside go out of scope at the end of the node.
    pub(super) fn is_scope(self) -> bool {
        matches!(
            self,
            Self::Members
                | Self::Accessor
                | Self::Block
                | Self::Template
                | Self::Scope(_)
                | Self::ReceiverScope(_)
        )
    }
}

impl NodeKind for Rule {
    const OWN_RECEIVERS: &'static [&'static str] = &OWN_INSTANCE_NAMES;
    const TOKEN: Self = Self::Token;
    const ERROR: Self = Self::Other;

    fn is_dotted_name(self) -> bool {
        self == Self::PathName
    }

    fn class(self) -> NodeClass {
        match self {
            Self::Token => NodeClass::Token,
            Self::Comment => NodeClass::Extra,
            Self::Text => NodeClass::Text,
            one if one.is_name() => NodeClass::Name,
            Self::Block => NodeClass::Block,
            _ => NodeClass::Other,
        }
    }
}

/// The names of the current instance and of its class in methods.
pub(super) const OWN_INSTANCE_NAMES: [&str; 5] = ["self", "Self", "this", "$this", "static"];

node_fields! {
    /// The fields of nodes that ragnav reads, named as in the grammars.
    pub(crate) enum Field {
        Alias "alias",
        Argument "argument",
        Body "body",
        BoundIdentifier "bound_identifier",
        Bounds "bounds",
        ComputedValue "computed_value",
        Condition "condition",
        Constructor "constructor",
        DeclarationKind "declaration_kind",
        Declarator "declarator",
        Error "error",
        Expression "expression",
        ExternalName "external_name",
        Member "field",
        Function "function",
        Interpolator "interpolator",
        Item "item",
        Key "key",
        LambdaStart "lambda_start",
        Left "left",
        Macro "macro",
        MemberName "member",
        Method "method",
        Name "name",
        Object "object",
        Operand "operand",
        Operator "operator",
        Package "package",
        Parameters "parameters",
        Path "path",
        Pattern "pattern",
        Property "property",
        Qualifier "qualifier",
        Receiver "receiver",
        Right "right",
        Scope "scope",
        Selector "selector",
        Size "size",
        Table "table",
        Suffix "suffix",
        Target "target",
        Trait "trait",
        Type "type",
        Value "value",
    }
}
