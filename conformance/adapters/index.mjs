import { ragnavApi } from "./ragnav-api.mjs";
import { selfCheck } from "./self-check.mjs";

/** The adapters by name. `self-check` proves the vectors, and is not in the report. */
export const ADAPTERS = [selfCheck, ragnavApi];
