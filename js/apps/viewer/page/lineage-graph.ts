import { Graph, layout } from "@dagrejs/dagre";
import type { LineageResult } from "../../../core/api.js";
import { displaySymbol } from "../../../core/plain-words.js";
import type { Place } from "./route.js";

/** A symbol of the picture, or a module whose top-level code refers to one. */
export interface PictureNode {
	id: string;
	label: string;
	place: Place;
	isStart: boolean;
	x: number;
	y: number;
	width: number;
	height: number;
}

export interface PictureEdge {
	from: PictureNode;
	to: PictureNode;
	/** Whether the reference is a candidate, which only shares the name. */
	isCandidate: boolean;
}

export interface Picture {
	nodes: PictureNode[];
	edges: PictureEdge[];
	width: number;
	height: number;
	/** The number of symbols that do not fit. */
	omitted: number;
}

/** The maximum number of symbols: a larger picture cannot be read, and the list has them all. */
const MAX_NODES = 40;
const HEIGHT = 28;
const LETTER_WIDTH = 7;
const PADDING = 20;
const MAX_LETTERS = 32;

/** Lays out a lineage in layers: a callee stands to the right of its caller. */
export function pictureOf(result: LineageResult): Picture {
	const { names, edges, omitted } = linksOf(result);
	const graph = new Graph();
	graph.setGraph({
		rankdir: "LR",
		nodesep: 14,
		ranksep: 44,
		marginx: 8,
		marginy: 8,
	});
	graph.setDefaultEdgeLabel(() => ({}));
	// Numbers, because a symbol may have the name of a property of every object.
	const numbers = new Map([...names.keys()].map((id, at) => [id, `${at}`]));
	const numberOf = (id: string) => numbers.get(id) ?? "";
	for (const [id, { label }] of names) {
		const width = label.length * LETTER_WIDTH + PADDING;
		graph.setNode(numberOf(id), { width, height: HEIGHT });
	}
	for (const { from, to } of edges) {
		graph.setEdge(numberOf(from), numberOf(to));
	}
	layout(graph);
	const { width = 0, height = 0 } = graph.graph() as {
		width?: number;
		height?: number;
	};
	const nodes = new Map(
		[...names].map(([id, name]) => {
			const { x, y, width, height } = graph.node(numberOf(id)) as Box;
			return [id, { id, ...name, x, y, width, height }];
		}),
	);
	return {
		nodes: [...nodes.values()],
		edges: edges.flatMap((edge) => {
			const from = nodes.get(edge.from);
			const to = nodes.get(edge.to);
			const { isCandidate } = edge;
			return from && to ? [{ from, to, isCandidate }] : [];
		}),
		width,
		height,
		omitted,
	};
}

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

interface Link {
	from: string;
	to: string;
	isCandidate: boolean;
}

interface Name {
	label: string;
	place: Place;
	isStart: boolean;
}

function linksOf({ items, definitions, symbol, direction }: LineageResult) {
	const start = definitions[0]?.symbol ?? symbol;
	const names = new Map<string, Name>([[start, nameOf(start, true)]]);
	const edges = new Map<string, Link>();
	const omitted = new Set<string>();
	const add = (id: string, name: Name): boolean => {
		if (names.has(id)) return true;
		if (names.size >= MAX_NODES) {
			omitted.add(id);
			return false;
		}
		names.set(id, name);
		return true;
	};
	const link = (near: string, far: string, isCandidate: boolean) => {
		const [from, to] = direction === "upstream" ? [far, near] : [near, far];
		const key = `${from}\0${to}`;
		// One resolved reference makes the edge resolved.
		const isUnproven = isCandidate && edges.get(key)?.isCandidate !== false;
		edges.set(key, { from, to, isCandidate: isUnproven });
	};
	for (const item of items) {
		const isCandidate = item.resolution === "candidate";
		let near = start;
		for (const [at, far] of item.via.entries()) {
			if (!add(far, nameOf(far, false))) break;
			// The resolution of an item is that of its last step; its first steps are items of their own.
			const isLast = at === item.via.length - 1 && item.symbol !== null;
			const isKnown = edges.has(
				(direction === "upstream" ? [far, near] : [near, far]).join("\0"),
			);
			if (near !== far && (isLast || !isKnown)) {
				link(near, far, isLast && isCandidate);
			}
			near = far;
		}
		if (item.symbol !== null || direction === "downstream") continue;
		const module = {
			label: cut(item.file),
			place: { kind: "file" as const, file: item.file, line: item.line },
			isStart: false,
		};
		if (names.has(near) && add(item.file, module)) {
			link(near, item.file, isCandidate);
		}
	}
	return { names, edges: [...edges.values()], omitted: omitted.size };
}

function nameOf(symbol: string, isStart: boolean): Name {
	const parts = displaySymbol(symbol).split(".");
	return {
		label: cut(parts.slice(-2).join(".")),
		place: { kind: "symbol", symbol },
		isStart,
	};
}

function cut(label: string): string {
	return label.length > MAX_LETTERS
		? `…${label.slice(1 - MAX_LETTERS)}`
		: label;
}
