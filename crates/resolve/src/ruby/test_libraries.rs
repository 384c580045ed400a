//! What classes of test libraries inherit and include. The helpers of tests often open these.
//!
//! [Minitest](https://docs.seattlerb.org/minitest/Minitest/Test.html),
//! [test-unit](https://test-unit.github.io/test-unit/en/Test/Unit/TestCase.html) and
//! [Rails](https://guides.rubyonrails.org/testing.html).

/// The classes with the modules and the superclass that they get members from.
const BASES: [(&str, &[&str]); 13] = [
    (
        "ActionController.TestCase",
        &[
            "ActionController.TestCase.Behavior",
            "ActiveSupport.TestCase",
        ],
    ),
    (
        "ActionDispatch.IntegrationTest",
        &["ActiveSupport.TestCase"],
    ),
    ("ActionDispatch.SystemTestCase", &["ActiveSupport.TestCase"]),
    ("ActionMailer.TestCase", &["ActiveSupport.TestCase"]),
    ("ActionView.TestCase", &["ActiveSupport.TestCase"]),
    (
        "ActiveJob.TestCase",
        &["ActiveJob.TestHelper", "ActiveSupport.TestCase"],
    ),
    (
        "ActiveSupport.TestCase",
        &["ActiveSupport.Testing.Assertions", "Minitest.Test"],
    ),
    ("MiniTest.Spec", &["Minitest.Spec"]),
    ("MiniTest.Test", &["Minitest.Test"]),
    ("Minitest.Spec", &["Minitest.Test"]),
    (
        "Minitest.Test",
        &["Minitest.Assertions", "Minitest.Runnable"],
    ),
    ("Rails.Generators.TestCase", &["ActiveSupport.TestCase"]),
    ("Test.Unit.TestCase", &["Test.Unit.Assertions"]),
];

/// Returns the modules and the superclass of a class of a test library, by its full path.
pub(super) fn bases_of(path: &str) -> &'static [&'static str] {
    let found = BASES.iter().find(|(class, _)| *class == path);
    found.map_or(&[], |(_, bases)| *bases)
}

/// Reports whether a class of a test library has this name.
pub(super) fn has_class(name: &str) -> bool {
    let mut classes = BASES.iter().map(|(class, _)| class.rsplit('.').next());
    classes.any(|class| class == Some(name))
}
