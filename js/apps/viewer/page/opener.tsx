import { useRef } from "preact/hooks";
import { messageOf } from "../../../core/errors.js";
import { openSource } from "./open-repository.js";
import { notice } from "./state.js";

/** TypeScript does not declare it, because only Chromium has it. */
declare function showDirectoryPicker(options: {
	mode: "read";
}): Promise<FileSystemDirectoryHandle>;

/** The maximum size of an archive: a larger one would not fit into the page's memory. */
const MAX_ZIP_BYTES = 256 * 1024 * 1024;

/** The buttons that open another repository: a zip, or a folder if the browser can open one. */
export function Opener({ onOpen }: { onOpen: () => void }) {
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
					onOpen();
					if (file !== undefined) void openZip(file);
				}}
			/>
			{"showDirectoryPicker" in globalThis && (
				<button
					type="button"
					onClick={() => {
						onOpen();
						void openFolder();
					}}
				>
					Open folder
				</button>
			)}
		</>
	);
}

async function openZip(file: File): Promise<void> {
	if (file.size > MAX_ZIP_BYTES) {
		notice.value = `${file.name} is larger than ${MAX_ZIP_BYTES / 2 ** 20} MiB.`;
		return;
	}
	let bytes: Uint8Array;
	try {
		bytes = new Uint8Array(await file.arrayBuffer());
	} catch (error) {
		notice.value = `${file.name} cannot be read: ${messageOf(error)}`;
		return;
	}
	await openSource({ kind: "zip", name: file.name, bytes });
}

async function openFolder(): Promise<void> {
	let handle: FileSystemDirectoryHandle;
	try {
		handle = await showDirectoryPicker({ mode: "read" });
	} catch (error) {
		const isCancelled =
			error instanceof DOMException && error.name === "AbortError";
		if (!isCancelled) notice.value = String(error);
		return;
	}
	await openSource({ kind: "folder", handle });
}
