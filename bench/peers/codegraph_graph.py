"""Prints the definitions of codegraph's index with the places that lead to each: python codegraph_graph.py DATABASE

Each line is JSON: `{file, start, end, name, kind, uses: [[edge, file, line, caller, kind], …]}`; `caller` is the name of what holds the use.
"""

import json
import sqlite3
import sys

NO_DEFINITIONS = ("file", "import")

USES = """
select edges.kind, source.file_path, edges.line, source.qualified_name, source.kind
from edges join nodes as source on source.id = edges.source
where edges.target = ? and edges.kind <> 'contains' and edges.line is not null
"""

database = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
nodes = database.execute("select id, file_path, start_line, end_line, name, kind, qualified_name from nodes").fetchall()
for key, file, start, end, name, kind, full in nodes:
    if kind in NO_DEFINITIONS:
        continue
    uses = database.execute(USES, (key,)).fetchall()
    print(json.dumps({"file": file, "start": start, "end": end, "name": name, "kind": kind, "full": full, "uses": uses}))
