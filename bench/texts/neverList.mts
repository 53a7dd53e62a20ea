/** The words that no text for people has, and what to say instead: one plain word for one thing. */

/** By what to say instead. */
const NEVER_LIST: Readonly<Record<string, RegExp>> = {
	outputs: /\b(give|gives|gave|given|giving) out\b/gi,
	'says, reports': /\b(told|tell|tells|telling)\b/gi,
	'the number, or "this many"': /\bso (long|often|many|much|few)\b/gi,
	again: /\banew\b|\bonce more\b/gi,
	permanently: /\bfor good\b/gi,
	after: /\bbehind\b/gi,
	// Not the verb "stand out" and the noun "stand-in", which have nothing to do with "is".
	is: /\bstands?\b(?! out\b|-ins?\b)/gi,
	nothing: /\bsurely\b|\bit is that\b/gi,
	'is ignored': /\b(do|does|did) no harm\b/gi,
	usually: /\bas a rule\b/gi,
	'an imperative': /\bnobody is to\b/gi,
	'the caller, the user': /\bwhoever\b/gi,
	// "A URL of your own storage" has another sense: there, a noun follows.
	'its own …':
		/\bof (its|their|your|our|his|her|my) own\b(?! (?!(and|or|to|for|in|on|with|that)\b)\w)/gi,
	'the other …, with its noun': /\bthe others\b/gi,
	whether: /\bbe it\b/gi,
	charged: /\bpaid (for|twice|again)\b|\bpay(s|ing)? for\b/gi,
	'rate limit': /\b(budget|allowance)s?\b/gi,
};

/** Returns the words of the list that a text without code has, each with what to say instead. */
export function neverWordsIn(text: string): string[] {
	return Object.entries(NEVER_LIST).flatMap(([instead, pattern]) =>
		[...text.matchAll(pattern)].map(([word]) => `"${word}": say ${instead}`),
	);
}
