import "../../entries/node.js";

export * from "./server/serve-language.js";
