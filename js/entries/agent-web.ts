import "./web.js";

export * from "../agent/index.js";
