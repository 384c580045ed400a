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
    /// Text with tags and expressions, which alone use names of code: `<p>{{ cart.total }}</p>`.
    Page,
    /// Any word may be a name of code.
    Program,
}

/// The ends of the names of pages.
const PAGES: [&str; 23] = [
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
    "leex",
    "liquid",
    "mustache",
    "njk",
    "tmpl",
    "tpl",
    "twig",
];

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
    /// let mapper = RepoPath::parse("mapper/CartMapper.xml").unwrap();
    /// assert_eq!(Template::of(&mapper), Some(Template::Program));
    /// ```
    #[must_use]
    pub fn of(path: &RepoPath) -> Option<Self> {
        let (_, ending) = path.as_str().rsplit_once('.')?;
        if ragnav_syntax::detect_language(path).is_some() {
            return None;
        }
        if PAGES.contains(&ending) {
            return Some(Self::Page);
        }
        PROGRAMS.contains(&ending).then_some(Self::Program)
    }
}
