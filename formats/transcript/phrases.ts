/*
 * Where a subtitle may break between two words: after a sentence or a phrase, before a conjunction, not
 * after an article. These lists hold short words of the languages that the service knows best. In
 * other languages punctuation alone decides.
 */

/** Words that belong to the next one: articles, possessives, prepositions, auxiliaries, subjects. */
const ATTACHED = wordSet(`
	a an the my your his her its our their this that these those of to in on at by for with from into
	i he she we they and or but nor as than if is are was were be been am very not no mr mrs ms dr prof st
	der die das den dem des ein eine einen einem einer eines mein dein sein ihr unser im am zum zur vom
	ich er wir von zu mit bei nach aus auf an für und oder aber dass weil ob sehr nicht kein keine
	le la les l un une des du de d au aux mon ma mes ton ta son sa ses notre votre leur à en dans sur
	je nous on sous avec pour par et ou mais que qui si très ne
	el los las uno una del al mi tu su con por para y o pero sin
	il lo gli i uno dello della dei degli delle di da nel nella sul sulla e ma che non
	os um uma do das dos na nos nas em mas
	un o unei unui lui al ale cu pe la din prin și sau dar că
	het een van te op met voor en of maar dat
	i w z na do o od po za przy lub ale że`);

/** Words that begin a new phrase. */
const CONNECTING = wordSet(`
	and but or so because that which who where when while although if unless until since though then
	und oder aber denn weil dass damit obwohl wenn als wo während sondern
	et mais ou donc car que qui quand parce puisque lorsque comme si
	y o pero porque que cuando donde aunque si
	e ma o perché che quando dove se anche
	mas ou porque quando onde
	și dar sau pentru că când unde dacă
	en maar of want omdat dat wanneer als
	i ale lub bo że kiedy gdzie ponieważ`);

const PREPOSITIONS = wordSet(`
	of to in on at by for with from into about over under through between after before without
	in auf mit von zu bei nach aus für über unter durch zwischen ohne
	de à dans sur avec pour par sans chez vers con por para sin di da per`);

const ABBREVIATION =
	/^(?:mr|mrs|ms|dr|prof|st|vs|no|nr|ca|bzw|usw|etc|[a-z]|z\.b|d\.h|e\.g|i\.e)\.$/i;

/** The cost of a break between two words: from 0 after a sentence to 10 between words of one phrase. */
export function breakCost(before: string, after: string): number {
	if (endsSentence(before)) return 0;
	if (/[,;:–—…)\]]["'”’»]*$/u.test(before)) return 1.5;
	if (ATTACHED.has(bare(before))) return 10;
	if (/^[–—([“«„¿¡]/u.test(after)) return 2;
	if (CONNECTING.has(bare(after))) return 3;
	if (PREPOSITIONS.has(bare(after))) return 4;
	return 6;
}

/** Whether this word ends a sentence. */
export function endsSentence(word: string): boolean {
	return /[.!?…。！？؟]["'”’»)\]]*$/u.test(word) && !ABBREVIATION.test(word);
}

/** Whether a word begins a phrase that goes on from the one before. */
export function beginsPhrase(word: string): boolean {
	return CONNECTING.has(bare(word));
}

function bare(word: string): string {
	return word.toLowerCase().replace(/^[^\p{L}]+|(?<=\p{L})[^\p{L}]+$/gu, '');
}

function wordSet(words: string): ReadonlySet<string> {
	return new Set(words.trim().split(/\s+/));
}
