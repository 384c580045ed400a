import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { schemas, type ToolName } from "../../generated/mcp-schemas.js";

const ajv = new Ajv({ strict: false, verbose: true });
const validators = new Map<ToolName, ValidateFunction>();

/** Returns the problem of a call's arguments; `null` for valid ones. */
export function problemOf(
	tool: ToolName,
	given: Record<string, unknown>,
): string | null {
	const validate = validators.get(tool) ?? ajv.compile(schemas[tool].input);
	validators.set(tool, validate);
	if (validate(given)) return null;
	const [error] = validate.errors ?? [];
	return error === undefined
		? "the arguments do not fit"
		: describeError(tool, error);
}

function describeError(tool: ToolName, error: ErrorObject): string {
	const { keyword, params, instancePath, message, data } = error;
	const name = instancePath.slice(1).replaceAll("/", ".");
	if (keyword === "additionalProperties") {
		const known = Object.keys(schemas[tool].input.properties).join(", ");
		return `there is no argument ${JSON.stringify(params.additionalProperty)}; ${tool} takes ${known}`;
	}
	if (keyword === "required") return `${params.missingProperty} is missing`;
	if (keyword === "enum") {
		const values = params.allowedValues.join(", ");
		return `${name} must be one of ${values}, not ${preview(data)}`;
	}
	return `${name} ${message}, not ${preview(data)}`;
}

/** Returns a value as JSON, cut to 100 characters. */
function preview(data: unknown): string {
	const text = JSON.stringify(data) ?? "nothing";
	return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
