import "../../entries/web.js";

export * from "./server/serve-language.js";
