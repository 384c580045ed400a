import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { LineageResult } from "../../../core/api.js";
import { displaySymbol } from "../../../core/plain-words.js";
import {
	type Picture as Layout,
	type PictureEdge,
	type PictureNode,
	pictureOf,
} from "./lineage-graph.js";
import { hashWith, symbolHash } from "./location.js";

/** The part of the picture that shows: its scale, and the offset of its origin in pixels. */
interface Viewport {
	scale: number;
	x: number;
	y: number;
}

const MIN_SCALE = 0.15;
const MAX_SCALE = 3;
/** The minimum scale of a picture that fits: smaller letters cannot be read. */
const READABLE_SCALE = 0.7;
const ZOOM_STEP = 1.25;
const PAN_STEP = 60;

/** A lineage as a picture whose symbols are links, with zooming and panning. */
export function Picture({ result }: { result: LineageResult }) {
	const layout = useMemo(() => pictureOf(result), [result]);
	const box = useRef<SVGSVGElement>(null);
	const port = useSignal<Viewport>({ scale: 1, x: 0, y: 0 });
	const fitted = useRef<Viewport | null>(null);
	const fit = (minScale: number) => {
		if (box.current === null) return;
		port.value = fittedTo(box.current, layout, minScale);
		fitted.current = port.value;
	};
	useLayoutEffect(() => {
		fit(READABLE_SCALE);
		if (box.current === null) return;
		// A narrow window gives the picture its size only when its pane shows.
		const observer = new ResizeObserver(() => {
			const isMoved = port.peek() !== fitted.current;
			if (!isMoved) fit(READABLE_SCALE);
		});
		observer.observe(box.current);
		return () => observer.disconnect();
	}, [layout]);
	const zoom = (factor: number) => {
		const { width, height } = box.current?.getBoundingClientRect() ?? EMPTY;
		port.value = zoomed(port.value, factor, width / 2, height / 2);
	};
	const onKeyDown = (event: KeyboardEvent) => {
		const next = afterKey(port.value, event.key);
		if (next === undefined) return;
		event.preventDefault();
		port.value = next;
	};
	const { nodes, edges, omitted } = layout;
	if (nodes.length < 2) return null;
	const { scale, x, y } = port.value;
	return (
		<figure class="picture">
			{/* biome-ignore lint/a11y/useSemanticElements: a picture is no fieldset */}
			<svg
				ref={box}
				role="group"
				// biome-ignore lint/a11y/noNoninteractiveTabindex: keys move and zoom it
				tabIndex={0}
				aria-label={nameOf(result, layout)}
				onKeyDown={onKeyDown}
				onWheel={(event) => {
					event.preventDefault();
					const at = event.currentTarget.getBoundingClientRect();
					const factor = event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP;
					const [left, top] = [event.clientX - at.left, event.clientY - at.top];
					port.value = zoomed(port.value, factor, left, top);
				}}
				{...panning(port)}
			>
				<Arrow />
				<g transform={`translate(${x} ${y}) scale(${scale})`}>
					{edges.map((edge) => (
						<Edge key={`${edge.from.id} ${edge.to.id}`} edge={edge} />
					))}
					{nodes.map((node) => (
						<Node key={node.id} node={node} />
					))}
				</g>
			</svg>
			<figcaption>
				<button
					type="button"
					aria-label="Zoom in"
					onClick={() => zoom(ZOOM_STEP)}
				>
					+
				</button>
				<button
					type="button"
					aria-label="Zoom out"
					onClick={() => zoom(1 / ZOOM_STEP)}
				>
					−
				</button>
				<button type="button" onClick={() => fit(MIN_SCALE)}>
					Fit
				</button>
				<span>
					{edges.some(({ isCandidate }) => isCandidate) &&
						"Dashed: only the name is equal. "}
					{omitted > 0 && `${omitted} further symbols are only in the list.`}
				</span>
			</figcaption>
		</figure>
	);
}

const EMPTY = { width: 0, height: 0 };

function nameOf(result: LineageResult, { nodes, edges }: Layout): string {
	const way = result.direction === "upstream" ? "leads to" : "is reached from";
	const [start] = result.definitions;
	const subject = displaySymbol(start?.symbol ?? result.symbol);
	return `Picture of what ${way} ${subject}: ${nodes.length} symbols, ${edges.length} links`;
}

function Arrow() {
	return (
		<defs>
			<marker
				id="arrow"
				viewBox="0 0 8 8"
				refX="8"
				refY="4"
				markerWidth="7"
				markerHeight="7"
				orient="auto"
			>
				<path d="M0 0 L8 4 L0 8 z" class="arrow" />
			</marker>
		</defs>
	);
}

function Edge({ edge: { from, to, isCandidate } }: { edge: PictureEdge }) {
	return (
		<path
			class={isCandidate ? "edge candidate" : "edge"}
			d={pathOf(from, to)}
			marker-end="url(#arrow)"
		/>
	);
}

function Node({ node }: { node: PictureNode }) {
	const { id, label, place, isStart, x, y, width, height } = node;
	const name = displaySymbol(id);
	const href =
		place.kind === "symbol"
			? symbolHash(place.symbol)
			: hashWith({ place, view: "source" });
	return (
		<a href={href} aria-label={name}>
			<title>{name}</title>
			<rect
				class={isStart ? "node start" : "node"}
				x={x - width / 2}
				y={y - height / 2}
				width={width}
				height={height}
				rx="6"
			/>
			<text
				class={isStart ? "node-name start" : "node-name"}
				x={x}
				y={y}
				dy="0.33em"
				text-anchor="middle"
			>
				{label}
			</text>
		</a>
	);
}

/** Returns a curve from the right side of one symbol to the left side of the other. */
function pathOf(from: PictureNode, to: PictureNode): string {
	const left = from.x + from.width / 2;
	const right = to.x - to.width / 2;
	const middle = (left + right) / 2;
	return `M${left} ${from.y} C${middle} ${from.y} ${middle} ${to.y} ${right} ${to.y}`;
}

/** Shows the whole picture, or its first symbol if the whole would be too small. */
function fittedTo(
	box: SVGSVGElement,
	layout: Layout,
	minScale: number,
): Viewport {
	const { width, height } = box.getBoundingClientRect();
	const { nodes } = layout;
	const whole = Math.min(1, width / layout.width, height / layout.height);
	const scale = Math.max(whole, minScale);
	const start = nodes.find(({ isStart }) => isStart);
	if (scale === whole || start === undefined) {
		const x = (width - layout.width * scale) / 2;
		return { scale, x, y: (height - layout.height * scale) / 2 };
	}
	const isAtRight = start.x > layout.width / 2;
	const edge = isAtRight ? width - start.width * scale : start.width * scale;
	const centred = (width - layout.width * scale) / 2;
	const isWide = layout.width * scale > width;
	const x = isWide ? edge - start.x * scale : centred;
	return { scale, x, y: height / 2 - start.y * scale };
}

/** Zooms around a point that keeps its place. */
function zoomed(port: Viewport, by: number, left: number, top: number) {
	const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, port.scale * by));
	const factor = scale / port.scale;
	const x = left - (left - port.x) * factor;
	const y = top - (top - port.y) * factor;
	return { scale, x, y };
}

function afterKey(port: Viewport, key: string): Viewport | undefined {
	switch (key) {
		case "ArrowLeft":
			return { ...port, x: port.x + PAN_STEP };
		case "ArrowRight":
			return { ...port, x: port.x - PAN_STEP };
		case "ArrowUp":
			return { ...port, y: port.y + PAN_STEP };
		case "ArrowDown":
			return { ...port, y: port.y - PAN_STEP };
		case "+":
			return zoomed(port, ZOOM_STEP, 0, 0);
		case "-":
			return zoomed(port, 1 / ZOOM_STEP, 0, 0);
		default:
			return undefined;
	}
}

/** Moves the picture with the pointer. A click that moves nothing stays a click on a link. */
function panning(port: { value: Viewport }) {
	const CLICK_PIXELS = 4;
	return {
		onPointerDown: (event: PointerEvent) => {
			const box = event.currentTarget as SVGSVGElement;
			const { x, y } = port.value;
			const [left, top] = [event.clientX, event.clientY];
			const onMove = (move: PointerEvent) => {
				const [right, down] = [move.clientX - left, move.clientY - top];
				if (Math.hypot(right, down) < CLICK_PIXELS) return;
				if (!box.hasPointerCapture(move.pointerId)) {
					box.setPointerCapture(move.pointerId);
				}
				port.value = { ...port.value, x: x + right, y: y + down };
			};
			const end = new AbortController();
			const { signal } = end;
			box.addEventListener("pointermove", onMove, { signal });
			for (const type of ["pointerup", "pointercancel"]) {
				box.addEventListener(type, () => end.abort(), { signal });
			}
		},
		// A link would be dragged instead of the picture.
		onDragStart: (event: Event) => event.preventDefault(),
	};
}
