/**
 * `npm test -- hosted`: tries a service with a real key, and compares what it answers with the
 * contract. Costs one edit of a few seconds, so it asks for --yes. Never part of CI.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { Calls } from '../../testkit/hosted/calls.mts';
import { reportOf, summaryOf } from '../../testkit/hosted/report.mts';
import { LENGTH_SECONDS, runSteps } from '../../testkit/hosted/steps.mts';

const { values } = parseArgs({
	options: {
		yes: { type: 'boolean', default: false },
		report: { type: 'string', default: 'hosted-report.json' },
		'first-poll-seconds': { type: 'string', default: '30' },
		'poll-seconds': { type: 'string', default: '10' },
		'max-wait-seconds': { type: 'string', default: '1200' },
	},
});

const PLAN = [
	`What it does: checks the account, uploads ${LENGTH_SECONDS} seconds of sound that it makes itself,`,
	'creates one edit with noise removal, loudness, a transcript and markers, polls it every',
	`${values['poll-seconds']} seconds, downloads what it returns, and deletes it, also after a failure.`,
	`What it costs: one edit of ${LENGTH_SECONDS} seconds, at the prices of your account.`,
	`What it writes: ${values.report}, without the key and without signatures.`,
];

const { AUDIO_EDITING_URL: baseUrl = '', AUDIO_EDITING_KEY: key = '' } = process.env;

function print(...lines: string[]): void {
	process.stdout.write(`${lines.join('\n')}\n`);
}

async function main(): Promise<number> {
	print(...PLAN);
	if (!URL.canParse(baseUrl) || key.trim() === '') {
		print('', 'Set AUDIO_EDITING_URL (the root of the service) and AUDIO_EDITING_KEY.');
		return 2;
	}
	if (!values.yes) {
		print('', 'Nothing was sent. Add --yes to run it: npm test -- hosted --yes');
		return 0;
	}
	const calls = new Calls(baseUrl, key.trim());
	const rhythm = {
		firstPollMs: Number(values['first-poll-seconds']) * 1_000,
		pollMs: Number(values['poll-seconds']) * 1_000,
		maxWaitMs: Number(values['max-wait-seconds']) * 1_000,
	};
	const outcome = await runSteps(calls, rhythm, (line) => {
		print(calls.hide(line));
	});
	const report = reportOf(calls, outcome);
	await writeFile(values.report, `${JSON.stringify(report, null, '\t')}\n`);
	print('', ...summaryOf(report), `The report is in ${values.report}.`);
	return report.failed > 0 ? 1 : 0;
}

process.exitCode = await main();
