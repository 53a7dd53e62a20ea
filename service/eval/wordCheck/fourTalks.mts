import { decodeTakes } from '../recorded/decodeTakes.mts';
import { type Half, speakersOf } from '../recorded/speakers.mts';
import {
	type KnownTalk,
	plainWords,
	sentenceTalks,
	talkOfSentences,
} from '../speech/knownTalks.mts';

/** Seconds of each voice. */
const SECONDS = 90;

/** Menardi says what Carlo says in a file of the same name, but for a few: those count of which a recognizer agrees. */
const [SILENT, PROMPTER] = ['Menardi (it)', 'Carlo (it)'];

/** Sentences of people whose words are known, in four languages where there are as many. */
export async function fourTalks(half: Half): Promise<KnownTalk[]> {
	const talks = await sentenceTalks(half, SECONDS);
	const menardi = speakersOf(half).find(({ name }) => name === SILENT);
	const carlo = speakersOf('tuning').find(({ name }) => name === PROMPTER);
	if (menardi === undefined || carlo === undefined) return talks;
	const texts = new Map(carlo.prompts.map(({ path, text }) => [nameOf(path), text]));
	const prompts = menardi.prompts
		.map(({ path }) => ({ path, text: texts.get(nameOf(path)) }))
		.filter(({ text = '' }) => plainWords(text).length >= 4 && !/[\d[\]*#()&%$€<>/]/.test(text));
	const { takes } = await decodeTakes({ ...menardi, prompts });
	return [...talks, { name: SILENT, language: 'it', ...talkOfSentences(takes, SECONDS) }];
}

/** The name of a file in its folder of sounds, without the ending. */
function nameOf(path: string): string {
	return path.replace(/^.*\/it_IT_\w+\//, '').replace(/\.\w+$/, '');
}
