//! Elixir: definitions and references.

use ragnav::syntax;

use crate::lang_rows::check;

#[test]
fn attributes_document_definitions() {
    let text = r#"defmodule A do
  use B
  @moduledoc """
  A module.
  """
  @typedoc "A type."
  @type t :: integer
  @doc ~S"""
  Runs "it".
  """
  @doc since: "1.0"
  @spec run :: t
  def run, do: 1

  # Goes.
  def go, do: 2
  @doc false
  def hidden, do: 3
end
"#;
    let elixir = syntax::find_language("elixir").unwrap();
    let facts = syntax::extract_facts(elixir, text);
    let docstrings = facts.definitions.iter();
    let docstrings: Vec<_> = docstrings.map(|fact| fact.docstring.as_deref()).collect();
    assert_eq!(
        docstrings,
        [
            Some("A module."),
            Some("A type."),
            Some("Runs \"it\"."),
            Some("Goes."),
            None
        ]
    );
}

#[test]
fn modules_enclose_functions() {
    check(
        "a.ex",
        r#"defmodule Shop.Cart do
  @moduledoc "A cart."
  @behaviour Shop.Priced
  defstruct [:lines]

  @type t :: %__MODULE__{lines: list(line)}
  @typep line(a) :: {a, integer}
  @callback price(t :: t) :: integer

  @doc """
  Totals it.
  """
  @spec total(t) :: integer
  def total(cart) when is_map(cart), do: sum(cart.lines, 0)

  defp sum([], n), do: n
  defp sum([{_, m} | rest], n) do
    sum(rest, n + m)
  end

  defmacro left <|> right, do: quote(do: {unquote(left), unquote(right)})
  defguard is_empty(cart) when cart == nil
  defdelegate size(cart), to: Shop.Lines, as: :count
  def unquote(name)(a), do: a
  def empty?, do: true

  defmodule Line do
    def new(x), do: total(x)
  end
end

defprotocol Shop.Priced do
  def price(x)
end

defimpl Shop.Priced, for: [Shop.Cart, List] do
  def price(x), do: Shop.Cart.Line.new(x)
end

defmodule Order do
  defimpl String.Chars do
    def to_string(_), do: Order.id()
  end
  def id, do: 1
end
"#,
        &[
            "Shop.Cart namespace 1 1-30",
            "Shop.Cart.t type 6 6-6",
            "Shop.Cart.line type 7 7-7",
            "Shop.Cart.price function 8 8-8",
            "Shop.Cart.total function 13 14-14",
            "Shop.Cart.sum function 16 16-16",
            "Shop.Cart.sum function 17 17-19",
            "Shop.Cart.<|> function 21 21-21",
            "Shop.Cart.is_empty function 22 22-22",
            "Shop.Cart.size function 23 23-23",
            "Shop.Cart.empty? function 25 25-25",
            "Shop.Cart.Line namespace 27 27-29",
            "Shop.Cart.Line.new function 28 28-28",
            "Shop.Priced interface 32 32-34",
            "Shop.Priced.price function 33 33-33",
            "Shop.Priced.Shop.Cart namespace 36 36-38",
            "Shop.Priced.Shop.Cart.price function 37 37-37",
            "Order namespace 40 40-45",
            "Order.String.Chars namespace 41 41-43",
            "Order.String.Chars.to_string function 42 42-42",
            "Order.id function 44 44-44",
        ],
        &[
            "#0 3:18 ?.Priced inherit",
            "#2 6:32 ?.list call",
            "#2 6:37 line read",
            "#3 7:24 ?.integer read",
            "#4 8:23 t read",
            "#4 8:29 ?.integer read",
            "#1 13:14 t read",
            "#1 13:20 ?.integer read",
            "#5 14:23 ?.is_map call",
            "#5 14:41 sum call",
            "#7 18:4 sum call",
            "#10 23:35 ?.Lines read",
            "#1 24:14 ?.name read",
            "#13 28:20 ?.total call",
            "#16 36:13 ?.Priced read",
            "#16 36:38 ?.List read",
            "#17 37:30 ?.Line read",
            "#17 37:35 ?.new call",
            "#20 42:26 ?.Order read",
            "#20 42:32 ?.id call",
        ],
        &[],
    );
}

#[test]
fn imports_name_modules() {
    check(
        "a.exs",
        r"defmodule A do
  alias B.C
  alias B.{D, E.F}
  alias G.H, as: I
  require Logger
  def f, do: g(C, D, F)
  def g(_, _, _), do: h()
end
defmodule J do
  use K, only: [a: 1]
  import B.L
  def f, do: g()
  def g, do: Logger.info(f())
end
",
        &[
            "A namespace 1 1-8",
            "A.f function 6 6-6",
            "A.g function 7 7-7",
            "J namespace 9 9-14",
            "J.f function 12 12-12",
            "J.g function 13 13-13",
        ],
        &[
            "#1 2:10 ?.C import",
            "#1 3:11 ?.D import",
            "#1 3:16 ?.F import",
            "#1 4:10 ?.H import",
            "#1 5:10 ?.Logger import",
            "#2 6:13 g call",
            "#2 6:15 ?.C read",
            "#2 6:18 ?.D read",
            "#2 6:21 ?.F read",
            "#3 7:22 ?.h call",
            "#4 10:6 ?.K import",
            "#4 11:11 ?.L import",
            "#5 12:13 g call",
            "#6 13:13 ?.Logger read",
            "#6 13:20 ?.info call",
            "#6 13:25 f call",
        ],
        &[
            "#1 2:10 B C C",
            "#1 3:11 B D D",
            "#1 3:16 B.E F F",
            "#1 4:10 G H H",
            "#1 5:10  Logger Logger",
            "#4 10:6  K K",
            "#4 11:11 B L L",
        ],
    );
}

#[test]
fn references_exclude_variables() {
    check(
        "a.ex",
        r##"defmodule A do
  @limit 10
  def run(%{conn: conn} = state, opts \\ default(), <<size::integer>>) do
    result = helper(result, conn)
    {:ok, pid} = start(state)
    result |> helper(@limit) |> helper
    pid.name
    pid.stop()
    __MODULE__.run(&helper/2, &B.stop/1)
    case pid do
      {:error, reason} when reason in opts -> reason
      ^result -> size
      %B.C{a: value} -> value
      _ -> helper(value)
    end
    for item <- items(), item > 1, {a, b} = item, do: a + b
    with {:ok, x} <- fetch(x) do
      x
    else
      other -> other
    end
    fn y -> y.(y) end
    "#{helper(y)} #{pid}"
    ~s(a #{pid})
    helper.(1)
    [helper: helper, b: 1]
  end

  defp helper(a, b \\ nil), do: if(a, do: b)
end

defmodule ATest do
  setup %{conn: conn} do
    {:ok, conn: conn}
  end

  test "runs", %{conn: conn} do
    assert A.run(conn) == conn
  end
end
"##,
        &[
            "A namespace 1 1-30",
            "A.run function 3 3-27",
            "A.helper function 29 29-29",
            "ATest namespace 32 32-40",
        ],
        &[
            "#2 3:41 ?.default call",
            "#2 3:60 ?.integer read",
            "#2 4:13 helper call",
            "#2 4:20 ?.result read",
            "#2 5:17 ?.start call",
            "#2 6:14 helper call",
            "#2 6:32 helper read",
            "#2 8:8 ?.stop call",
            "#2 9:15 ?.run call",
            "#2 9:20 helper read",
            "#2 9:31 ?.B read",
            "#2 9:33 ?.stop call",
            "#2 13:9 ?.C read",
            "#2 14:11 helper call",
            "#2 14:18 ?.value read",
            "#2 16:16 ?.items call",
            "#2 17:21 ?.fetch call",
            "#2 17:27 ?.x read",
            "#2 23:7 helper call",
            "#2 23:14 ?.y read",
            "#2 25:4 helper read",
            "#2 26:13 helper read",
            "#4 38:4 ?.assert call",
            "#4 38:11 A read",
            "#4 38:13 A.run call",
        ],
        &[],
    );
}
