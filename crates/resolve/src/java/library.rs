//! What well-known types of the standard library extend and implement, and the types of members
//! that every class has.
//!
//! Source: the packages `java.io`, `java.lang`, `java.lang.reflect`, `java.math`, `java.net`,
//! `java.nio`, `java.util` and those below of [Java SE].
//!
//! [Java SE]: https://docs.oracle.com/en/java/javase/21/docs/api/java.base/module-summary.html

/// Each type with those that it extends or implements itself, except `Object`.
const SUPERTYPES: [(&str, &[&str]); 80] = [
    ("AbstractCollection", &["Collection"]),
    ("AbstractList", &["AbstractCollection", "List"]),
    ("AbstractMap", &["Map"]),
    ("AbstractSet", &["AbstractCollection", "Set"]),
    ("AccessibleObject", &["AnnotatedElement"]),
    ("Appendable", &[]),
    (
        "ArrayDeque",
        &["AbstractCollection", "Cloneable", "Deque", "Serializable"],
    ),
    (
        "ArrayList",
        &["AbstractList", "Cloneable", "RandomAccess", "Serializable"],
    ),
    ("AutoCloseable", &[]),
    ("BigDecimal", &["Comparable", "Number"]),
    ("BigInteger", &["Comparable", "Number"]),
    ("Boolean", &["Comparable", "Constable", "Serializable"]),
    ("BufferedInputStream", &["InputStream"]),
    ("BufferedOutputStream", &["OutputStream"]),
    ("BufferedReader", &["Reader"]),
    ("BufferedWriter", &["Writer"]),
    ("Byte", &["Comparable", "Constable", "Number"]),
    ("ByteArrayInputStream", &["InputStream"]),
    ("ByteArrayOutputStream", &["OutputStream"]),
    ("CharSequence", &[]),
    ("Character", &["Comparable", "Constable", "Serializable"]),
    ("Charset", &["Comparable"]),
    (
        "Class",
        &[
            "AnnotatedElement",
            "Constable",
            "GenericDeclaration",
            "Serializable",
            "Type",
        ],
    ),
    ("Closeable", &["AutoCloseable"]),
    ("Collection", &["Iterable"]),
    ("Comparator", &[]),
    ("Constructor", &["Executable"]),
    ("Date", &["Cloneable", "Comparable", "Serializable"]),
    ("Deque", &["Queue"]),
    (
        "Double",
        &["Comparable", "Constable", "ConstantDesc", "Number"],
    ),
    ("Enum", &["Comparable", "Constable", "Serializable"]),
    ("Error", &["Throwable"]),
    ("Exception", &["Throwable"]),
    (
        "Executable",
        &["AccessibleObject", "GenericDeclaration", "Member"],
    ),
    ("Field", &["AccessibleObject", "Member"]),
    ("File", &["Comparable", "Serializable"]),
    ("FileInputStream", &["InputStream"]),
    ("FileOutputStream", &["OutputStream"]),
    ("FileReader", &["Reader"]),
    ("FileWriter", &["Writer"]),
    (
        "Float",
        &["Comparable", "Constable", "ConstantDesc", "Number"],
    ),
    ("HashMap", &["AbstractMap", "Cloneable", "Serializable"]),
    ("HashSet", &["AbstractSet", "Cloneable", "Serializable"]),
    ("IOException", &["Exception"]),
    ("InputStream", &["Closeable"]),
    ("InputStreamReader", &["Reader"]),
    (
        "Integer",
        &["Comparable", "Constable", "ConstantDesc", "Number"],
    ),
    ("Iterable", &[]),
    ("Iterator", &[]),
    ("LinkedHashMap", &["HashMap"]),
    ("LinkedHashSet", &["HashSet"]),
    (
        "LinkedList",
        &["AbstractList", "Cloneable", "Deque", "Serializable"],
    ),
    ("List", &["Collection", "SequencedCollection"]),
    ("Locale", &["Cloneable", "Serializable"]),
    (
        "Long",
        &["Comparable", "Constable", "ConstantDesc", "Number"],
    ),
    ("Map", &[]),
    ("Method", &["Executable"]),
    ("Number", &["Serializable"]),
    ("Object", &[]),
    ("Optional", &[]),
    ("OutputStream", &["Closeable", "Flushable"]),
    ("OutputStreamWriter", &["Writer"]),
    ("Path", &["Comparable", "Iterable", "Watchable"]),
    ("Pattern", &["Serializable"]),
    ("PrintStream", &["Appendable", "OutputStream"]),
    ("PrintWriter", &["Writer"]),
    ("Queue", &["Collection"]),
    ("Reader", &["Closeable", "Readable"]),
    ("Record", &[]),
    ("RuntimeException", &["Exception"]),
    ("Set", &["Collection"]),
    ("Short", &["Comparable", "Constable", "Number"]),
    (
        "StringBuffer",
        &["Appendable", "CharSequence", "Comparable", "Serializable"],
    ),
    (
        "StringBuilder",
        &["Appendable", "CharSequence", "Comparable", "Serializable"],
    ),
    ("StringReader", &["Reader"]),
    ("StringWriter", &["Writer"]),
    ("Throwable", &["Serializable"]),
    (
        "TreeMap",
        &["AbstractMap", "Cloneable", "NavigableMap", "Serializable"],
    ),
    ("Type", &[]),
    ("Writer", &["Appendable", "Closeable", "Flushable"]),
];

/// The methods whose results have the same type in each class that has them.
const RESULTS: [(&str, &str); 11] = [
    ("booleanValue", "boolean"),
    ("byteValue", "byte"),
    ("charValue", "char"),
    ("doubleValue", "double"),
    ("floatValue", "float"),
    ("getClass", "Class"),
    ("hashCode", "int"),
    ("intValue", "int"),
    ("longValue", "long"),
    ("shortValue", "short"),
    ("toString", "String"),
];

/// The methods of `String`, and their results.
const RESULTS_OF_TEXT: [(&str, &str); 25] = [
    ("charAt", "char"),
    ("codePointAt", "int"),
    ("compareTo", "int"),
    ("concat", "String"),
    ("contains", "boolean"),
    ("copyValueOf", "String"),
    ("endsWith", "boolean"),
    ("equals", "boolean"),
    ("format", "String"),
    ("formatted", "String"),
    ("indexOf", "int"),
    ("isEmpty", "boolean"),
    ("join", "String"),
    ("lastIndexOf", "int"),
    ("length", "int"),
    ("repeat", "String"),
    ("replace", "String"),
    ("replaceAll", "String"),
    ("startsWith", "boolean"),
    ("strip", "String"),
    ("substring", "String"),
    ("toLowerCase", "String"),
    ("toUpperCase", "String"),
    ("trim", "String"),
    ("valueOf", "String"),
];

/// Reports whether a type of the library extends or implements another one. Returns `None` for a
/// type that is not well known.
pub(super) fn is_subtype(from: &str, to: &str) -> Option<bool> {
    let own = supertypes(from)?;
    let mut above = own.iter();
    Some(from == to || above.any(|one| *one == to || is_subtype(one, to) == Some(true)))
}

fn supertypes(name: &str) -> Option<&'static [&'static str]> {
    let at = SUPERTYPES
        .binary_search_by_key(&name, |(one, _)| *one)
        .ok()?;
    SUPERTYPES.get(at).map(|(_, above)| *above)
}

/// Returns the name of the type of what a method returns in each class that has it.
pub(super) fn result(method: &str) -> Option<&'static str> {
    named(&RESULTS, method)
}

/// Returns the name of the type of what a method of `String` returns.
pub(super) fn result_of_text(method: &str) -> Option<&'static str> {
    named(&RESULTS_OF_TEXT, method)
}

fn named(all: &[(&str, &'static str)], method: &str) -> Option<&'static str> {
    let at = all.binary_search_by_key(&method, |(one, _)| *one).ok()?;
    all.get(at).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::{RESULTS, RESULTS_OF_TEXT, SUPERTYPES, is_subtype};

    #[test]
    fn the_tables_are_sorted() {
        assert!(SUPERTYPES.is_sorted_by_key(|(name, _)| *name));
        assert!(RESULTS.is_sorted_by_key(|(name, _)| *name));
        assert!(RESULTS_OF_TEXT.is_sorted_by_key(|(name, _)| *name));
    }

    #[test]
    fn types_above_are_followed() {
        assert_eq!(is_subtype("LinkedHashMap", "Map"), Some(true));
        assert_eq!(is_subtype("Class", "Appendable"), Some(false));
        assert_eq!(is_subtype("Cart", "Map"), None);
    }
}
