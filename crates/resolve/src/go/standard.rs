//! The methods that interfaces of the standard library declare. A type implements an interface by
//! its methods alone, so that code from outside may call them.
//!
//! Source: <https://pkg.go.dev/std>.

/// The names of these methods in packages that many programs use: `context`, `database/sql`,
/// `encoding`, `errors`, `flag`, `fmt`, `io`, `log/slog`, `net`, `net/http`, `os`, `sort`, `sync`
/// and others.
const METHODS: [&str; 64] = [
    "Accept",
    "Addr",
    "As",
    "Close",
    "Deadline",
    "Done",
    "Draw",
    "Enabled",
    "Err",
    "Error",
    "Flush",
    "Format",
    "GoString",
    "GobDecode",
    "GobEncode",
    "Handle",
    "Header",
    "Hijack",
    "Is",
    "IsDir",
    "Len",
    "Less",
    "LocalAddr",
    "Lock",
    "LogValue",
    "MarshalBinary",
    "MarshalJSON",
    "MarshalText",
    "MarshalXML",
    "ModTime",
    "Mode",
    "Network",
    "Open",
    "Pop",
    "Push",
    "Read",
    "ReadAt",
    "ReadByte",
    "ReadFrom",
    "ReadRune",
    "RemoteAddr",
    "RoundTrip",
    "Scan",
    "Seek",
    "ServeHTTP",
    "SetDeadline",
    "Stat",
    "String",
    "Swap",
    "Temporary",
    "Timeout",
    "UnmarshalBinary",
    "UnmarshalJSON",
    "UnmarshalText",
    "UnmarshalXML",
    "Unlock",
    "Unwrap",
    "WithAttrs",
    "WithGroup",
    "Write",
    "WriteAt",
    "WriteHeader",
    "WriteString",
    "WriteTo",
];

/// The generic functions that return what they are given, and the methods of `atomic.Pointer`.
const PASSING: [&str; 14] = [
    "Clone",
    "Collect",
    "CompareAndSwap",
    "Find",
    "First",
    "Last",
    "Load",
    "Max",
    "MaxFunc",
    "Min",
    "MinFunc",
    "Must",
    "OnceValue",
    "Swap",
];

/// Reports whether an interface of the standard library declares a method of this name.
pub(super) fn declares(method: &str) -> bool {
    METHODS.contains(&method)
}

/// Reports whether a function of this name may return what it is given.
pub(super) fn passes(function: &str) -> bool {
    PASSING.contains(&function)
}
