# frozen_string_literal: true

# Prints what each Ruby file below a folder says by itself, by Ripper, the parser of Ruby itself.
#
# Usage: ruby ruby_facts.rb FOLDER
#
# Each line is JSON: {"file", "definitions": [[name, line, column], …], "imports": [[path, null,
# null], …], "calls": [[line, column, name], …], "references": […], "ambiguous": […]}. Lines count
# from 1, and columns from 0 in UTF-16 units. Imports are the literal paths of the files that code
# loads, seen from the folder of the file where code joins them to it. A name that is no variable is
# a call, and so is a class before `.new` and a setter: `a.b = c`. Ambiguous are keys without
# values, `f(a:)`, which read a variable or call a method, and constants that are assigned with
# their scope: `A::B = c`. Files with syntax errors are left out.

require "find"
require "json"
require "ripper"

# The facts of one file.
class Facts
  NAMES = %i[@ident @const @kw].freeze
  CONSTANTS = %i[var_ref const_path_ref top_const_ref].freeze
  LOADING = %w[autoload load require require_relative].freeze

  def initialize(file, text)
    @lines = text.lines
    @rows = { file: file, definitions: [], imports: [], calls: [], references: [], ambiguous: [] }
    visit(Ripper.sexp_raw(text) || throw(:syntax_error))
  end

  def to_json(*)
    @rows.to_json
  end

  private

  def visit(node)
    return unless node.is_a?(Array)

    kind, *parts = node
    return if %i[alias undef].include?(kind)

    handle(kind, parts) if kind.is_a?(Symbol)
    node.each { |child| visit(child) }
  end

  def handle(kind, parts)
    load_file(*parts) if kind == :command
    case kind
    when :class, :module then define(parts[0].last)
    when :def then define(parts[0])
    when :defs then define(parts[2])
    when :vcall, :fcall, :command then call(parts[0])
    when :call, :command_call, :field then member(*parts)
    when :method_add_arg then load_file(parts[0][1], parts[1]) if parts[0][0] == :fcall
    when :var_ref, :top_const_ref, :const_path_ref then constant(parts.last)
    when :const_path_field, :top_const_field then @rows[:ambiguous] << place(parts.last)
    when :assoc_new then key(*parts)
    end
  end

  def define(token)
    @defined = token
    line, column, name = place(token)
    @rows[:definitions] << [name, line, column]
  end

  def member(receiver, _operator, token, *)
    call(token)
    created = receiver if name?(token) && token[1] == "new"
    return unless created && CONSTANTS.include?(created[0]) && created.last[0] == :@const

    @rows[:calls] << place(created.last)
  end

  def call(token)
    return unless name?(token)

    @rows[:calls] << place(token)
    @rows[:references] << place(token)
  end

  def constant(token)
    return if token.equal?(@defined) || token[0] != :@const

    @rows[:references] << place(token)
  end

  def load_file(token, arguments)
    return unless LOADING.include?(token[1])

    argument = list(arguments)[token[1] == "autoload" ? 1 : 0]
    path = text(argument)
    path = nil if path&.start_with?("./", "../") && token[1] != "require_relative"
    path ||= joined(argument)
    @rows[:imports] << [path, nil, nil] if path
  end

  # Returns the arguments of a call.
  def list(node)
    case node
    in [:arg_paren | :args_add_block, inner, *] then list(inner)
    in [:args_add, before, last] then list(before) + [last]
    else []
    end
  end

  # Returns the text of a literal without expressions in it.
  def text(node)
    case node
    in [:string_literal, [:string_add, [:string_content], [:@tstring_content, text, _]]]
      text unless text.match?(/["'\\#]/)
    else nil
    end
  end

  # Returns the path beside the file that an expression makes.
  def joined(node)
    case node
    in [:binary, folder, :+, right] then text(right)&.delete_prefix("/") if own_folder?(folder)
    in [:method_add_arg, [:call, [:var_ref, [:@const, "File", _]], _, [:@ident, name, _]], given]
      path_of(name, list(given))
    else nil
    end
  end

  def path_of(name, arguments)
    first, *rest = arguments
    if name == "join" && own_folder?(first)
      parts = rest.map { |part| text(part) }
      parts.join("/").sub(%r{\A/+}, "") if parts.all? && parts.any?
    elsif name == "expand_path" && own_folder?(rest[0])
      text(first)
    elsif name == "expand_path" && file?(rest[0]) && text(first)&.start_with?("../")
      text(first).delete_prefix("../")
    end
  end

  def own_folder?(node)
    case node
    in [:vcall, [:@ident, "__dir__", _]] then true
    in [:method_add_arg, [:call, [:var_ref, [:@const, "File", _]], _, [_, "dirname", _]], given]
      file?(list(given)[0])
    else false
    end
  end

  def file?(node)
    case node
    in [:var_ref, [:@kw, "__FILE__", _]] then true
    else false
    end
  end

  def key(label, value)
    return unless value.nil? && label[0] == :@label

    line, column, name = place(label)
    @rows[:ambiguous] << [line, column, name.delete_suffix(":")]
  end

  def name?(token)
    token.is_a?(Array) && NAMES.include?(token[0])
  end

  def place(token)
    _kind, name, (line, column) = token
    before = @lines[line - 1].byteslice(0, column)
    [line, before.encode("UTF-16LE").bytesize / 2, name]
  end
end

Find.find(ARGV.fetch(0)).sort.each do |file|
  next unless file.end_with?(".rb", ".rake", ".gemspec") && File.file?(file)

  text = File.read(file, encoding: "UTF-8")
  next unless text.valid_encoding?

  catch(:syntax_error) { puts Facts.new(file, text).to_json }
end
