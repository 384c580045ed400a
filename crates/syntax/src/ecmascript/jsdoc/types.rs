//! Parses the types of documentation comments: `{import("./a").B[]}`.
//!
//! <https://www.typescriptlang.org/docs/handbook/jsdoc-supported-types.html> lists their syntax,
//! which has that of TypeScript and that of the Closure compiler.

use crate::facts::INDEX_SIGNATURE;

/// The maximum depth of nested types.
const MAX_DEPTH: usize = 8;

/// The maximum number of parts of one type.
const MAX_PARTS: usize = 256;

/// The types without members that a repository defines, and literals. In a union they do not count.
const PLAIN: [&str; 20] = [
    "BigInt",
    "Boolean",
    "Number",
    "String",
    "Symbol",
    "bigint",
    "bool",
    "boolean",
    "false",
    "int",
    "integer",
    "never",
    "null",
    "number",
    "string",
    "symbol",
    "true",
    "undefined",
    "unknown",
    "void",
];

/// The types that say nothing of their values, or of which the parts cannot be parsed.
const ANYTHING: [&str; 15] = [
    "Function", "Object", "any", "asserts", "exports", "function", "infer", "keyof", "mixed",
    "module", "new", "object", "super", "this", "unique",
];

/// A type in a documentation comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::ecmascript) enum DocType<'t> {
    /// A type without members that a repository defines: `string`, `null`, `"a"`.
    Plain,
    /// `A.B`.
    Name(&'t str),
    /// `import("./a").B.C`.
    Import {
        module: &'t str,
        /// `B.C`, or nothing for the module itself.
        members: &'t str,
    },
    /// `typeof A`: the class, not an instance.
    TypeOf(Box<DocType<'t>>),
    /// `A<B>`. Of an argument that is not known there is no type.
    Applied {
        of: Box<DocType<'t>>,
        arguments: Vec<Option<DocType<'t>>>,
    },
    /// `A | B` or `A & B`.
    AnyOf(Vec<DocType<'t>>),
    /// `a is A`: a boolean value that says that something is an `A`.
    Predicate(Box<DocType<'t>>),
    /// `[A, B]`.
    Tuple(Vec<Option<DocType<'t>>>),
    /// `{a: A}`.
    Object(Vec<(&'t str, Option<DocType<'t>>)>),
    /// `(a: A) => B`, or `function(A): B` as in the Closure compiler.
    Function {
        parameters: Vec<Option<DocType<'t>>>,
        returns: Option<Box<DocType<'t>>>,
    },
}

impl<'t> DocType<'t> {
    /// Parses the text between the braces. A text that has other syntax is no type.
    pub(super) fn parse(text: &'t str) -> Option<Self> {
        let mut parser = Parser { text, rest: text };
        let found = parser.alternatives(MAX_DEPTH);
        parser.skip_space();
        found.filter(|_| parser.rest.is_empty())
    }

    /// Returns an array of elements of this type.
    fn into_array(self) -> Self {
        Self::Applied {
            of: Box::new(Self::Name("Array")),
            arguments: vec![Some(self)],
        }
    }
}

/// Reports whether a letter may be part of a name.
pub(super) fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$')
}

struct Parser<'t> {
    text: &'t str,
    rest: &'t str,
}

impl<'t> Parser<'t> {
    /// Skips blanks, and the `*` with which the lines of a comment begin.
    fn skip_space(&mut self) {
        loop {
            let trimmed = self.rest.trim_start();
            let skipped = self.rest.len() - trimmed.len();
            let has_line = self.rest.get(..skipped).is_some_and(|it| it.contains('\n'));
            self.rest = trimmed;
            match trimmed.strip_prefix('*').filter(|_| has_line) {
                Some(rest) => self.rest = rest,
                None => return,
            }
        }
    }

    /// Skips a token, if it comes next.
    fn skip(&mut self, token: &str) -> bool {
        self.skip_space();
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn skip_word(&mut self, word: &str) -> bool {
        self.skip_space();
        let rest = self.rest.strip_prefix(word);
        let rest = rest.filter(|rest| !rest.starts_with(is_letter));
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Returns the name that comes next, if any does.
    fn name(&mut self) -> &'t str {
        self.skip_space();
        let end = self.rest.find(|letter| !is_letter(letter));
        let (name, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        name
    }

    /// Returns the text in quotes that comes next, if any does.
    fn string(&mut self) -> Option<&'t str> {
        self.skip_space();
        let quote = self.rest.chars().next();
        let quote = quote.filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
        let (text, rest) = self.rest.strip_prefix(quote)?.split_once(quote)?;
        self.rest = rest;
        Some(text)
    }

    fn alternatives(&mut self, depth: usize) -> Option<DocType<'t>> {
        let depth = depth.checked_sub(1)?;
        self.skip("|");
        let mut arms = vec![self.suffixed(depth)?];
        while self.skip("|") || self.skip("&") {
            arms.push(self.suffixed(depth)?);
            if arms.len() > MAX_PARTS {
                return None;
            }
        }
        arms.retain(|arm| *arm != DocType::Plain);
        Some(match arms.len() {
            0 => DocType::Plain,
            1 => arms.remove(0),
            _ => DocType::AnyOf(arms),
        })
    }

    /// Parses a type with the signs around it: `?A`, `...A`, `A[]`, `A=`.
    fn suffixed(&mut self, depth: usize) -> Option<DocType<'t>> {
        let is_rest = self.skip("...");
        while self.skip("?") || self.skip("!") {}
        let mut found = self.single(depth)?;
        if self.skip_word("is") {
            let tested = self.suffixed(depth.checked_sub(1)?)?;
            found = DocType::Predicate(Box::new(tested));
        }
        for _ in 0..MAX_DEPTH {
            if self.skip("[") {
                self.skip("]").then_some(())?;
                found = found.into_array();
            } else if self.rest.starts_with("=>")
                || !(self.skip("=") || self.skip("?") || self.skip("!"))
            {
                break;
            }
        }
        Some(if is_rest { found.into_array() } else { found })
    }

    fn single(&mut self, depth: usize) -> Option<DocType<'t>> {
        if self.skip("(") {
            let inside = self.rest;
            if let Some(found) = self.function(depth) {
                return Some(found);
            }
            self.rest = inside;
            let found = self.alternatives(depth)?;
            return self.skip(")").then_some(found);
        }
        if self.skip("{") {
            return self.members(depth).map(DocType::Object);
        }
        if self.skip("[") {
            return self.list("]", depth).map(DocType::Tuple);
        }
        if self.string().is_some() {
            return Some(DocType::Plain);
        }
        match self.name() {
            "" => None,
            "import" => self.import(),
            "function" if self.skip("(") => {
                let parameters = self.list(")", depth)?;
                let returns = self.skip(":").then(|| self.suffixed(depth)).flatten();
                let returns = returns.map(Box::new);
                Some(DocType::Function {
                    parameters,
                    returns,
                })
            }
            "readonly" => self.suffixed(depth.checked_sub(1)?),
            "typeof" => {
                let of = self.single(depth.checked_sub(1)?)?;
                Some(DocType::TypeOf(Box::new(of)))
            }
            first => {
                let path = self.path(first);
                self.applied(path, depth)
            }
        }
    }

    /// Parses `a: A, ...b) => C`, the rest of a function type.
    fn function(&mut self, depth: usize) -> Option<DocType<'t>> {
        let mut parameters = Vec::new();
        while !self.skip(")") {
            let is_rest = self.skip("...");
            if self.name().is_empty() || parameters.len() > MAX_PARTS {
                return None;
            }
            self.skip("?");
            let of = if self.skip(":") {
                Some(self.alternatives(depth)?)
            } else {
                None
            };
            // The parameter is an array, but its values are not in the place of one.
            parameters.push(of.filter(|_| !is_rest));
            if !self.skip(",") && !self.rest.starts_with(')') {
                return None;
            }
        }
        self.skip("=>").then_some(())?;
        let returns = self.alternatives(depth).map(Box::new);
        Some(DocType::Function {
            parameters,
            returns,
        })
    }

    /// Returns the path that begins with a name which has just been skipped.
    fn path(&mut self, first: &'t str) -> &'t str {
        let start = self.text.len() - self.rest.len() - first.len();
        while let Some(further) = self.rest.strip_prefix('.') {
            if !further.starts_with(is_letter) {
                break;
            }
            let end = further.find(|letter| !is_letter(letter));
            let (_, rest) = further.split_at(end.unwrap_or(further.len()));
            self.rest = rest;
        }
        let end = self.text.len() - self.rest.len();
        self.text.get(start..end).unwrap_or(first)
    }

    /// Parses the arguments of a type: `A<B>`, or `A.<B>` as in the Closure compiler.
    fn applied(&mut self, path: &'t str, depth: usize) -> Option<DocType<'t>> {
        if self.skip(".<") || self.skip("<") {
            let arguments = self.list(">", depth)?;
            // `Object<string, A>` is a mapping.
            let name = if path == "Object" { "Record" } else { path };
            let of = Box::new(DocType::Name(name));
            return Some(DocType::Applied { of, arguments });
        }
        let is_number = path.starts_with(|first: char| first.is_ascii_digit());
        if is_number || PLAIN.contains(&path) {
            return Some(DocType::Plain);
        }
        (!ANYTHING.contains(&path)).then_some(DocType::Name(path))
    }

    fn import(&mut self) -> Option<DocType<'t>> {
        self.skip("(").then_some(())?;
        let module = self.string()?;
        self.skip(")").then_some(())?;
        let path = match self.rest.strip_prefix('.') {
            Some(rest) => {
                self.rest = rest;
                let first = self.name();
                self.path(first)
            }
            None => "",
        };
        let found = DocType::Import {
            module,
            members: path,
        };
        Some(found)
    }

    /// Parses types up to a closing bracket. A type that says nothing is none.
    fn list(&mut self, end: &str, depth: usize) -> Option<Vec<Option<DocType<'t>>>> {
        let mut found = Vec::new();
        while !self.skip(end) {
            let before = self.rest;
            let one = self.alternatives(depth);
            let is_whole = self.skip(",") || self.rest.starts_with(end);
            if is_whole {
                found.push(one);
            } else {
                self.rest = before;
                self.skip_unknown();
                self.skip(",");
                found.push(None);
            }
            if found.len() > MAX_PARTS || self.rest == before {
                return None;
            }
        }
        Some(found)
    }

    /// Parses the members of an object type, after its brace.
    fn members(&mut self, depth: usize) -> Option<Vec<(&'t str, Option<DocType<'t>>)>> {
        let mut found = Vec::new();
        while !self.skip("}") {
            let before = self.rest;
            let name = self.member_name();
            self.skip("?");
            let value = if self.skip(":") {
                self.member_value(depth)
            } else {
                self.skip_unknown();
                None
            };
            let _ = self.skip(",") || self.skip(";");
            if !name.is_empty() {
                found.push((name, value));
            }
            if found.len() > MAX_PARTS || self.rest == before {
                return None;
            }
        }
        Some(found)
    }

    /// Parses the type of a member of an object type. One of another syntax is skipped.
    fn member_value(&mut self, depth: usize) -> Option<DocType<'t>> {
        let before = self.rest;
        let value = self.alternatives(depth);
        self.skip_space();
        let is_whole = self.rest.starts_with([',', ';', '}']) || self.starts_member();
        if value.is_some() && is_whole {
            return value;
        }
        self.rest = before;
        self.skip_unknown();
        None
    }

    /// Returns the name of a member of an object type, or that of an index signature:
    /// `[key: string]`.
    fn member_name(&mut self) -> &'t str {
        if let Some(quoted) = self.string() {
            return quoted;
        }
        self.skip_word("readonly");
        if !self.skip("[") {
            return self.name();
        }
        let (_, rest) = self.rest.split_once(']').unwrap_or(("", ""));
        self.rest = rest;
        INDEX_SIGNATURE
    }

    /// Reports whether a member of an object type begins here, after a line without a comma.
    fn starts_member(&self) -> bool {
        let end = self.rest.find(|letter| !is_letter(letter));
        let after = end.and_then(|end| self.rest.get(end..)).unwrap_or("");
        end != Some(0) && after.trim_start_matches('?').starts_with(':')
    }

    /// Skips a type of another syntax, up to the comma or the bracket after it.
    fn skip_unknown(&mut self) {
        let mut depth = 0_usize;
        let mut before = ' ';
        let end = self.rest.find(|letter| {
            let is_arrow = letter == '>' && before == '=';
            before = letter;
            match letter {
                '(' | '[' | '{' | '<' => depth += 1,
                ')' | ']' | '}' | '>' if !is_arrow => match depth.checked_sub(1) {
                    Some(outer) => depth = outer,
                    None => return true,
                },
                ',' | ';' => return depth == 0,
                _ => {}
            }
            false
        });
        let (_, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
    }
}
