import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { EditConfig } from '../../../shared/contract.mts';
import type { Client } from '../../../../testkit/service/client.mts';
import { PLAIN } from '../../../../testkit/service/recordings.mts';
import { assertNear } from '../assertNear.mts';
import { BEEPS, heardIn, type BeepPlan } from './beeps.mts';

/** A file as recorders, browsers and people with `cat` really make it, and what must become of it. */
export interface Case {
	/** How the file is made. */
	readonly file: () => Buffer | Promise<Buffer>;
	/** Its name, which decides nothing. */
	readonly name?: string;
	readonly config?: EditConfig;
	/** What must be heard in the result. Default: all beeps. */
	readonly heard?: BeepPlan | (() => Promise<BeepPlan>);
	/** What a codec adds where files are joined. */
	readonly slackSeconds?: number;
	/** The notes on the result. Default: none. */
	readonly notes?: readonly RegExp[];
}

const LENGTH_SECONDS = 0.05;
const BEEP_SECONDS = 0.02;

/** Edits each file, and compares what is heard in the result and the notes. */
export async function testCases(cases: Readonly<Record<string, Case>>, ann: Client): Promise<void> {
	for (const [what, one] of Object.entries(cases)) {
		await test(`edits all of ${what}`, async () => {
			const { file, name = 'talk.wav', config = PLAIN, notes = [], slackSeconds = 0 } = one;
			const { heard: wanted = BEEPS } = one;
			const heard = typeof wanted === 'function' ? await wanted() : wanted;
			const { result, file: edited } = await ann.finish(await file(), config, name);
			const found = await heardIn(edited);
			assertNear(found.seconds, heard.seconds, LENGTH_SECONDS + slackSeconds, 'length');
			assert.equal(found.atSeconds.length, heard.atSeconds.length, String(found.atSeconds));
			for (const [index, at] of heard.atSeconds.entries()) {
				assertNear(found.atSeconds[index], at, BEEP_SECONDS + slackSeconds, `beep ${index + 1}`);
			}
			const said = result.notes ?? [];
			assert.equal(said.length, notes.length, said.join('; '));
			for (const [index, note] of notes.entries()) assert.match(said[index], note);
		});
	}
}
