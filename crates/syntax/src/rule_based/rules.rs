//! What nodes and fields are to a reader, whatever a grammar calls them.

use crate::tree::{self, NodeField, NodeKind, Part};
use ragnav_base::item::DefinitionKind;

/// A tree of any of the languages.
pub(crate) type FlatTree<'t> = tree::FlatTree<'t, Rule, Field>;

/// What a named node is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Rule {
    /// It may define something of this kind.
    Defines(DefinitionKind),
    /// It may define a function, which is a method where it stands in what has some.
    Function,
    /// What it defines are members of the type in its `type` field.
    Members,
    /// The child in the field is called.
    Call(Field),
    /// The first child that is no keyword is called.
    New,
    /// A member of something is called.
    Invokes { of: Field, name: Field },
    /// A member of something, which only where `is_value` may be a definition without being called.
    Member {
        of: Field,
        name: Field,
        is_value: bool,
    },
    /// A dotted name: its last segment stands for it.
    Path,
    /// What it is for is what its children are for.
    Through,
    /// What it is for is what its children are for, but for the one in the field, which is read.
    Except(Field),
    /// Its children are read, whatever it is for.
    Reads,
    /// Of its children the first alone is a mention.
    First,
    /// Its children are mentions, also where a name by itself is none.
    Mentions,
    /// The child in the field is no mention.
    Skips(Field),
    /// Nothing in it is a mention.
    Skip,
    /// What is in it is imported.
    Import,
    /// The same under the name in its `alias` field.
    ImportAs,
    /// All of a module is imported.
    Star,
    /// A module is imported by the text in its `path` field.
    ImportPath,
    /// What is in it is inherited from.
    Inherit,
    /// A field, whose type is inherited from where it has no name.
    Embeds,
    /// The names in the first field are variables, not yet seen in the second.
    Local(Field, Field),
    /// The names directly in it are variables, or types that stand for others.
    Locals,
    /// A declarator of a function, whose parameters count where it is being defined.
    Declarator,
    /// A block of statements, to whose end its variables are seen.
    Block,
    /// What is to whose end its variables are seen; the names in the field are some.
    Region(Field),
    /// The tokens of a macro.
    Tokens,
    /// What stands before a definition and is no part of it.
    Decorator,
    /// What may hold decorators.
    Modifiers,
    /// A name that may be a definition's.
    Name,
    /// A name that may be a definition's only where it is called, imported, inherited from or has members.
    Variable,
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
    /// Whether a node is a name.
    pub(super) fn is_name(self) -> bool {
        matches!(self, Self::Name | Self::Variable)
    }

    /// Whether variables are seen to its end and no further.
    pub(super) fn is_region(self) -> bool {
        matches!(self, Self::Members | Self::Block | Self::Region(_))
    }
}

impl NodeKind for Rule {
    const OWN_RECEIVERS: &'static [&'static str] = &OWN;
    const TOKEN: Self = Self::Token;
    const ERROR: Self = Self::Other;

    fn part(self) -> Part {
        match self {
            Self::Token => Part::Token,
            Self::Comment => Part::Extra,
            Self::Text => Part::Text,
            Self::Name | Self::Variable => Part::Name,
            Self::Block => Part::Block,
            _ => Part::Other,
        }
    }
}

/// What instances call themselves, and methods their class.
pub(super) const OWN: [&str; 5] = ["self", "Self", "this", "$this", "static"];

macro_rules! fields {
    ($($field:ident $name:literal),* $(,)?) => {
        /// The fields by which children are told apart; the names are the grammars'.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        pub(crate) enum Field {
            $(#[doc = concat!("`", $name, "`")] $field,)*
            /// Any other field, or none.
            #[default]
            Other,
        }

        impl NodeField for Field {
            fn of_name(name: &str) -> Self {
                match name {
                    $($name => Self::$field,)*
                    _ => Self::Other,
                }
            }
        }
    };
}

fields! {
    Alias "alias",
    Body "body",
    Bounds "bounds",
    Condition "condition",
    Declarator "declarator",
    Member "field",
    Function "function",
    Key "key",
    Left "left",
    Macro "macro",
    Method "method",
    Name "name",
    Object "object",
    Operand "operand",
    Package "package",
    Parameters "parameters",
    Path "path",
    Pattern "pattern",
    Receiver "receiver",
    Right "right",
    Scope "scope",
    Size "size",
    Trait "trait",
    Type "type",
    Value "value",
}
