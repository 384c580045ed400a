//! Files that use names of code in languages that are not parsed: templates of pages, and markup
//! that names classes and methods.

use ragnav_base::path::RepoPath;

/// How a template uses names of code.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_resolve::Template;
///
/// let of = |path| Template::of(&RepoPath::parse(path).unwrap());
/// assert_eq!(of("cart.html.erb"), Some(Template::Page));
/// assert_eq!(of("Cart.razor"), Some(Template::Program));
/// assert_eq!(of("cart.rb"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Template {
    /// A page or text, in which only tags and expressions use names of code:
    /// `<p>{{ cart.total }}</p>`.
    Page,
    /// Any word may be a name of code.
    Program,
}

/// The ends of the names of pages, and of templates that make any kind of file.
const PAGES: [&str; 26] = [
    "ascx",
    "aspx",
    "eex",
    "ejs",
    "erb",
    "ftl",
    "gohtml",
    "handlebars",
    "hbs",
    "heex",
    "htm",
    "html",
    "j2",
    "jinja",
    "jinja2",
    "jsp",
    "jspf",
    "jspx",
    "leex",
    "liquid",
    "mustache",
    "njk",
    "tmpl",
    "tpl",
    "twig",
    "xhtml",
];

/// The ends of the names of texts that templates make: `html` of `cart.html.erb`.
const TEXTS: [&str; 6] = ["htm", "html", "md", "text", "txt", "xhtml"];

/// The end of the names of the pages of Blade, which are also read as PHP.
const BLADE: &str = ".blade.php";

/// The ends of the names of templates and markup in which any word may be a name of code.
const PROGRAMS: [&str; 15] = [
    "axaml", "cshtml", "fxml", "haml", "jade", "latte", "mako", "pug", "qml", "razor", "slim",
    "vbhtml", "vm", "xaml", "xml",
];

impl Template {
    /// Returns how a file uses names of code, or `None` for any other file.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_resolve::Template;
    ///
    /// for path in ["mapper/CartMapper.xml", "cart.py.j2"] {
    ///     let path = RepoPath::parse(path).unwrap();
    ///     assert_eq!(Template::of(&path), Some(Template::Program));
    /// }
    /// ```
    #[must_use]
    pub fn of(path: &RepoPath) -> Option<Self> {
        let name = path.as_str().rsplit('/').next()?.to_ascii_lowercase();
        if name.ends_with(BLADE) {
            return Some(Self::Page);
        }
        let (stem, ending) = name.rsplit_once('.')?;
        if ragnav_syntax::detect_language(path).is_some() {
            return None;
        }
        let made = stem.rsplit_once('.').map(|(_, made)| made);
        let is_code = made.is_some_and(|made| !TEXTS.contains(&made));
        if PAGES.contains(&ending) && !is_code {
            return Some(Self::Page);
        }
        // The text of `cart.py.j2` is code.
        let is_program = PAGES.contains(&ending) || PROGRAMS.contains(&ending);
        is_program.then_some(Self::Program)
    }
}
