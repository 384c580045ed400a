//! The symbol that a line is identified with is located around that line, in any text of any language. The first byte is the language.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ragnav::lang;
use ragnav::locator::{LocatorOptions, identify_symbol_at_line, line_count, locate_symbol};
use ragnav_fuzz as _;

/// So many lines are looked at: each has the text parsed twice.
const LINES: usize = 8;

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(rest) else {
        return;
    };
    let names = lang::names();
    let name = &names[usize::from(*first) % names.len()];
    let language = lang::by_name(name).expect("its name is known");
    let options = LocatorOptions {
        lang: Some(name.clone()),
        module: Some("pkg.mod".to_owned()),
        decorators: Some(first & 0x80 != 0),
        path: None,
    };
    let symbols = lang::symbols(language, ragnav::repo::text::without_bom(text));
    let count = line_count(text);
    for line in (0..=count + 1).step_by(count / LINES + 1) {
        let found = identify_symbol_at_line(text, line, &options).expect("the options are right");
        let Some(id) = found else { continue };
        assert!((1..=count).contains(&line));
        let place = locate_symbol(text, id.as_str(), &options).expect("the options are right");
        let place = place.unwrap_or_else(|| panic!("{id:?} is not located"));
        let (start, end) = (place.start_line as usize, place.end_line as usize);
        assert!((1..=end).contains(&start) && end <= count, "{place:?}");
        let path = id
            .dotted()
            .strip_prefix("pkg.mod.")
            .expect("its module is known");
        let mut namesakes = symbols.iter().filter(|symbol| symbol.name_path == path);
        let first = namesakes.next().expect("it is a symbol");
        let is_alone = namesakes.next().is_none();
        let start = if options.decorators == Some(true) {
            first.decorated_start_line
        } else {
            start
        };
        assert!(
            !is_alone || (start..=end).contains(&line),
            "{id:?} {place:?}"
        );
    }
});
