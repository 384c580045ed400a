import { openSearchPanel, search, searchKeymap } from "@codemirror/search";
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
	keymap,
	lineNumbers,
	showTooltip,
	type Tooltip,
} from "@codemirror/view";
import { drawCard, type NameCard } from "./name-card.js";
import { sourceTheme } from "./source-theme.js";

/** A name in the source, with its place: a line and a column, both counted from 1. */
export interface NameAt {
	name: string;
	line: number;
	column: number;
}

/** The events that the view reports to the page. */
export interface SourceEvents {
	/** Called when the cursor comes to another line. */
	onLine(line: number): void;
	/** Called when a line number is clicked. */
	onLineNumber(line: number): void;
	/** Called when a name is clicked; reports whether the view shows the card of the name. */
	onName(at: NameAt, wantsDefinition: boolean): boolean;
	/** Returns the card of a name; `null` for none. */
	describe(at: NameAt, isAsked: boolean): Promise<NameCard | null>;
}

const NAME = /[\p{ID_Start}_$][\p{ID_Continue}$]*/u;

const markLine = StateEffect.define<number>();

const markedLine = StateField.define<DecorationSet>({
	create: () => Decoration.none,
	update(lines, { effects, docChanged }) {
		const effect = effects.find((one) => one.is(markLine));
		if (effect === undefined) return docChanged ? Decoration.none : lines;
		const line = Decoration.line({ class: "cm-shown-line" });
		return Decoration.set([line.range(effect.value)]);
	},
	provide: (field) => EditorView.decorations.from(field),
});

const showCard = StateEffect.define<Tooltip | null>();

/** The card of a tapped name; the next tap elsewhere closes it. */
const shownCard = StateField.define<Tooltip | null>({
	create: () => null,
	update(card, { effects, selection }) {
		const effect = effects.find((one) => one.is(showCard));
		if (effect !== undefined) return effect.value;
		return selection === undefined ? card : null;
	},
	provide: (field) => showTooltip.from(field),
});

/** The view of a file's text. Only the lines in sight are in the page. */
export class SourceView {
	readonly #view: EditorView;
	readonly #events: SourceEvents;
	#file: string | undefined;
	#line = 0;

	/**
	 * Creates the view in a shadow tree, whose style sheets need no exception in the page's policy.
	 */
	constructor(host: HTMLElement, events: SourceEvents) {
		this.#events = events;
		const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
		this.#view = new EditorView({ root, parent: root });
	}

	/** Shows a text. Another file starts at its top; a new text of the same file keeps its place. */
	setText(file: string, text: string, language: Extension): void {
		const { scrollDOM, state } = this.#view;
		const isSame = file === this.#file;
		const { scrollTop } = scrollDOM;
		const anchor = isSame ? state.selection.main.head : 0;
		this.#file = file;
		this.#line = 0;
		const extensions = this.#extensions(file, language);
		this.#view.setState(
			EditorState.create({
				doc: text,
				extensions,
				selection: { anchor: Math.min(anchor, text.length) },
			}),
		);
		if (isSame) this.#scrollTo(scrollTop);
		else scrollDOM.scrollTo(0, 0);
	}

	/** Scrolls after the editor has measured its new text. */
	#scrollTo(top: number): void {
		this.#view.requestMeasure({
			read: () => undefined,
			write: (_, { scrollDOM }) => {
				scrollDOM.scrollTop = top;
			},
		});
	}

	/** Marks a line and scrolls it into sight. */
	goTo(line: number): void {
		const { doc } = this.#view.state;
		const { from } = doc.line(Math.max(1, Math.min(line, doc.lines)));
		this.#view.dispatch({
			selection: { anchor: from },
			effects: [
				markLine.of(from),
				EditorView.scrollIntoView(from, { y: "center" }),
			],
		});
	}

	focus(): void {
		this.#view.focus();
	}

	/** Opens the box that finds a text in this file. */
	find(): void {
		openSearchPanel(this.#view);
	}

	/** Returns the name at the cursor. */
	atCursor(): NameAt | undefined {
		return this.#nameAt(this.#view.state.selection.main.head)?.at;
	}

	destroy(): void {
		this.#view.destroy();
	}

	#extensions(file: string, language: Extension): Extension {
		return [
			lineNumbers({ domEventHandlers: { click: this.#lineClicked } }),
			highlightActiveLine(),
			highlightActiveLineGutter(),
			highlightSpecialChars(),
			drawSelection(),
			search({ top: true }),
			keymap.of(searchKeymap),
			markedLine,
			shownCard,
			language,
			sourceTheme,
			EditorState.readOnly.of(true),
			EditorView.contentAttributes.of({
				"aria-label": `Source of ${file}`,
				"aria-readonly": "true",
				// Phones show no keyboard for a text that cannot be edited.
				inputmode: "none",
				tabindex: "0",
			}),
			EditorView.updateListener.of(({ state, selectionSet }) => {
				if (!selectionSet) return;
				this.#reportLine(state.doc.lineAt(state.selection.main.head).number);
			}),
			EditorView.domEventHandlers({
				click: (event) => this.#clicked(event),
			}),
			hoverTooltip((_, at) => this.#hoverCard(at)),
		];
	}

	#lineClicked = (view: EditorView, line: { from: number }): boolean => {
		this.#events.onLineNumber(view.state.doc.lineAt(line.from).number);
		return true;
	};

	#reportLine(line: number): void {
		if (line === this.#line) return;
		this.#line = line;
		this.#events.onLine(line);
	}

	#clicked(event: MouseEvent): void {
		const { main } = this.#view.state.selection;
		if (!main.empty || event.button !== 0) return;
		const at = this.#view.posAtCoords({ x: event.clientX, y: event.clientY });
		const found = at === null ? undefined : this.#nameAt(at);
		if (found === undefined) return;
		const wantsDefinition = event.ctrlKey || event.metaKey;
		const opensCard = this.#events.onName(found.at, wantsDefinition);
		if (opensCard) void this.#openCard(found);
	}

	async #hoverCard(position: number): Promise<Tooltip | null> {
		const found = this.#nameAt(position);
		if (found === undefined) return null;
		return cardAt(found.from, await this.#events.describe(found.at, false));
	}

	async #openCard({ at, from }: { at: NameAt; from: number }): Promise<void> {
		const file = this.#file;
		const card = cardAt(from, await this.#events.describe(at, true));
		if (file !== this.#file) return;
		this.#view.dispatch({ effects: showCard.of(card) });
	}

	#nameAt(position: number): { at: NameAt; from: number } | undefined {
		const { state } = this.#view;
		const word = state.wordAt(position);
		if (word === null) return undefined;
		const text = state.sliceDoc(word.from, word.to);
		const match = NAME.exec(text);
		if (match === null) return undefined;
		const from = word.from + match.index;
		const line = state.doc.lineAt(from);
		const column = from - line.from + 1;
		return { at: { name: match[0], line: line.number, column }, from };
	}
}

function cardAt(pos: number, card: NameCard | null): Tooltip | null {
	if (card === null) return null;
	return { pos, above: true, create: () => ({ dom: drawCard(card) }) };
}
