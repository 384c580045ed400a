import {
	ASK,
	groupOf,
	INDEX,
	LOWER,
	LOWER_TRUTH,
	scenario,
	TRUTH,
	touch,
	write,
} from "./words.mjs";

const TIMES = [
	{ id: "1970", time: "1970-01-01T00:00:00Z", title: "the first second" },
	{ id: "1996", time: "1996-02-29T12:00:00Z", title: "a time long ago" },
	{
		id: "2024",
		time: "2024-01-01T00:00:00.500Z",
		title: "half a second after the old time",
	},
	{
		id: "2038",
		time: "2038-01-19T03:14:08Z",
		title: "a time above 31 bits, in the future",
	},
	{
		id: "2100",
		time: "2100-01-01T00:00:00Z",
		title: "a time in the far future",
	},
];

export default groupOf(
	"clocks",
	"Clocks that are wrong",
	TIMES.flatMap(({ id, time, title }) => [
		scenario(
			`touched-${id}`,
			`A file that did not change gets ${title}`,
			[INDEX, touch("prices.py", time)],
			TRUTH,
			{ may_claim: "index" },
		),
		scenario(
			`edited-${id}`,
			`An edited file gets ${title}`,
			[INDEX, write("prices.py", LOWER), touch("prices.py", time)],
			LOWER_TRUTH,
		),
		scenario(
			`indexed-${id}`,
			`A file has ${title} when it is indexed, and keeps it when it is edited`,
			[
				touch("prices.py", time),
				INDEX,
				ASK,
				write("prices.py", LOWER, { keep_time: true }),
			],
			LOWER_TRUTH,
		),
		scenario(
			`added-${id}`,
			`A new file gets ${title}`,
			[
				INDEX,
				write("offers.py", "def offer(article):\n    return 1\n"),
				touch("offers.py", time),
			],
			`def offer offers.py:1; ${TRUTH}`,
		),
	]),
);
