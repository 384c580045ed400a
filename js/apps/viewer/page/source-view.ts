import {
	EditorState,
	type Extension,
	StateEffect,
	StateField,
} from "@codemirror/state";
import {
	Decoration,
	type DecorationSet,
	drawSelection,
	EditorView,
	highlightActiveLine,
	highlightActiveLineGutter,
	highlightSpecialChars,
	hoverTooltip,
	lineNumbers,
} from "@codemirror/view";
import { languageOf } from "./languages.js";
import { sourceTheme } from "./source-theme.js";

/** What the view tells of what is done in it. */
export interface SourceEvents {
	/** The cursor came to another line. */
	onLine(line: number): void;
	/** A name was clicked. */
	onName(name: string, line: number): void;
	/** What is known of a name, in words; nothing where nothing is. */
	describe(name: string): Promise<string[]>;
}

const NAME = /[\p{ID_Start}_$][\p{ID_Continue}$]*/u;

const showLine = StateEffect.define<number>();

const shownLine = StateField.define<DecorationSet>({
	create: () => Decoration.none,
	update(lines, { effects, docChanged }) {
		const effect = effects.find((one) => one.is(showLine));
		if (effect === undefined) return docChanged ? Decoration.none : lines;
		const line = Decoration.line({ class: "cm-shown-line" });
		return Decoration.set([line.range(effect.value)]);
	},
	provide: (field) => EditorView.decorations.from(field),
});

/** A file's text, of which only the lines in sight are in the page. */
export class SourceView {
	readonly #view: EditorView;
	readonly #events: SourceEvents;
	#file: string | undefined;
	#line = 0;

	/** Its styles stay in a shadow tree: as sheets of their own they need no exception in the page's policy. */
	constructor(host: HTMLElement, events: SourceEvents) {
		this.#events = events;
		const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
		this.#view = new EditorView({ root, parent: root });
	}

	/** Shows a text in place of the one before; a file that has changed stays where it was scrolled to. */
	setText(file: string, text: string): void {
		const { scrollDOM, state } = this.#view;
		const { scrollTop } = scrollDOM;
		const { head } = state.selection.main;
		const isSame = file === this.#file;
		this.#file = file;
		this.#line = 0;
		const extensions = this.#extensions(file);
		this.#view.setState(EditorState.create({ doc: text, extensions }));
		if (!isSame) return;
		const anchor = Math.min(head, this.#view.state.doc.length);
		this.#view.dispatch({ selection: { anchor } });
		this.#view.requestMeasure({
			read: () => undefined,
			write: () => {
				scrollDOM.scrollTop = scrollTop;
			},
		});
	}

	/** Marks a line and brings it into sight. */
	goTo(line: number): void {
		const { doc } = this.#view.state;
		const { from } = doc.line(Math.max(1, Math.min(line, doc.lines)));
		this.#view.dispatch({
			selection: { anchor: from },
			effects: [
				showLine.of(from),
				EditorView.scrollIntoView(from, { y: "center" }),
			],
		});
	}

	focus(): void {
		this.#view.focus();
	}

	/** The name at the cursor, and its line. */
	atCursor(): { name: string; line: number } | undefined {
		return this.#nameAt(this.#view.state.selection.main.head);
	}

	destroy(): void {
		this.#view.destroy();
	}

	#extensions(file: string): Extension {
		return [
			lineNumbers(),
			highlightActiveLine(),
			highlightActiveLineGutter(),
			highlightSpecialChars(),
			drawSelection(),
			shownLine,
			languageOf(file),
			sourceTheme,
			EditorState.readOnly.of(true),
			EditorView.contentAttributes.of({
				"aria-label": `Source of ${file}`,
				"aria-readonly": "true",
			}),
			EditorView.updateListener.of(({ state, selectionSet }) => {
				if (!selectionSet) return;
				this.#tellLine(state.doc.lineAt(state.selection.main.head).number);
			}),
			EditorView.domEventHandlers({
				click: (event) => this.#clicked(event),
			}),
			hoverTooltip((_, at) => this.#tooltip(at)),
		];
	}

	#tellLine(line: number): void {
		if (line === this.#line) return;
		this.#line = line;
		this.#events.onLine(line);
	}

	#clicked(event: MouseEvent): void {
		const { main } = this.#view.state.selection;
		if (!main.empty || event.button !== 0) return;
		const at = this.#view.posAtCoords({ x: event.clientX, y: event.clientY });
		const found = at === null ? undefined : this.#nameAt(at);
		if (found !== undefined) this.#events.onName(found.name, found.line);
	}

	async #tooltip(at: number) {
		const found = this.#nameAt(at);
		if (found === undefined) return null;
		const lines = await this.#events.describe(found.name);
		if (lines.length === 0) return null;
		return {
			pos: found.from,
			above: true,
			create: () => ({ dom: boxOf(lines) }),
		};
	}

	#nameAt(at: number) {
		const { state } = this.#view;
		const word = state.wordAt(at);
		if (word === null) return undefined;
		const text = state.sliceDoc(word.from, word.to);
		const name = NAME.exec(text)?.[0];
		if (name === undefined) return undefined;
		return { name, from: word.from, line: state.doc.lineAt(at).number };
	}
}

function boxOf(lines: string[]): HTMLElement {
	const box = document.createElement("div");
	for (const line of lines) {
		const row = document.createElement("div");
		row.textContent = line;
		box.append(row);
	}
	return box;
}
