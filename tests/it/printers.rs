//! Prints the [models](crate::repositories) in each language that resolves names across files.

use crate::repositories::{Import, Imported, Printer};

pub struct Python;

impl Printer for Python {
    const EXTENSION: &'static str = "py";
    const COMMENT: &'static str = "# function0 Class0 method0";
    const BROKEN: &'static str = "value = = 3 + (";

    fn import(
        &self,
        _: &str,
        Imported {
            file, name, local, ..
        }: Imported<'_>,
    ) -> Import {
        let module = file.replace('/', ".");
        let renamed = renamed(name, local, " as ");
        import_of(format!("from {module} import {renamed}"), local)
    }

    fn function(&self, name: &str, class: Option<&str>) -> String {
        match class {
            Some(_) => format!("    def {name}(self):"),
            None => format!("def {name}():"),
        }
    }

    fn class(&self, name: &str, base: Option<&str>) -> String {
        let base = base.map(|base| format!("({base})"));
        format!("class {name}{}:", base.unwrap_or_default())
    }

    fn end(&self, _: bool) -> Option<String> {
        None
    }

    fn call(&self, name: &str, _: bool, method: Option<&str>, in_class: bool) -> String {
        let indentation = if in_class { "        " } else { "    " };
        format!("{indentation}{name}(){}", called(".", method))
    }

    fn nothing(&self, in_class: bool) -> String {
        if in_class { "        pass" } else { "    pass" }.to_owned()
    }
}

pub struct Ecmascript<const IS_TYPED: bool>;

impl<const IS_TYPED: bool> Printer for Ecmascript<IS_TYPED> {
    const EXTENSION: &'static str = if IS_TYPED { "ts" } else { "js" };
    const COMMENT: &'static str = "// function0 Class0 method0";
    const BROKEN: &'static str = "value = = 3 + (";

    fn import(
        &self,
        into: &str,
        Imported {
            file, name, local, ..
        }: Imported<'_>,
    ) -> Import {
        let up = match into.matches('/').count() {
            0 => "./".to_owned(),
            depth => "../".repeat(depth),
        };
        let extension = if IS_TYPED { "" } else { ".js" };
        let renamed = renamed(name, local, " as ");
        let line = format!("import {{ {renamed} }} from '{up}{file}{extension}';");
        import_of(line, local)
    }

    fn function(&self, name: &str, class: Option<&str>) -> String {
        match class {
            Some(_) => format!("  {name}() {{"),
            None => format!("export function {name}() {{"),
        }
    }

    fn class(&self, name: &str, base: Option<&str>) -> String {
        let above = base.map(|base| format!(" extends {base}"));
        format!("export class {name}{} {{", above.unwrap_or_default())
    }

    fn end(&self, in_class: bool) -> Option<String> {
        Some(if in_class { "  }" } else { "}" }.to_owned())
    }

    fn call(&self, name: &str, is_class: bool, method: Option<&str>, _: bool) -> String {
        let new = if is_class { "new " } else { "" };
        format!("    {new}{name}(){};", called(".", method))
    }

    fn nothing(&self, _: bool) -> String {
        "    ;".to_owned()
    }
}

pub struct Rust;

impl Printer for Rust {
    const EXTENSION: &'static str = "rs";
    const COMMENT: &'static str = "// function0 Class0 method0";
    const BROKEN: &'static str = "let = = 3 + (";

    fn root(&self) -> Option<(&'static str, &'static str)> {
        let modules = "mod a; mod b; mod c; mod other { mod f; }\n\
                       mod folder { mod d; mod inner { mod e; } }\n";
        Some(("lib.rs", modules))
    }

    fn import(
        &self,
        _: &str,
        Imported {
            file, name, local, ..
        }: Imported<'_>,
    ) -> Import {
        let module = file.replace('/', "::");
        let renamed = renamed(name, local, " as ");
        import_of(format!("use crate::{module}::{{{renamed}}};"), local)
    }

    fn function(&self, name: &str, class: Option<&str>) -> String {
        match class {
            Some(_) => format!("    pub fn {name}(&self) {{"),
            None => format!("pub fn {name}() {{"),
        }
    }

    /// A type has the methods of the type to which it leads as a pointer.
    fn class(&self, name: &str, base: Option<&str>) -> String {
        let base = base.map(|base| format!("impl Deref for {name} {{ type Target = {base}; }} "));
        let base = base.unwrap_or_default();
        format!("pub struct {name}; {base}impl {name} {{")
    }

    fn end(&self, in_class: bool) -> Option<String> {
        Some(if in_class { "    }" } else { "}" }.to_owned())
    }

    fn call(&self, name: &str, is_class: bool, method: Option<&str>, _: bool) -> String {
        let call = if is_class { "" } else { "()" };
        format!("        {name}{call}{};", called(".", method))
    }

    fn nothing(&self, _: bool) -> String {
        "        ;".to_owned()
    }
}

/// Each file is a package in a folder of its own.
pub struct Go;

impl Printer for Go {
    const EXTENSION: &'static str = "go";
    const COMMENT: &'static str = "// Function0 Class0 Method0";
    const BROKEN: &'static str = "value = = 3 + (";

    fn root(&self) -> Option<(&'static str, &'static str)> {
        Some(("go.mod", "module example.com/shop\n"))
    }

    fn path(&self, file: &str) -> String {
        format!("{file}/file")
    }

    /// Other packages see capitalised names only.
    fn spell(&self, name: &str) -> String {
        let (first, rest) = name.split_at(1);
        format!("{}{rest}", first.to_uppercase())
    }

    fn header(&self, file: &str) -> Option<String> {
        Some(format!("package {}", last_segment(file)))
    }

    fn import(&self, _: &str, Imported { file, name, .. }: Imported<'_>) -> Import {
        let alias = file.replace('/', "_");
        Import {
            line: Some(format!("import {alias} \"example.com/shop/{file}\"")),
            is_reference: false,
            local: format!("{alias}.{}", self.spell(name)),
        }
    }

    fn function(&self, name: &str, class: Option<&str>) -> String {
        match class {
            Some(class) => format!("func (self *{class}) {name}() {{"),
            None => format!("func {name}() {{"),
        }
    }

    /// A type has the methods of the type that it embeds.
    fn class(&self, name: &str, base: Option<&str>) -> String {
        let base = base.map(|base| format!(" {base} "));
        format!("type {name} struct {{{}}}", base.unwrap_or_default())
    }

    fn end(&self, _: bool) -> Option<String> {
        Some("}".to_owned())
    }

    fn class_end(&self) -> Option<String> {
        None
    }

    fn call(&self, name: &str, is_class: bool, method: Option<&str>, _: bool) -> String {
        if is_class {
            return format!("\t_ = (&{name}{{}}){}", called(".", method));
        }
        format!("\t{name}()")
    }

    fn nothing(&self, _: bool) -> String {
        "\treturn".to_owned()
    }
}

/// Each file is a class of a package of its own. A function is a class in it whose method has its
/// body.
pub struct Java;

impl Printer for Java {
    const EXTENSION: &'static str = "java";
    const COMMENT: &'static str = "// function0 Class0 method0";
    const BROKEN: &'static str = "value = = 3 + (";

    fn path(&self, file: &str) -> String {
        format!("{file}/File")
    }

    fn spell(&self, name: &str) -> String {
        name.replace("function", "Function")
    }

    fn opening(&self, _: &str) -> Option<String> {
        Some("public class File {".to_owned())
    }

    fn footer(&self) -> Option<String> {
        Some("}".to_owned())
    }

    fn header(&self, file: &str) -> Option<String> {
        Some(format!("package {};", file.replace('/', ".")))
    }

    /// An import cannot rename, so a name that is taken is qualified wherever it is used.
    fn import(
        &self,
        _: &str,
        Imported {
            file, name, local, ..
        }: Imported<'_>,
    ) -> Import {
        let path = format!("{}.File.{}", file.replace('/', "."), self.spell(name));
        if name != local {
            return Import {
                local: path,
                ..Import::default()
            };
        }
        import_of(format!("import {path};"), &self.spell(local))
    }

    fn function(&self, name: &str, class: Option<&str>) -> String {
        match class {
            Some(_) => format!("    public void {name}() {{"),
            None => format!("public static class {name} {{ void run() {{"),
        }
    }

    fn class(&self, name: &str, base: Option<&str>) -> String {
        let above = base.map(|base| format!(" extends {base}"));
        format!("public static class {name}{} {{", above.unwrap_or_default())
    }

    fn end(&self, in_class: bool) -> Option<String> {
        Some(if in_class { "    }" } else { "} }" }.to_owned())
    }

    fn class_end(&self) -> Option<String> {
        Some("}".to_owned())
    }

    fn call(&self, name: &str, _: bool, method: Option<&str>, _: bool) -> String {
        format!("        new {name}(){};", called(".", method))
    }

    fn nothing(&self, _: bool) -> String {
        "        ;".to_owned()
    }
}

/// Each file is a namespace. A function is a class whose method has its body.
pub struct CSharp;

impl Printer for CSharp {
    const EXTENSION: &'static str = "cs";
    const COMMENT: &'static str = "// function0 Class0 method0";
    const BROKEN: &'static str = "value = = 3 + (";

    fn header(&self, file: &str) -> Option<String> {
        Some(format!("namespace Shop.{} {{", file.replace('/', ".")))
    }

    fn footer(&self) -> Option<String> {
        Some("}".to_owned())
    }

    fn import(
        &self,
        _: &str,
        Imported {
            file, name, local, ..
        }: Imported<'_>,
    ) -> Import {
        let path = file.replace('/', ".");
        import_of(format!("using {local} = Shop.{path}.{name};"), local)
    }

    fn function(&self, name: &str, class: Option<&str>) -> String {
        match class {
            Some(_) => format!("    public void {name}() {{"),
            None => format!("public class {name} {{ void Run() {{"),
        }
    }

    fn class(&self, name: &str, base: Option<&str>) -> String {
        let above = base.map(|base| format!(" : {base}"));
        format!("public class {name}{} {{", above.unwrap_or_default())
    }

    fn end(&self, in_class: bool) -> Option<String> {
        Some(if in_class { "    }" } else { "} }" }.to_owned())
    }

    fn class_end(&self) -> Option<String> {
        Some("}".to_owned())
    }

    fn call(&self, name: &str, _: bool, method: Option<&str>, _: bool) -> String {
        format!("        new {name}(){};", called(".", method))
    }

    fn nothing(&self, _: bool) -> String {
        "        ;".to_owned()
    }
}

/// Each file is a header with a namespace.
pub struct Cpp;

impl Cpp {
    fn namespace(file: &str) -> String {
        format!("shop_{}", file.replace('/', "_"))
    }
}

impl Printer for Cpp {
    const EXTENSION: &'static str = "hpp";
    const COMMENT: &'static str = "// function0 Class0 method0";
    const BROKEN: &'static str = "value = = 3 + (";

    fn opening(&self, file: &str) -> Option<String> {
        Some(format!("namespace {} {{", Self::namespace(file)))
    }

    fn footer(&self) -> Option<String> {
        Some("}".to_owned())
    }

    fn import(&self, _: &str, Imported { file, name, .. }: Imported<'_>) -> Import {
        Import {
            line: Some(format!("#include \"{file}.hpp\"")),
            is_reference: false,
            local: format!("{}::{name}", Self::namespace(file)),
        }
    }

    fn function(&self, name: &str, class: Option<&str>) -> String {
        match class {
            Some(_) => format!("    void {name}() {{"),
            None => format!("inline void {name}() {{"),
        }
    }

    fn class(&self, name: &str, base: Option<&str>) -> String {
        let above = base.map(|base| format!(" : public {base}"));
        format!("class {name}{} {{ public:", above.unwrap_or_default())
    }

    fn end(&self, in_class: bool) -> Option<String> {
        Some(if in_class { "    }" } else { "}" }.to_owned())
    }

    fn class_end(&self) -> Option<String> {
        Some("};".to_owned())
    }

    fn call(&self, name: &str, _: bool, method: Option<&str>, _: bool) -> String {
        format!("        {name}(){};", called(".", method))
    }

    fn nothing(&self, _: bool) -> String {
        "        ;".to_owned()
    }
}

/// Each file is a namespace.
pub struct Php;

impl Printer for Php {
    const EXTENSION: &'static str = "php";
    const COMMENT: &'static str = "// function0 Class0 method0";
    const BROKEN: &'static str = "$value = = 3 + (";

    fn header(&self, file: &str) -> Option<String> {
        Some(format!(
            "<?php namespace Shop\\{};",
            file.replace('/', "\\")
        ))
    }

    fn import(&self, _: &str, imported: Imported<'_>) -> Import {
        let Imported {
            file,
            name,
            local,
            is_class,
        } = imported;
        let function = if is_class { "" } else { "function " };
        let path = file.replace('/', "\\");
        let renamed = renamed(name, local, " as ");
        import_of(format!("use {function}Shop\\{path}\\{renamed};"), local)
    }

    fn function(&self, name: &str, class: Option<&str>) -> String {
        match class {
            Some(_) => format!("    public function {name}() {{"),
            None => format!("function {name}() {{"),
        }
    }

    fn class(&self, name: &str, base: Option<&str>) -> String {
        let above = base.map(|base| format!(" extends {base}"));
        format!("class {name}{} {{", above.unwrap_or_default())
    }

    fn end(&self, in_class: bool) -> Option<String> {
        Some(if in_class { "    }" } else { "}" }.to_owned())
    }

    fn call(&self, name: &str, is_class: bool, method: Option<&str>, _: bool) -> String {
        if is_class {
            return format!("        (new {name}()){};", called("->", method));
        }
        format!("        {name}();")
    }

    fn nothing(&self, _: bool) -> String {
        "        ;".to_owned()
    }
}

/// Each file is a module.
pub struct Ruby;

impl Ruby {
    fn module(file: &str) -> String {
        format!("Shop_{}", file.replace('/', "_"))
    }

    fn path(file: &str, name: &str, is_class: bool) -> String {
        let separator = if is_class { "::" } else { "." };
        format!("{}{separator}{name}", Self::module(file))
    }
}

impl Printer for Ruby {
    const EXTENSION: &'static str = "rb";
    const COMMENT: &'static str = "# function0 Class0 method0";
    const BROKEN: &'static str = "value = = 3 + (";

    fn header(&self, file: &str) -> Option<String> {
        Some(format!("module {}", Self::module(file)))
    }

    fn footer(&self) -> Option<String> {
        Some("end".to_owned())
    }

    fn own(&self, file: &str, name: &str, is_class: bool) -> String {
        Self::path(file, name, is_class)
    }

    fn import(&self, _: &str, imported: Imported<'_>) -> Import {
        Import {
            local: Self::path(imported.file, imported.name, imported.is_class),
            ..Import::default()
        }
    }

    fn function(&self, name: &str, class: Option<&str>) -> String {
        match class {
            Some(_) => format!("    def {name}"),
            None => format!("  def self.{name}"),
        }
    }

    fn class(&self, name: &str, base: Option<&str>) -> String {
        let above = base.map(|base| format!(" < {base}"));
        format!("  class {name}{}", above.unwrap_or_default())
    }

    fn end(&self, in_class: bool) -> Option<String> {
        Some(if in_class { "    end" } else { "  end" }.to_owned())
    }

    fn call(&self, name: &str, is_class: bool, method: Option<&str>, _: bool) -> String {
        let call = if is_class { ".new" } else { "" };
        let method = method.map(|method| format!(".{method}"));
        format!("      {name}{call}{}", method.unwrap_or_default())
    }

    fn nothing(&self, _: bool) -> String {
        "      nil".to_owned()
    }
}

/// Returns a name, with the one that it has in the file if that differs.
fn renamed(name: &str, local: &str, separator: &str) -> String {
    if name == local {
        return name.to_owned();
    }
    format!("{name}{separator}{local}")
}

/// Returns an import whose line refers to the definition.
fn import_of(line: String, local: &str) -> Import {
    Import {
        line: Some(line),
        is_reference: true,
        local: local.to_owned(),
    }
}

/// Returns the call of a method after its receiver, or nothing.
fn called(separator: &str, method: Option<&str>) -> String {
    method.map_or_else(String::new, |method| format!("{separator}{method}()"))
}

fn last_segment(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
