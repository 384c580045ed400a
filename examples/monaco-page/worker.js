import { memoryHost } from "ragnav/hosts/memory";
import { serveLanguage } from "ragnav/lsp";
import { FILES } from "./files.js";

serveLanguage(self, { openHost: () => memoryHost(FILES) });
