import { useRef } from "preact/hooks";
import { openSource } from "./actions.js";
import { trouble } from "./state.js";

/** Of Chromium alone, and so not among the library's types. */
declare function showDirectoryPicker(options: {
	mode: "read";
}): Promise<FileSystemDirectoryHandle>;

/** Larger archives would not fit into the page's memory together with what they hold. */
const MAX_ZIP_BYTES = 256 * 1024 * 1024;

/** Opens another repository: a zip, or a folder where the browser can give one. */
export function Opener() {
	const input = useRef<HTMLInputElement>(null);
	return (
		<>
			<button type="button" onClick={() => input.current?.click()}>
				Open zip
			</button>
			<input
				ref={input}
				type="file"
				accept=".zip,application/zip"
				aria-label="Zip to open"
				hidden
				onChange={({ currentTarget }) => {
					const file = currentTarget.files?.[0];
					currentTarget.value = "";
					if (file !== undefined) void openZip(file);
				}}
			/>
			{"showDirectoryPicker" in globalThis && (
				<button type="button" onClick={openFolder}>
					Open folder
				</button>
			)}
		</>
	);
}

async function openZip(file: File): Promise<void> {
	if (file.size > MAX_ZIP_BYTES) {
		trouble.value = `${file.name} is larger than ${MAX_ZIP_BYTES / 2 ** 20} MiB.`;
		return;
	}
	const bytes = new Uint8Array(await file.arrayBuffer());
	await openSource({ kind: "zip", name: file.name, bytes });
}

async function openFolder(): Promise<void> {
	let handle: FileSystemDirectoryHandle;
	try {
		handle = await showDirectoryPicker({ mode: "read" });
	} catch (error) {
		const isCancelled =
			error instanceof DOMException && error.name === "AbortError";
		if (!isCancelled) trouble.value = String(error);
		return;
	}
	await openSource({ kind: "folder", handle });
}
