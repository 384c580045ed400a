/** The content of the card of a name in the source. */
export interface NameCard {
	name: string;
	/** The definitions, each with its kind, its name and its place. */
	definitions: { text: string; place: string; href: string }[];
	/** Links to the answers about the name. */
	links: { text: string; href: string }[];
}

/** Creates the element of a card, which the editor shows beside the name. */
export function drawCard({ definitions, links, name }: NameCard): HTMLElement {
	const card = document.createElement("div");
	card.className = "name-card";
	for (const { text, place, href } of definitions) {
		const row = card.appendChild(document.createElement("div"));
		row.append(text, " ", linkTo(place, href));
	}
	if (definitions.length === 0) {
		const row = card.appendChild(document.createElement("div"));
		row.textContent = `No function, class, type or module here is called ${name}.`;
	}
	const actions = card.appendChild(document.createElement("div"));
	actions.className = "name-card-links";
	actions.append(...links.map(({ text, href }) => linkTo(text, href)));
	return card;
}

function linkTo(text: string, href: string): HTMLAnchorElement {
	const link = document.createElement("a");
	link.textContent = text;
	link.href = href;
	return link;
}
