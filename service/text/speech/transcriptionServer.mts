import { open } from 'node:fs/promises';

import { SPEECH_FORMAT } from '../../media/decode.mts';
import { wavHeader } from '../../media/wavHeader.mts';
import { EditFailure } from '../../shared/failures.mts';
import { languageCodeOf } from '../languages.mts';
import { AnswerTooLong, OpenAiServer } from '../openAiServer.mts';
import { mainLanguage } from './mainLanguage.mts';
import { type Answer, answerSchema, textsOf, wordsOf } from './serverAnswer.mts';
import { SPEECH_RATE_HZ, SPEECH_SAMPLE_BYTES, type SpeechAudio } from './speech.mts';
import { chunksOf } from './speechChunks.mts';
import type { TextHelp, Transcriber } from './transcriber.mts';
import type { RecognizedSpeech, TimeRange } from '../../shared/timeRanges.mts';
import type { OpenAiServerSettings } from '../../shared/settings.mts';

/** Ten minutes of WAV are 19 MB, below the usual limits of 25 MB and 25 minutes. */
const CHUNKS = { minSeconds: 480, maxLengthSeconds: 600 };

/** Words of any sound, and more for each second. Auctioneers say seven a second. */
const MAX_WORDS = { always: 50, perSecond: 25 };

/** Of all words together. */
const MAX_CHARACTERS = { always: 2_000, perSecond: 100 };

/** Bytes of an answer: a word takes 100, and each segment lists numbers of the model besides. */
const MAX_ANSWER_BYTES = { always: 65_536, perSecond: 16_384 };

/** A transcriber on an OpenAI-compatible server (`/audio/transcriptions`). */
export function transcriptionServer(settings: OpenAiServerSettings): Transcriber {
	const server = new OpenAiServer(settings);
	return {
		name: server.name,
		accuracy: 'times',
		transcribe: async (speech, help) => {
			const recognized: RecognizedSpeech[] = [];
			// In sequence: a small server has one model, and each answer is charged.
			const chunks = await chunksOf(speech, CHUNKS, help.signal);
			for (const chunk of chunks) {
				recognized.push(await transcribeChunk(server, speech, chunk, help));
				await help.tellRecognized(recognized.length / chunks.length);
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
	if (parsed.success && isImpossible(parsed.data, seconds)) throw impossible(server, seconds);
	const words = parsed.success ? wordsOf(parsed.data, seconds) : undefined;
	if (words === undefined) {
		throw new EditFailure(
			`Transcription: ${server.shownUrl} returned no word times (response_format verbose_json); ` +
				'choose a server and model that do, such as whisper-1',
		);
	}
	return {
		words: words.map((word) => ({
			...word,
			startSeconds: chunk.startSeconds + word.startSeconds,
			endSeconds: chunk.startSeconds + word.endSeconds,
		})),
		language: languageCodeOf(parsed.data?.language ?? ''),
		areTimesExact: true,
	};
}

/** Whether an answer has more than anybody says in this time. It is not worth the memory to go on with. */
function isImpossible(answer: Answer, seconds: number): boolean {
	const maxWords = limitFor(MAX_WORDS, seconds);
	const maxCharacters = limitFor(MAX_CHARACTERS, seconds);
	return textsOf(answer).some(
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
