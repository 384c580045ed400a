//! The names that every module of Python has.

/// The names of <https://docs.python.org/3/library/builtins.html>.
pub(super) const BUILTINS: &str = "
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
    BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError
    ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis
    EncodingWarning EnvironmentError Exception ExceptionGroup False FileExistsError
    FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError
    ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError
    KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None
    NotADirectoryError NotImplemented NotImplementedError OSError OverflowError
    PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError
    ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError
    SyntaxWarning SystemError SystemExit TabError TimeoutError True TypeError UnboundLocalError
    UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning
    UserWarning ValueError Warning ZeroDivisionError __build_class__ __debug__ __import__ abs aiter
    all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex
    delattr dict dir divmod enumerate filter float format frozenset getattr hasattr hash help hex id
    input int isinstance issubclass iter len list map max memoryview min next object oct open ord
    pow print property range repr reversed round set setattr slice sorted staticmethod str sum super
    tuple type vars zip __class__";
