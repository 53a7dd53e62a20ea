import type { Dialect } from '../../testkit/service/fake/dialects';
import { ENDPOINTS, type Endpoint, runningWait, everyFile } from './endpoints';
import { useMatrix } from './useMatrix';

/** The answers of api.md#beyond-this-page that a client meets between the creation of an edit and its file. */
const DIALECTS: readonly Dialect[] = [
	'progress',
	'late-result',
	'markers-object',
	'waveform-object',
	'queued',
	'processing',
	'poll-after',
	'limit-detail',
	'failure-bare',
];

const rows = (name: string, through: string) =>
	ENDPOINTS.filter((endpoint) => endpoint.name === name && endpoint.through === through);

const GET_EDIT = 'GET /v2/edits/{id}';

const [wait] = rows(GET_EDIT, 'Wait For Edit');
const [result] = rows(GET_EDIT, 'Get Result');
const [download] = rows('GET /downloads/{id}/{name}', 'Get Result');

/** The edited file and four files of markers of the item before the target. */
const DOWNLOADS_BEFORE = 5;

/** The matrix sends every fault; here each case has an edit to itself, which costs media work. */
const ONE_OF_EACH_KIND = [
	'refuse',
	'reset mid-answer',
	'stall',
	'404',
	'429 as detail',
	'503',
	'truncated JSON',
	'wrong types',
	'headers echoed',
];

const SPOKEN: readonly Endpoint[] = [
	// An edit that runs, so that the faults strike between QUEUED and a late result.
	{
		...wait,
		name: `${GET_EDIT} of a running edit`,
		faults: ONE_OF_EACH_KIND,
		prepare: runningWait,
	},
	{ ...result, faults: ONE_OF_EACH_KIND, prepare: everyFile },
	{
		...download,
		faults: ONE_OF_EACH_KIND,
		answersBefore: DOWNLOADS_BEFORE,
		prepare: everyFile,
	},
];

useMatrix(SPOKEN, {
	dialects: DIALECTS,
	flags: ['--min-state-seconds', '5', '--concurrency', '16'],
	config: { export_timestamps: true },
});
