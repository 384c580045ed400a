import "./node.js";

export * from "../agent/index.js";
