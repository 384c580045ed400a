use crate::fact_rows::*;
#[test]
fn dump() {
    let Ok(file) = std::env::var("DUMP") else {
        return;
    };
    let text = std::fs::read_to_string(&file).unwrap();
    let path = ragnav::path::RepoPath::parse(file.rsplit('/').next().unwrap()).unwrap();
    let language = ragnav::lang::of_path(&path).unwrap();
    let facts = ragnav::lang::facts(language, &text);
    assert_eq!(facts.symbols(), ragnav::lang::symbols(language, &text));
    for row in kinds(&facts).iter().zip(lines(&facts)) {
        println!("{row:?}");
    }
    for row in references(&facts) {
        println!("{row}");
    }
    for row in imports(&facts) {
        println!("import {row}");
    }
}
