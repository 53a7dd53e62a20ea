import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { EditConfig } from '../shared/contract.mts';
import { EditFailure, messageOf } from '../shared/failures.mts';
import { commandName } from '../shared/flags.mts';
import { type RecognizedTrack, withoutCrosstalk } from './crosstalk.mts';
import { extractiveWriter } from './extractiveWriter.mts';
import type { SocialContent, Summarization, Texts } from './texts.mts';
import { keepTexts, TEXTS_FILE_NAME } from './textsFile.mts';
import { paragraphsOf, type Paragraph } from './paragraphs.mts';
import { wordsOfTrack } from './trackWords.mts';
import { transcriptionOf } from './transcript.mts';
import { speechOf } from './speech/speech.mts';
import { wordsOfSpeakers } from './speech/speakers.mts';
import type { TextHelp, Transcriber } from './speech/transcriber.mts';
import type { TextWriter } from './writer.mts';
import type { Insertion } from '../shared/showKit.mts';
import type { SpokenWord } from '../shared/timeRanges.mts';
import { wordsWithKit } from './wordsAfterEdits.mts';

/** The tools that make texts. */
export interface TextTools {
	/** Undefined if this machine has none. */
	transcriber: Transcriber | undefined;
	writer: TextWriter;
}

/** The finished edit to make texts about. */
export interface TextRequest {
	config: Required<EditConfig>;
	/** The words in the edited file, at its times, if they are known from the source. */
	words: readonly SpokenWord[] | undefined;
	/** The edited file of each track; one for a mix. */
	trackPaths: readonly string[];
	/** What the result has that is not in these files. */
	insertions: readonly Insertion[];
	workFolder: string;
	resultFolder: string;
}

/**
 * Returns why texts cannot be made, before any work is done; undefined if they can. `summarize` and
 * `social_content` imply `transcription`.
 */
export function reasonForNoTexts(
	config: Required<EditConfig>,
	tools: TextTools,
): string | undefined {
	if (!config.transcription || tools.transcriber !== undefined) return undefined;
	return `Transcription ${needsRecognizer()}`;
}

/** Says what to do where there is no recognizer, after what needs one. */
export function needsRecognizer(): string {
	return (
		`needs a recognizer: run "${commandName()} get-model base" and restart the ` +
		'service, or start it with --transcription-url (an OpenAI-compatible server)'
	);
}

/**
 * Writes the requested texts into the result folder, as one file.
 *
 * @throws EditFailure when the speech cannot be recognized, the signal's reason when aborted.
 */
export async function writeTexts(
	request: TextRequest,
	{ transcriber, writer }: TextTools,
	help: TextHelp,
): Promise<void> {
	const { config } = request;
	if (!config.transcription) return;
	if (transcriber === undefined) throw new EditFailure('There is no recognizer for speech');
	const tracks = request.words ? [request.words] : await recognize(request, transcriber, help);
	const isOneTrack = tracks.length === 1;
	const speakers = isOneTrack ? await tellApart(request, tracks[0], help) : tracks;
	const inResult = speakers.map((words) => wordsWithKit(words, request.insertions));
	const paragraphs = paragraphsOf(inResult, isOneTrack);
	// Without any speech, a model would invent something.
	const bestWriter = paragraphs.length === 0 ? extractiveWriter : writer;
	const summarization = config.summarize
		? await orExtract((one) => one.summarize(paragraphs, help), bestWriter, help)
		: null;
	const texts: Texts = {
		transcription: transcriptionOf(paragraphs, isOneTrack && speakers.length > 1),
		summarization,
		social_content:
			config.social_content && summarization !== null
				? await writePosts(paragraphs, summarization, bestWriter, help)
				: null,
	};
	await keepTexts(join(request.resultFolder, TEXTS_FILE_NAME), texts);
}

/** Recognizes the words of each track, without those that come from another. */
async function recognize(
	{ trackPaths, workFolder }: TextRequest,
	transcriber: Transcriber,
	help: TextHelp,
): Promise<Array<readonly SpokenWord[]>> {
	const folder = join(workFolder, 'text');
	await mkdir(folder, { recursive: true });
	help.say(`is transcribed by ${transcriber.name}`);
	const recognized: RecognizedTrack[] = [];
	for (const [index, track] of trackPaths.entries()) {
		const files = { folder, name: `track${index}` };
		const tellRecognized = (share = 0) => help.tellRecognized((index + share) / trackPaths.length);
		await tellRecognized();
		recognized.push(await wordsOfTrack(track, files, transcriber, { ...help, tellRecognized }));
	}
	await help.tellRecognized(undefined);
	return withoutCrosstalk(recognized);
}

/** Returns the words of each speaker of a recording with one track. */
async function tellApart(
	{ trackPaths, workFolder }: TextRequest,
	words: readonly SpokenWord[],
	help: TextHelp,
): Promise<Array<readonly SpokenWord[]>> {
	if (words.length === 0) return [words];
	const folder = join(workFolder, 'text');
	await mkdir(folder, { recursive: true });
	await help.waitForTurn();
	const speech = await speechOf(trackPaths[0], folder, 'voices', help.signal);
	return await wordsOfSpeakers(speech, words, help.signal);
}

/**
 * Runs `work` with `writer`. If the model fails, falls back to extracts, which are labeled as
 * such, instead of failing the edit.
 */
async function orExtract<T>(
	work: (writer: TextWriter) => Promise<T>,
	writer: TextWriter,
	help: TextHelp,
): Promise<T> {
	try {
		return await work(writer);
	} catch (error) {
		help.signal.throwIfAborted();
		if (!(error instanceof EditFailure)) throw error;
		help.say(`gets extracts instead of written texts (${messageOf(error)})`);
		await help.waitForTurn();
		return await work(extractiveWriter);
	}
}

async function writePosts(
	paragraphs: readonly Paragraph[],
	summary: Summarization,
	writer: TextWriter,
	help: TextHelp,
): Promise<SocialContent> {
	const write = async (one: TextWriter) => {
		// Posts by the extractive writer need its own summary, so that their label is true.
		const about = one === writer ? summary : await one.summarize(paragraphs, help);
		return await one.writePosts(about, help);
	};
	return await orExtract(write, writer, help);
}
