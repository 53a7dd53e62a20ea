/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they change files */
import { truncateSync } from 'fs';
import type { IBinaryData, IRun } from 'n8n-workflow';

import type { FailureKind } from '../../../api/failure';
import { type NodeError, toNodeError } from '../../../nodes/shared/errors/errors';
import { itemsOf, startEngine, storeFile } from '../../support/n8nEngine';
import { NODE } from '../../support/nodeContext';
import { type Answer, type SeenRequest, startScriptedService } from '../../support/scriptedService';
import { storedPaths } from '../../support/storedPaths';
import { chain, type NodeSpec, runChain } from '../../support/workflows';

jest.mock('../../../api/time', () => jest.requireActual('../../support/leapingTime'));

beforeAll(async () => {
	await startEngine();
});

/** A request of a node, and what its error must name. */
interface Spot {
	readonly node: NodeSpec;
	readonly method: string;
	/** The path, or its start. */
	readonly path: string;
	/** What the details say instead of the path, which may be a secret. */
	readonly shownPath?: string;
	readonly names: string;
}

const NAME = 'episode.wav';

const ID = 'edit-7';

const fileUrls = `https://files.example.com/${NAME}`;

const WAIT = { maximumWaitMinutes: 1, options: { firstPollDelaySeconds: 0 } };

const SPOTS: Readonly<Record<string, Spot>> = {
	'the request of an upload link': {
		node: { type: 'upload' },
		method: 'POST',
		path: '/v2/upload',
		names: NAME,
	},
	'an upload': {
		node: { type: 'upload' },
		method: 'PUT',
		path: '/up',
		shownPath: 'of the file',
		names: NAME,
	},
	'a submission': {
		node: { type: 'createEdit', parameters: { fileUrls } },
		method: 'POST',
		path: '/v2/edits',
		names: NAME,
	},
	'a wait': {
		node: { type: 'waitForEdit', parameters: WAIT },
		method: 'GET',
		path: `/v2/edits/${ID}`,
		names: ID,
	},
	'the reading of an edit': {
		node: { type: 'getResult' },
		method: 'GET',
		path: `/v2/edits/${ID}`,
		names: ID,
	},
	'a download': {
		node: { type: 'getResult' },
		method: 'GET',
		path: '/down',
		shownPath: 'of the file',
		names: ID,
	},
	'a deletion': {
		node: { type: 'delete' },
		method: 'DELETE',
		path: `/v2/edits/${ID}`,
		names: ID,
	},
	'the reading of the credit': {
		node: { type: 'account', parameters: { resource: 'account', operation: 'getCredit' } },
		method: 'GET',
		path: '/v1/account',
		names: '',
	},
};

/** Nothing listens at port 1. */
const NOBODY = 'http://127.0.0.1:1';

const WORDS = 'as the service put it';

const REFUSAL = {
	422: { detail: [{ loc: ['body', 'input', 'files', 0], msg: WORDS, type: 'value' }] },
	429: { error: { code: 'E9001', message: WORDS } },
} as Record<number, object>;

const STATUSES = [400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 503];

const answered = (status: number): Answer => ({
	status,
	body: REFUSAL[status] ?? { detail: WORDS },
	headers: { location: 'https://elsewhere.example.com/v2/taken', 'retry-after': '1' },
});

/** How a run fails. */
interface Failure {
	/** The response to the request. */
	readonly answer?: Answer;
	/** Whether nothing listens where the request goes. */
	readonly isDown?: true;
}

/** The kinds that no response of a service causes. They have their own tests below. */
type OwnKind = 'invalid' | 'stopped' | 'wrongSize';

const FAILURES: Readonly<Record<Exclude<FailureKind, OwnKind>, readonly Failure[]>> = {
	status: STATUSES.map((status) => ({ answer: answered(status) })),
	redirect: [{ answer: answered(302) }],
	unreachable: [{ isDown: true }],
	broken: [{ answer: { cut: true } }],
	timeout: [{ answer: { stall: true } }],
	unreadable: [{ answer: { status: 200, body: '<html>' } }],
	tooLarge: [{ answer: { status: 200, body: Buffer.alloc(17 * 1_048_576, ' ') } }],
};

/** The answers of a healthy service. */
function healthy({ method, path }: SeenRequest, url: string): Answer {
	if (path.startsWith('/v2/upload')) return { body: { signedUrl: `${url}/up/${NAME}?sig=secret` } };
	if (method === 'GET' && path.startsWith('/v2/edits')) {
		const result = { download_url: `${url}/down/${NAME}`, filename: NAME };
		return { body: { task_id: ID, status: 'SUCCESS', result } };
	}
	return { body: method === 'POST' ? { id: ID } : {} };
}

/** Runs a node that fails at this request, after n8n's copy of its file was changed. */
async function failAt(
	{ node, method, path }: Spot,
	{ answer, isDown }: Failure,
	change: (data: IBinaryData) => void = () => {},
): Promise<IRun> {
	const isSpot = (request: SeenRequest) =>
		request.method === method && request.path.startsWith(path);
	const service = await startScriptedService((request) =>
		isSpot(request) && answer ? answer : healthy(request, isDown ? NOBODY : service.url),
	);
	const url = isDown && /^\/v\d/.test(path) ? NOBODY : service.url;
	const data = await storeFile(Buffer.from('RIFF'), NAME, 'audio/wav');
	change(data);
	const items = [{ json: { editId: ID }, binary: { data } }];
	try {
		return await runChain({ ...service, url }, chain(node), items);
	} finally {
		await service.stop();
	}
}

const shownIn = (run: IRun) => run.data.resultData.error as NodeError;

/** What is wrong with a headline, if anything. */
function findingsIn(message: string, names: string, status?: number): string[] {
	const rules: Array<[string, boolean]> = [
		['is too long', message.length > 200],
		['has a method', /\b(GET|POST|PUT|DELETE|HTTP)\b/.test(message)],
		['has a path', /\/[\w{]/.test(message)],
		['has a status', status !== undefined && message.includes(String(status))],
		['quotes the service', message.includes(WORDS)],
		['has an error code', /\bE[A-Z]{4,}\b/.test(message)],
		[`does not name ${names}`, !message.includes(names)],
	];
	return rules.flatMap(([finding, isWrong]) => (isWrong ? [`${finding}: ${message}`] : []));
}

/** What the details of an answered request lack. */
function missingDetails(
	{ method, path, shownPath = path }: Spot,
	status: number,
	{ messages }: NodeError,
): string[] {
	const details = messages.join('\n');
	const answer = status === 200 ? 'answered 2xx' : `answered ${status}`;
	// The service's words about a refused key may quote a part of it.
	const isQuoted = status >= 400 && (status !== 401 || shownPath === 'of the file');
	if (!isQuoted && details.includes(WORDS)) return [`quotes a 401: ${details}`];
	const wanted = [method, shownPath, answer, isQuoted ? WORDS : ''];
	return wanted.filter((part) => !details.includes(part)).map((part) => `no ${part}: ${details}`);
}

function findingsAbout(spot: Spot, { answer }: Failure, shown: NodeError): string[] {
	const { message, description } = shown;
	const { status } = answer ?? {};
	// A wait outlives what passes, and only says at its end that its time was up.
	const isOver = message.includes('did not finish in time');
	return [
		...findingsIn(message, spot.names, status),
		...(isOver || status === undefined ? [] : missingDetails(spot, status, shown)),
		...(description ? [] : [`no advice: ${message}`]),
	];
}

describe('the headline names the file or edit and is plain; the details are technical', () => {
	it.each(Object.entries(SPOTS))('at %s', async (_name, spot) => {
		const findings = Object.values(FAILURES)
			.flat()
			.map(async (failure) => {
				const run = await failAt(spot, failure);
				const { error } = run.data.resultData;
				// The storage has accepted the file, and a deletion may answer with anything.
				const isFine = failure.answer?.status === 200 && /PUT|DELETE/.test(spot.method);
				if (error === undefined) return isFine ? [] : [`no failure: ${JSON.stringify(failure)}`];
				return findingsAbout(spot, failure, shownIn(run));
			});
		expect((await Promise.all(findings)).flat()).toEqual([]);
	});
});

describe('failures that no service causes', () => {
	const download = SPOTS['a download'];

	it.each<[string, string, string]>([
		['a base URL that is empty', '', ID],
		['an edit ID with a space', NOBODY, 'a b'],
	])('invalid: %s', async (_name, url, editId) => {
		for (const type of ['waitForEdit', 'getResult', 'delete']) {
			const node = { type, parameters: { editId } };
			const { message, description } = shownIn(await runChain({ url, apiKey: 'k' }, chain(node)));
			expect(findingsIn(message, '')).toEqual([]);
			expect(description).toMatch(/^Nothing was sent\. (Correct this, then run|Connect|Pass)/);
		}
	});

	it('wrongSize: a file that has become shorter', async () => {
		const shorten = (path: string) => truncateSync(path, 1);
		const run = await failAt(SPOTS['an upload'], {}, (data) =>
			storedPaths(data)
				.filter((path) => !path.endsWith('.metadata'))
				.forEach(shorten),
		);
		const { message, description } = shownIn(run);
		expect(findingsIn(message, NAME)).toEqual([]);
		expect(description).toMatch(/1 instead of 4 bytes.*Run the node/);
	});

	it('stopped: says how to go on, and that edits go on', () => {
		const failure = { kind: 'stopped', request: 'POST /v2/edits' } as const;
		const error = toNodeError(NODE, failure, { itemIndex: 0, doing: `read edit ${ID}` });
		expect(findingsIn(error.message, ID)).toEqual([]);
		expect(error.description).toBe(
			"Edits that were submitted keep running at the service; n8n's log names them. Look there before you run the workflow again.",
		);
	});

	it('keeps the headline, the advice and the details of a failed item', async () => {
		const settings = { onError: 'continueErrorOutput' } as const;
		const failure = { answer: answered(403) };
		const run = await failAt({ ...download, node: { ...download.node, settings } }, failure);
		expect(itemsOf(run, 'getResult', 1)[0].json.failure).toEqual({
			message: expect.stringContaining(ID),
			description: expect.stringContaining('own storage'),
			httpCode: '403',
			details: expect.stringMatching(/^GET of the file at .* answered 403\n/),
		});
	});

	it('says on the regular output what to do, where n8n keeps only one text', async () => {
		const settings = { onError: 'continueRegularOutput' } as const;
		const failure = { answer: answered(401) };
		const spot = SPOTS['the reading of an edit'];
		const run = await failAt({ ...spot, node: { ...spot.node, settings } }, failure);
		expect(itemsOf(run, 'getResult')[0].json).toEqual({
			error: expect.stringMatching(
				/^Could not read edit edit-7: .* \[item 0\]\. .*Check the 'API Key'/,
			),
		});
	});
});
