# frozen_string_literal: true

# Records which method of this folder each line of it calls while a program runs.
#
# Required before the program. Appends a JSON array for each call to the file that CALLS names: the
# file and the line of the call, the file and the line of the method, and its name.

require "json"

root = "#{Dir.pwd}/"
calls = {}
trace = TracePoint.new(:call) do |event|
  next unless event.path.start_with?(root)

  caller = caller_locations(2, 1)&.first
  path = caller&.absolute_path
  next unless path&.start_with?(root)

  calls[[path, caller.lineno, event.path, event.lineno, event.method_id]] = true
end

# Tests run at the exit of the program, and so this block must run after them.
at_exit do
  at_exit do
    trace.disable
    rows = calls.keys.map do |from, at, to, line, name|
      JSON.generate([from.delete_prefix(root), at, to.delete_prefix(root), line, name])
    end
    File.write(ENV.fetch("CALLS"), "#{rows.join("\n")}\n", mode: "a")
  end
end
trace.enable
