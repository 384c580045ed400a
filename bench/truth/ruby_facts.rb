# frozen_string_literal: true

# Prints what each Ruby file below a folder says by itself, by Ripper, the parser of Ruby itself.
#
# Usage: ruby ruby_facts.rb FOLDER
#
# Each line is JSON: {"file", "definitions": [[name, line, column], …], "imports": [], "calls":
# [[line, column, name], …], "references": […], "ambiguous": […]}. Lines count from 1, and columns
# from 0 in UTF-16 units. A name that is no variable is a call, and so is a class before `.new` and
# a setter: `a.b = c`. Ambiguous are keys without values, `f(a:)`, which read a variable or call a
# method, and constants that are assigned with their scope: `A::B = c`. Files with syntax errors are
# left out.

require "find"
require "json"
require "ripper"

# The facts of one file.
class Facts
  NAMES = %i[@ident @const @kw].freeze
  CONSTANTS = %i[var_ref const_path_ref top_const_ref].freeze

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
    case kind
    when :class, :module then define(parts[0].last)
    when :def then define(parts[0])
    when :defs then define(parts[2])
    when :vcall, :fcall, :command then call(parts[0])
    when :call, :command_call, :field then member(*parts)
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
