//! The constraint in the name of a file: `a_linux_arm64.go` takes part only in builds for both.
//!
//! Source: <https://pkg.go.dev/cmd/go#hdr-Build_constraints>.

/// The systems that names of files may end with.
const SYSTEMS: [&str; 18] = [
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "hurd",
    "illumos",
    "ios",
    "js",
    "linux",
    "nacl",
    "netbsd",
    "openbsd",
    "plan9",
    "solaris",
    "wasip1",
    "windows",
    "zos",
];

/// The processors that names of files may end with.
const PROCESSORS: [&str; 24] = [
    "386",
    "amd64",
    "amd64p32",
    "arm",
    "arm64",
    "arm64be",
    "armbe",
    "loong64",
    "mips",
    "mips64",
    "mips64le",
    "mips64p32",
    "mips64p32le",
    "mipsle",
    "ppc",
    "ppc64",
    "ppc64le",
    "riscv",
    "riscv64",
    "s390",
    "s390x",
    "sparc",
    "sparc64",
    "wasm",
];

/// Returns the constraint of a file by its name.
pub(super) fn constraint_of_name(name: &str) -> Option<String> {
    let stem = name.split('.').next().unwrap_or(name);
    // What stands before the first `_` is no constraint: `linux.go` is for all systems.
    let (_, tags) = stem.split_once('_')?;
    let tags = tags.strip_suffix("_test").unwrap_or(tags);
    let mut last = tags.rsplit('_');
    let (tag, before) = (last.next()?, last.next());
    let before = before.filter(|system| SYSTEMS.contains(system));
    if PROCESSORS.contains(&tag) {
        return Some(before.map_or_else(|| tag.to_owned(), |system| format!("{system} && {tag}")));
    }
    SYSTEMS.contains(&tag).then(|| tag.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_of_a_name_is_a_constraint() {
        for (name, constraint) in [
            ("a_linux.go", Some("linux")),
            ("a_linux_arm64.go", Some("linux && arm64")),
            ("a_linux_arm64_test.go", Some("linux && arm64")),
            ("a_b_amd64.go", Some("amd64")),
            ("_windows.go", Some("windows")),
            ("linux.go", None),
            ("linux_test.go", None),
            ("a_linux_b.go", None),
            ("a.linux.go", None),
        ] {
            assert_eq!(constraint_of_name(name).as_deref(), constraint, "{name}");
        }
    }
}
