import type { OpenAiServerSettings } from './openAiServer.mts';
import { chatWriter } from './chatWriter.mts';
import { extractiveWriter } from './extractiveWriter.mts';
import { findPocketsphinx } from './pocketsphinx.mts';
import type { TextRoom } from './textStage.mts';
import { transcriptionServer } from './transcriptionServer.mts';

/** The servers the command line names, if any. */
export interface TextSettings {
	transcription: OpenAiServerSettings | undefined;
	chat: OpenAiServerSettings | undefined;
}

/** What texts are made with: the servers that were named, else what works offline. */
export function openTextRoom({ transcription, chat }: TextSettings): TextRoom {
	return {
		transcriber:
			transcription === undefined ? findPocketsphinx() : transcriptionServer(transcription),
		writer: chat === undefined ? extractiveWriter : chatWriter(chat),
	};
}
