import { useEffect, useMemo, useRef } from "preact/hooks";
import type { LineageResult } from "../../../core/api.js";
import { type PictureNode, pictureOf } from "./lineage-graph.js";
import { shortName } from "./words.js";

/** A lineage as a picture whose symbols are links; the list beside it says the same in words. */
export function Picture({ result }: { result: LineageResult }) {
	const picture = useMemo(() => pictureOf(result), [result]);
	const { nodes, edges, width, height, left_out } = picture;
	const scroller = useRef<HTMLDivElement>(null);
	useEffect(() => {
		const start = nodes.find(({ isStart }) => isStart);
		const { current: box } = scroller;
		if (start === undefined || box === null) return;
		// All begins at the symbol that was asked about.
		box.scrollLeft = start.x + start.width / 2 + 8 - box.clientWidth;
		if (result.direction === "downstream") box.scrollLeft = 0;
		box.scrollTop = start.y - box.clientHeight / 2;
	}, [nodes, result.direction]);
	if (nodes.length < 2) return null;
	const way = result.direction === "upstream" ? "leads to" : "is reached from";
	const name = `Picture of what ${way} ${shortName(result.symbol)}: ${nodes.length} symbols, ${edges.length} links`;
	return (
		<figure class="picture">
			<div class="picture-scroll" ref={scroller}>
				{/* biome-ignore lint/a11y/useSemanticElements: a picture is no fieldset */}
				<svg
					width={width}
					height={height}
					viewBox={`0 0 ${width} ${height}`}
					role="group"
					aria-label={name}
				>
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
					{edges.map(({ from, to }) => (
						<path
							key={`${from.id} ${to.id}`}
							class="edge"
							d={pathOf(from, to)}
							marker-end="url(#arrow)"
						/>
					))}
					{nodes.map(({ id, label, href, isStart, ...box }) => (
						<a key={id} href={href} aria-label={shortName(id)}>
							<title>{shortName(id)}</title>
							<rect
								class={isStart ? "node start" : "node"}
								x={box.x - box.width / 2}
								y={box.y - box.height / 2}
								width={box.width}
								height={box.height}
								rx="6"
							/>
							<text
								class={isStart ? "node-name start" : "node-name"}
								x={box.x}
								y={box.y}
								dy="0.33em"
								text-anchor="middle"
							>
								{label}
							</text>
						</a>
					))}
				</svg>
			</div>
			{left_out > 0 && (
				<figcaption>
					{left_out} further symbols are in the list alone.
				</figcaption>
			)}
		</figure>
	);
}

/** A curve from the right side of one to the left side of the other, whatever the way round in between. */
function pathOf(from: PictureNode, to: PictureNode): string {
	const left = from.x + from.width / 2;
	const right = to.x - to.width / 2;
	const middle = (left + right) / 2;
	return `M${left} ${from.y} C${middle} ${from.y} ${middle} ${to.y} ${right} ${to.y}`;
}
