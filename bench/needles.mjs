/** Nowhere in the corpus. */
export const ABSENT = "qzxabsentneedle";

/** In most of the corpus's files. */
export const FREQUENT = "self";

/** What the comparison with ripgrep looks for. */
export const needles = [
	"get_queryset",
	"QuerySet",
	"ModelAdmin",
	"__init__",
	FREQUENT,
	"return",
	"the",
	"e",
	"TODO",
	"é",
	"ß",
	"日本",
	"ñ",
	"…",
	"привет",
	"😀",
	"->",
	"::",
	"{{",
	"{%",
	"\\",
	"'",
	'"""',
	".*",
	"  # ",
	" def ",
	"\t",
	") ",
	ABSENT,
	"日本qzx",
];
