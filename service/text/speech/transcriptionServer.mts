import { open } from 'node:fs/promises';

import { z } from 'zod';

import { SPEECH_FORMAT } from '../../media/decode.mts';
import { wavHeader } from '../../media/wavHeader.mts';
import { EditFailure } from '../../shared/failures.mts';
import { languageCodeOf } from '../languages.mts';
import { AnswerTooLong, OpenAiServer } from '../openAiServer.mts';
import { mainLanguage } from './mainLanguage.mts';
import { punctuated } from './punctuation.mts';
import { SPEECH_RATE_HZ, SPEECH_SAMPLE_BYTES, type SpeechAudio } from './speech.mts';
import { chunksOf } from './speechChunks.mts';
import type { TextHelp, Transcriber } from './transcriber.mts';
import type { RecognizedSpeech, SpokenWord, TimeRange } from '../../shared/timeRanges.mts';
import type { OpenAiServerSettings } from '../../shared/settings.mts';

/** Ten minutes of WAV are 19 MB, below the usual limits of 25 MB and 25 minutes. */
const CHUNKS = { minSeconds: 480, maxLengthSeconds: 600 };

/** Words of any sound, and more for each second. Auctioneers say seven a second. */
const MAX_WORDS = { always: 50, perSecond: 25 };

/** Of all words together. */
const MAX_CHARACTERS = { always: 2_000, perSecond: 100 };

/** Bytes of an answer: a word takes 100, and each segment lists numbers of the model besides. */
const MAX_ANSWER_BYTES = { always: 65_536, perSecond: 16_384 };

const timed = { start: z.number(), end: z.number() };
const wordSchema = z.object({ word: z.string(), ...timed });

/** An answer in `verbose_json`; some servers put the words inside the segments. */
const answerSchema = z.object({
	text: z.string().catch(''),
	/** A name ("german") or a code ("de"). */
	language: z.string().catch(''),
	words: z.array(wordSchema).nullish(),
	segments: z
		.array(z.object({ text: z.string(), ...timed, words: z.array(wordSchema).nullish() }))
		.nullish(),
});

type Answer = z.infer<typeof answerSchema>;

/** A transcriber on an OpenAI-compatible server (`/audio/transcriptions`). */
export function transcriptionServer(settings: OpenAiServerSettings): Transcriber {
	const server = new OpenAiServer(settings);
	return {
		name: server.name,
		accuracy: 'times',
		transcribe: async (speech, help) => {
			const recognized: RecognizedSpeech[] = [];
			// In sequence: a small server has one model, and each answer is charged.
			for (const chunk of await chunksOf(speech, CHUNKS, help.signal)) {
				recognized.push(await transcribeChunk(server, speech, chunk, help));
			}
			return {
				words: recognized.flatMap(({ words }) => words),
				language: mainLanguage(recognized),
				areTimesExact: true,
			};
		},
	};
}

/** Each chunk has its own retries, so that only a failed chunk is sent again. */
async function transcribeChunk(
	server: OpenAiServer,
	speech: SpeechAudio,
	chunk: TimeRange,
	help: TextHelp,
): Promise<RecognizedSpeech> {
	const wav = await wavOf(speech, chunk);
	const seconds = chunk.endSeconds - chunk.startSeconds;
	const step = async () => {
		const form = new FormData();
		form.set('file', new Blob([wav], { type: 'audio/wav' }), 'speech.wav');
		form.set('model', server.model);
		form.set('response_format', 'verbose_json');
		form.append('timestamp_granularities[]', 'word');
		form.append('timestamp_granularities[]', 'segment');
		const bytes = limitFor(MAX_ANSWER_BYTES, seconds);
		return await server.post('/audio/transcriptions', form, bytes, help.signal);
	};
	const answer = await help.retried(step).catch((error: unknown) => {
		throw error instanceof AnswerTooLong ? impossible(server, seconds) : error;
	});
	const parsed = answerSchema.safeParse(answer);
	if (!parsed.success || !saysTimes(parsed.data)) {
		throw new EditFailure(
			`Transcription: ${server.shownUrl} returned no word times (response_format verbose_json); ` +
				'choose a server and model that do, such as whisper-1',
		);
	}
	if (isImpossible(parsed.data, seconds)) throw impossible(server, seconds);
	const words = wordsOf(parsed.data).map(({ text, startSeconds, endSeconds }) => ({
		text,
		startSeconds: chunk.startSeconds + within(startSeconds, seconds),
		endSeconds: chunk.startSeconds + within(Math.max(startSeconds, endSeconds), seconds),
	}));
	return { words, language: languageCodeOf(parsed.data.language), areTimesExact: true };
}

function saysTimes({ text, words, segments }: Answer): boolean {
	return text.trim() === '' || (words ?? segments ?? []).length > 0;
}

/** Whether an answer has more than anybody says in this time. It is not worth the memory to go on with. */
function isImpossible({ text, words, segments }: Answer, seconds: number): boolean {
	const inSegments = (segments ?? []).flatMap((segment) => segment.words ?? []);
	const texts = [
		text,
		(segments ?? []).map((segment) => segment.text).join(' '),
		(words ?? []).map(({ word }) => word).join(' '),
		inSegments.map(({ word }) => word).join(' '),
	];
	const maxWords = limitFor(MAX_WORDS, seconds);
	const maxCharacters = limitFor(MAX_CHARACTERS, seconds);
	return texts.some(
		(one) => one.length > maxCharacters || one.trim().split(/\s+/, maxWords + 1).length > maxWords,
	);
}

function limitFor({ always, perSecond }: Record<'always' | 'perSecond', number>, seconds: number) {
	return always + Math.ceil(perSecond * seconds);
}

function impossible({ shownUrl }: OpenAiServer, seconds: number): EditFailure {
	return new EditFailure(
		`Transcription: ${shownUrl} returned more than ${Math.round(seconds)} s of sound can say; ` +
			'choose another model',
	);
}

function within(time: number, seconds: number): number {
	return Math.min(seconds, Math.max(0, time));
}

/** The words of an answer with their punctuation; times count from the start of the chunk. */
function wordsOf({ text, words, segments }: Answer): SpokenWord[] {
	const inSegments = segments?.flatMap((segment) => segment.words ?? []) ?? [];
	const timedWords = words && words.length > 0 ? words : inSegments;
	if (timedWords.length === 0) return (segments ?? []).flatMap(spreadWords);
	const spoken = timedWords
		.map(({ word, start, end }) => ({ text: word.trim(), startSeconds: start, endSeconds: end }))
		.filter((word) => word.text !== '');
	const whole = segments && segments.length > 0 ? segments.map((s) => s.text).join(' ') : text;
	return punctuated(spoken, whole);
}

/** For servers that only time segments: spreads the words by their number of letters. */
function spreadWords({ text, start, end }: { text: string; start: number; end: number }) {
	const tokens = text.split(/\s+/).filter((token) => token !== '');
	const letters = tokens.reduce((sum, token) => sum + token.length, 0);
	const secondsPerLetter = Math.max(0, end - start) / Math.max(1, letters);
	let position = start;
	return tokens.map((token): SpokenWord => {
		const startSeconds = position;
		position += token.length * secondsPerLetter;
		return { text: token, startSeconds, endSeconds: position };
	});
}

/** Returns a range of the speech as a WAV file. */
async function wavOf({ path }: SpeechAudio, { startSeconds, endSeconds }: TimeRange) {
	const [from, to] = [startSeconds, endSeconds].map(
		(time) => Math.round(time * SPEECH_RATE_HZ) * SPEECH_SAMPLE_BYTES,
	);
	await using file = await open(path, 'r');
	const samples = new Uint8Array(to - from);
	const { bytesRead } = await file.read(samples, 0, samples.length, from);
	return Buffer.concat([wavHeader(SPEECH_FORMAT, bytesRead), samples.subarray(0, bytesRead)]);
}
