import type { INodeExecutionData } from 'n8n-workflow';

import type { EndpointKind, Ends } from './faults';
import type { Port } from './faultProxy';
import { type Ran, type RunAccess, runNode } from './ran';
import {
	CONFIGURATION,
	runAgentRepeats,
	runCredentialTest,
	runPoll,
	runTemplateSearch,
} from './singleRequests';
import { NAMES, type Stage, fileUrlFor } from './stage';

/** An endpoint, and who calls it. */
export interface Endpoint {
	readonly name: string;
	/** The node or other caller. */
	readonly through: string;
	readonly kind: EndpointKind;
	/** Whether a request is for this endpoint. `path` includes the query. */
	matches(method: string, path: string): boolean;
	/** The port where its requests arrive. */
	readonly port: Port;
	/** Responses at that port before the target item's. */
	readonly answersBefore: number;
	/** Connections tried for the target item before it fails. */
	readonly tries: number;
	/** Faults that end differently here than at other endpoints of the same kind. */
	readonly exceptions?: Readonly<Record<string, Ends>>;
	/** The names of the faults to try; all if missing. */
	readonly faults?: readonly string[];
	prepare(stage: Stage): Prepared | Promise<Prepared>;
}

/** One prepared case. */
export interface Prepared {
	/** The part of a path or body by which the proxy recognizes the target item. */
	readonly token: string;
	/** The target item's edit, if it exists before the run. */
	readonly editId?: string;
	/** The target item's index in the ends. */
	readonly targetIndex: number;
	run(access: RunAccess): Promise<Ran>;
}

const [, TARGET_NAME] = NAMES;

/** Three items; the middle one is the target. */
const ITEMS = { port: 'service', answersBefore: 1, tries: 4 } as const;

/** A single request, the target. */
const ALONE = { port: 'service', answersBefore: 0, tries: Infinity } as const;

const LINKS = { ...ITEMS, port: 'links' } as const;

const SUBMITS = { ...ITEMS, through: 'Create Edit', kind: 'submits' } as const;

const upload = ({ recordings }: Stage): Prepared => ({
	token: TARGET_NAME,
	targetIndex: 1,
	run: async (access) => {
		const items = recordings.map((data) => ({ json: {}, binary: { data } }));
		return await runNode(access, 'upload', items);
	},
});

const create =
	(jobType: 'edit' | 'noise') =>
	({ service }: Stage): Prepared => ({
		token: TARGET_NAME,
		targetIndex: 1,
		run: async (access) => {
			const items = NAMES.map((name) => ({ json: { fileUrl: fileUrlFor(service, name) } }));
			return await runNode(access, 'createEdit', items, { advanced: { jobType }, preset: 'none' });
		},
	});

type ToItem = (editId: string, index: number) => INodeExecutionData;

const withEdits =
	(type: string, toItem: ToItem = (editId) => ({ json: { editId } })) =>
	(parameters = {}) =>
	(edits: readonly string[]): Prepared => ({
		token: edits[1],
		editId: edits[1],
		targetIndex: 1,
		run: async (access) => {
			return await runNode(access, type, edits.map(toItem), parameters);
		},
	});

/** The neighbors were submitted long ago and are polled at once, the target later. */
const waitItem: ToItem = (editId, index) => ({
	json: { editId, ...(index !== 1 && { submittedAt: '2025-01-01T00:00:00.000Z' }) },
});

const getResult = withEdits('getResult')({ simplify: false });
const wait = withEdits('waitForEdit', waitItem)({ maximumWaitMinutes: 4, simplify: false });
const deleteEdit = withEdits('delete')();

/** Waits for an edit that still runs, between two that have ended. */
export const runningWait = async (stage: Stage): Promise<Prepared> => {
	const [before, , after] = stage.finishedEdits;
	return wait([before, await stage.runningEdit(), after]);
};

/** Gets every file of the finished edits. */
export const everyFile = ({ finishedEdits }: Stage): Prepared =>
	withEdits('getResult')({ download: ['edited', 'markers'], simplify: false })(finishedEdits);

const account = (resource: string, operation: string) => () => ({
	token: '',
	targetIndex: 0,
	run: async (access: RunAccess) => {
		const parameters = { resource, operation, templateId: CONFIGURATION, simplify: false };
		return await runNode(access, 'account', [{ json: {} }], parameters);
	},
});

const alone = (run: Prepared['run'], token = '') => ({ token, targetIndex: 0, run });

const THROUGH_ACCOUNT = { ...ALONE, through: 'Account', kind: 'asks' } as const;

/** An invalid list is read as empty; and what a deletion or a ping contains is not known (api.md#create-an-edit). */
const ANY_ANSWER = { 'wrong types': 'succeeds' } as const;

/** The try whose response was lost has deleted the edit. */
const DELETED_BY_LOST_TRY = { 'reset, then 404': 'succeeds' } as const;

const ROWS: ReadonlyArray<Omit<Endpoint, 'matches'>> = [
	{ ...ITEMS, name: 'POST /v2/upload', through: 'Upload', kind: 'asks', prepare: upload },
	{
		...LINKS,
		name: 'PUT /uploads/{id}/{name}',
		through: 'Upload',
		kind: 'puts',
		tries: 3,
		prepare: upload,
	},
	{ ...SUBMITS, name: 'POST /v2/edits', prepare: create('edit') },
	{
		...SUBMITS,
		...ALONE,
		name: 'POST /v2/edits',
		through: "an agent's repeats",
		prepare: ({ service }) =>
			alone(
				async (access) => await runAgentRepeats(access, fileUrlFor(service, TARGET_NAME)),
				TARGET_NAME,
			),
	},
	{ ...SUBMITS, name: 'POST /v2/noise', prepare: create('noise') },
	{
		...ITEMS,
		name: 'GET /v2/edits/{id}',
		through: 'Wait For Edit',
		kind: 'polls',
		answersBefore: 2,
		tries: Infinity,
		prepare: ({ finishedEdits }) => wait(finishedEdits),
	},
	{
		...ITEMS,
		name: 'GET /v2/edits/{id}',
		through: 'Get Result',
		kind: 'asks',
		prepare: ({ finishedEdits }) => getResult(finishedEdits),
	},
	{
		...LINKS,
		name: 'GET /downloads/{id}/{name}',
		through: 'Get Result',
		kind: 'downloads',
		prepare: ({ finishedEdits }) => getResult(finishedEdits),
	},
	{
		...ITEMS,
		name: 'DELETE /v2/edits/{id}',
		through: 'Delete',
		kind: 'asks',
		exceptions: { ...ANY_ANSWER, ...DELETED_BY_LOST_TRY },
		prepare: async (stage) => deleteEdit(await stage.newEdits()),
	},
	{
		...ALONE,
		name: 'GET /v2/configurations',
		through: 'template list',
		kind: 'asks',
		exceptions: ANY_ANSWER,
		prepare: () => alone(runTemplateSearch),
	},
	{
		...ALONE,
		name: 'GET /v1/account',
		through: 'credential test',
		kind: 'checks',
		prepare: () => alone(runCredentialTest),
	},
	{ ...THROUGH_ACCOUNT, name: 'GET /v1/account', prepare: account('account', 'getCredit') },
	{
		...THROUGH_ACCOUNT,
		name: 'GET /v2/configuration/{id}',
		prepare: account('configuration', 'get'),
	},
	{
		...ALONE,
		name: 'GET /v2/completed_tasks/{id}',
		through: 'Edit Finished Trigger',
		kind: 'asks',
		prepare: () => alone(runPoll),
	},
	...['GET /ping', 'GET /health'].map((name) => ({
		...THROUGH_ACCOUNT,
		name,
		exceptions: ANY_ANSWER,
		prepare: account('service', 'checkHealth'),
	})),
];

/** Whether a request is for the endpoint with a name such as `GET /v2/edits/{id}`. `path` includes the query. */
function matcherOf(name: string): Endpoint['matches'] {
	const [wanted, template] = name.split(' ');
	const pattern = new RegExp(`^${template.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`);
	return (method, path) => method === wanted && pattern.test(path);
}

/**
 * Every endpoint of api.md#endpoints that a node calls, and the links. Each row adds one case per fault. The
 * output field of a new node also goes into OWN_FIELDS of ran.ts.
 */
export const ENDPOINTS: readonly Endpoint[] = ROWS.map((row) => ({
	...row,
	matches: matcherOf(row.name),
}));
