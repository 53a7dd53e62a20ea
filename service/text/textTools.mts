import { chatWriter } from './chatWriter.mts';
import { extractiveWriter } from './extractiveWriter.mts';
import type { Transcriber } from './speech/transcriber.mts';
import { transcriptionServer } from './speech/transcriptionServer.mts';
import { findSpeechModel } from './speech/whisper/findSpeechModel.mts';
import { findRecognizer } from './speech/whisper/findRecognizer.mts';
import { whisper } from './speech/whisper/whisper.mts';
import type { TextTools } from './textStage.mts';
import type { Log } from '../shared/log.mts';
import type { TextSettings } from '../shared/settings.mts';

/**
 * Returns the tools for texts: the configured servers, or else what works offline.
 *
 * @throws WrongUsage for a speech model that cannot be used.
 */
export async function chooseTextTools(settings: TextSettings, log: Log): Promise<TextTools> {
	const { chat } = settings;
	return {
		transcriber: await chooseTranscriber(settings, log),
		writer: chat === undefined ? extractiveWriter : chatWriter(chat),
	};
}

async function chooseTranscriber(
	{ transcription, ...offline }: TextSettings,
	log: Log,
): Promise<Transcriber | undefined> {
	if (transcription !== undefined) return transcriptionServer(transcription);
	const recognizer = findRecognizer(offline.whisperProgram);
	const model = await findSpeechModel(offline, recognizer, log);
	return model === undefined ? undefined : whisper(model, recognizer);
}
