import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import type { RecognizedSpeech } from '../shared/timeRanges.mts';
import { speechOf } from '../text/speech/speech.mts';
import { checkCuts } from '../text/wordCheck/checkCuts.mts';
import { TEXT_HELP } from '../../testkit/service/textHelp.mts';
import { temporaryFolder } from '../../testkit/process/temporaryFolder.mts';

const SPOKEN = join(import.meta.dirname, '../../testkit/media/spoken.mp3');
/** Where a word is said. */
const WORD = { startSeconds: 21.7, endSeconds: 22.1 };

await using folder = await temporaryFolder();

await test('waits for its turn at the processor before it listens', async () => {
	const speech = await speechOf(SPOKEN, folder.path, 'source', TEXT_HELP.signal);
	const seen: string[] = [];
	const see = async <T,>(what: string, result: T) => {
		seen.push(what);
		return await Promise.resolve(result);
	};
	const nothing: RecognizedSpeech = { words: [], language: 'english', areTimesExact: false };
	const transcriber = {
		name: 'nobody',
		accuracy: 'words' as const,
		transcribe: () => see('hears', nothing),
	};
	const edits = [{ kind: 'breath' as const, sure: 1, ...WORD }];
	const toCheck = {
		source: speech,
		edited: speech,
		edits,
		timeAfter: (seconds: number) => seconds,
	};
	const help = { ...TEXT_HELP, waitForTurn: () => see('waits', undefined) };
	const { checked } = await checkCuts(toCheck, transcriber, help);
	assert.equal(checked, 1);
	assert.deepEqual(seen, ['waits', 'hears', 'hears']);
});
