import { Graph, layout } from "@dagrejs/dagre";
import type { LineageResult } from "../../../core/api.js";
import { fileHash, symbolHash } from "./route.js";
import { shortName } from "./words.js";

/** A symbol of the picture, or a module whose own code refers to one. */
export interface PictureNode {
	id: string;
	label: string;
	href: string;
	isStart: boolean;
	x: number;
	y: number;
	width: number;
	height: number;
}

export interface PictureEdge {
	from: PictureNode;
	to: PictureNode;
}

export interface Picture {
	nodes: PictureNode[];
	edges: PictureEdge[];
	width: number;
	height: number;
	/** Symbols that it has no room for. */
	left_out: number;
}

/** More than this is no picture but a carpet; the list has them all. */
const MAX_NODES = 40;
const HEIGHT = 28;
const LETTER_WIDTH = 7;
const PADDING = 20;
const MAX_LETTERS = 32;

/** The lineage in layers: what is called stands to the right of what calls it. */
export function pictureOf(result: LineageResult): Picture {
	const { names, edges, left_out } = linksOf(result);
	const graph = new Graph();
	graph.setGraph({
		rankdir: "LR",
		nodesep: 14,
		ranksep: 44,
		marginx: 8,
		marginy: 8,
	});
	graph.setDefaultEdgeLabel(() => ({}));
	// A symbol may be called as what every object has; a number is nobody's name.
	const numbers = new Map([...names.keys()].map((id, at) => [id, `${at}`]));
	const numberOf = (id: string) => numbers.get(id) ?? "";
	for (const [id, { label }] of names) {
		const width = label.length * LETTER_WIDTH + PADDING;
		graph.setNode(numberOf(id), { width, height: HEIGHT });
	}
	for (const [from, to] of edges) graph.setEdge(numberOf(from), numberOf(to));
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
		edges: edges.flatMap(([first, second]) => {
			const from = nodes.get(first);
			const to = nodes.get(second);
			return from && to ? [{ from, to }] : [];
		}),
		width,
		height,
		left_out,
	};
}

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

interface Name {
	label: string;
	href: string;
	isStart: boolean;
}

function linksOf({ items, definitions, symbol, direction }: LineageResult) {
	const start = definitions[0]?.symbol ?? symbol;
	const names = new Map<string, Name>([[start, nameOf(start, true)]]);
	const edges = new Map<string, [string, string]>();
	const leftOut = new Set<string>();
	const add = (id: string, name: Name): boolean => {
		if (names.has(id)) return true;
		if (names.size >= MAX_NODES) {
			leftOut.add(id);
			return false;
		}
		names.set(id, name);
		return true;
	};
	const link = (near: string, far: string) => {
		const edge: [string, string] =
			direction === "upstream" ? [far, near] : [near, far];
		edges.set(edge.join("\0"), edge);
	};
	for (const item of items) {
		let near = start;
		for (const far of item.via) {
			if (!add(far, nameOf(far, false))) break;
			if (near !== far) link(near, far);
			near = far;
		}
		if (item.symbol !== null || direction === "downstream") continue;
		const module = {
			label: cut(item.file),
			href: fileHash(item.file, item.line),
			isStart: false,
		};
		if (names.has(near) && add(item.file, module)) link(near, item.file);
	}
	return { names, edges: [...edges.values()], left_out: leftOut.size };
}

function nameOf(symbol: string, isStart: boolean): Name {
	const parts = shortName(symbol).split(".");
	return {
		label: cut(parts.slice(-2).join(".")),
		href: symbolHash(symbol),
		isStart,
	};
}

function cut(label: string): string {
	return label.length > MAX_LETTERS
		? `…${label.slice(1 - MAX_LETTERS)}`
		: label;
}
