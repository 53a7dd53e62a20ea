/** The words that no text for people has, and what to say instead: one plain word for one thing. */

interface NeverWord {
	readonly pattern: RegExp;
	/** What to say instead. */
	readonly instead: string;
}

const NEVER_LIST: readonly NeverWord[] = [
	{ pattern: /\b(give|gives|gave|given|giving) out\b/gi, instead: 'outputs' },
	{ pattern: /\b(told|tell|tells|telling)\b/gi, instead: 'says, reports' },
	{ pattern: /\bso (long|often|many|much|few)\b/gi, instead: 'the number, or "this many"' },
	{ pattern: /\banew\b/gi, instead: 'again' },
	{ pattern: /\bfor good\b/gi, instead: 'permanently' },
	{ pattern: /\bbehind\b/gi, instead: 'after' },
	// Not the verb "stand out" and the noun "stand-in", which have nothing to do with "is".
	{ pattern: /\bstands?\b(?! out\b|-ins?\b)/gi, instead: 'is' },
	{ pattern: /\bsurely\b/gi, instead: 'nothing' },
	{ pattern: /\b(do|does|did) no harm\b/gi, instead: 'is ignored' },
	{ pattern: /\bas a rule\b/gi, instead: 'usually' },
	{ pattern: /\bit is that\b/gi, instead: 'nothing' },
	{ pattern: /\bnobody is to\b/gi, instead: 'an imperative' },
	{ pattern: /\bwhoever\b/gi, instead: 'the caller, the user' },
	// "A URL of your own storage" has another sense: there, a noun follows.
	{
		pattern:
			/\bof (its|their|your|our|his|her|my) own\b(?! (?!(and|or|to|for|in|on|with|that)\b)\w)/gi,
		instead: 'its own …',
	},
	{ pattern: /\bthe others\b/gi, instead: 'the other …, with its noun' },
	{ pattern: /\bonce more\b/gi, instead: 'again' },
	{ pattern: /\bbe it\b/gi, instead: 'whether' },
	{ pattern: /\bpaid (for|twice|again)\b|\bpay(s|ing)? for\b/gi, instead: 'charged' },
	{ pattern: /\b(budget|allowance)s?\b/gi, instead: 'rate limit' },
];

/** Returns the words of the list that a text without code has, each with what to say instead. */
export function neverWordsIn(text: string): string[] {
	return NEVER_LIST.flatMap(({ pattern, instead }) =>
		[...text.matchAll(pattern)].map(([word]) => `"${word}": say ${instead}`),
	);
}
