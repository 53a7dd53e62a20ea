import { chatWriter } from './chatWriter.mts';
import { extractiveWriter } from './extractiveWriter.mts';
import { findPocketsphinx } from './speech/pocketsphinx.mts';
import type { TextTools } from './textStage.mts';
import { transcriptionServer } from './speech/transcriptionServer.mts';
import type { TextSettings } from '../shared/settings.mts';

/** Returns the tools for texts: the configured servers, or else what works offline. */
export function chooseTextTools({ transcription, chat }: TextSettings): TextTools {
	return {
		transcriber:
			transcription === undefined ? findPocketsphinx() : transcriptionServer(transcription),
		writer: chat === undefined ? extractiveWriter : chatWriter(chat),
	};
}
