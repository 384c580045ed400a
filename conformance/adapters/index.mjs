import { codegraph } from "./codegraph.mjs";
import { ctags } from "./ctags.mjs";
import { pyright, pyrightWatched } from "./pyright.mjs";
import { ragnavApi } from "./ragnav-api.mjs";
import { ragnavCli } from "./ragnav-cli.mjs";
import { ragnavComponent } from "./ragnav-component.mjs";
import { ragnavMcp } from "./ragnav-mcp.mjs";
import { ragnavServe } from "./ragnav-serve.mjs";
import { ripgrep } from "./ripgrep.mjs";
import { semble } from "./semble.mjs";

/** The adapters in the order of the report. The tests have one more, which proves the vectors. */
export const ADAPTERS = [
	ragnavApi,
	ragnavCli,
	ragnavServe,
	ragnavMcp,
	ragnavComponent,
	ripgrep,
	ctags,
	codegraph,
	semble,
	pyright,
	pyrightWatched,
];
