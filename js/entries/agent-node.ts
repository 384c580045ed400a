import "./node.js";
import { setFolderHost } from "../agent/micro-agent.js";
import { nodeHost } from "../hosts/node/host.js";

setFolderHost(nodeHost);

export * from "../agent/index.js";
