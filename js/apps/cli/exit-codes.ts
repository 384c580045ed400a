/** Exit codes: an answer, an `ERROR` envelope, a call that was not understood. */
export const EXIT_OK = 0;
export const EXIT_ERROR = 1;
export const EXIT_USAGE = 2;
/** `build-graph --check` where the index is not as the repository is. */
export const EXIT_WOULD_CHANGE = 3;
