# Prints the definitions of the files named on standard input, as Elixir's own parser reads them:
# lines with the file, the line, the kind and the name, separated by tabs. A line with the kind
# `read` or `refused` precedes the definitions of each file.

defmodule Definitions do
  @functions [:def, :defp, :defmacro, :defmacrop, :defguard, :defguardp, :defdelegate, :defn, :defnp]

  def print(file) do
    text = File.read!(file)

    case Code.string_to_quoted(text, emit_warnings: false) do
      {:ok, tree} ->
        IO.puts([file, "\t0\tread\t"])
        Macro.prewalk(tree, fn node -> print(file, node) end)

      {:error, _} ->
        IO.puts([file, "\t0\trefused\t"])
    end
  end

  defp print(file, node) do
    with {line, kind, name} <- definition(node) do
      IO.puts([file, "\t", to_string(line), "\t", kind, "\t", name])
    end

    node
  end

  defp definition({:defmodule, _, [name | _]}), do: module(name, "namespace")
  defp definition({:defprotocol, _, [name | _]}), do: module(name, "interface")

  defp definition({:defimpl, _, [protocol, options | _]}) when is_list(options) do
    case Keyword.get(options, :for, protocol) do
      [type | _] -> module(type, "namespace")
      type -> module(type, "namespace")
    end || module(protocol, "namespace")
  end

  defp definition({keyword, _, [head | _]}) when keyword in @functions, do: named(head, "function")

  defp definition({:@, _, [{attribute, _, [value]}]}) do
    cond do
      attribute in [:type, :typep, :opaque] -> typed(value, "type")
      attribute in [:callback, :macrocallback] -> typed(value, "function")
      true -> nil
    end
  end

  defp definition(_), do: nil

  defp module({:__aliases__, meta, segments}, kind) do
    case List.last(segments) do
      name when is_atom(name) -> {last_line(meta), kind, Atom.to_string(name)}
      _ -> nil
    end
  end

  defp module(_, _), do: nil

  defp last_line(meta), do: Keyword.get(meta[:last] || meta, :line)

  defp typed({:when, _, [value | _]}, kind), do: typed(value, kind)
  defp typed({:"::", _, [head | _]}, kind), do: named(head, kind)
  defp typed(_, _), do: nil

  defp named({:when, _, [head | _]}, kind), do: named(head, kind)
  defp named({:unquote, _, _}, _), do: nil

  defp named({name, meta, _}, kind) when is_atom(name),
    do: {Keyword.get(meta, :line), kind, Atom.to_string(name)}

  defp named(_, _), do: nil
end

for file <- IO.stream(:stdio, :line), do: Definitions.print(String.trim_trailing(file, "\n"))
