import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { EditConfig } from '../contract.mts';
import type { SpokenWord } from '../engine/detection/spokenWords.mts';
import { EditFailure, messageOf } from '../jobs/failures.mts';
import { speechOf } from './speech.mts';
import type { TextHelp, Transcriber } from './transcriber.mts';

/**
 * The words of a source, for an engine that takes out fillers and stutters: with them it knows what is
 * a word. Undefined where that is not asked for, or where the recogniser is too rough to cut by. A
 * recogniser that fails is no reason for the edit to fail: it goes on by ear.
 *
 * @throws the signal's reason when aborted.
 */
export async function heardWords(
	{ config, sourcePath, workFolder }: HearingOrder,
	transcriber: Transcriber | undefined,
	help: TextHelp,
): Promise<SpokenWord[] | undefined> {
	const { fillers, hesitations, stutters } = config;
	if (!transcriber?.isExact || !(fillers || hesitations || stutters)) return undefined;
	const folder = join(workFolder, 'heard');
	await mkdir(folder, { recursive: true });
	help.say(`is listened to by ${transcriber.name}`);
	try {
		const speech = await speechOf(sourcePath, folder, 'source', help.signal);
		return await transcriber.transcribe(speech, help);
	} catch (error) {
		help.signal.throwIfAborted();
		if (!(error instanceof EditFailure)) throw error;
		help.say(`is edited without its words (${messageOf(error)})`);
		return undefined;
	}
}

/** What is to be heard. */
export interface HearingOrder {
	config: Required<EditConfig>;
	sourcePath: string;
	workFolder: string;
}
