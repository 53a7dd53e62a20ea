import type { INodeExecutionData } from 'n8n-workflow';

import { runAgentRepeats } from './agentRepeats';
import { type EndpointKind, type Ends, NOT_APPLICABLE } from './faults';
import type { Port } from './faultProxy';
import { type Ran, type RunAccess, runNode } from './ran';
import {
	CONFIGURATION,
	runClient,
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
	prepare(stage: Stage): Promise<Prepared>;
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

const isCall = (wanted: string, pattern: RegExp) => (method: string, path: string) =>
	method === wanted && pattern.test(path);

const isGetEdit = isCall('GET', /^\/v2\/edits\/[^/]+$/);

const upload = async ({ recordings }: Stage): Promise<Prepared> => ({
	token: TARGET_NAME,
	targetIndex: 1,
	run: async (access) => {
		const items = recordings.map((data) => ({ json: {}, binary: { data } }));
		return await runNode(access, 'upload', items);
	},
});

const create =
	(jobType: 'edit' | 'noise') =>
	async ({ service }: Stage): Promise<Prepared> => ({
		token: TARGET_NAME,
		targetIndex: 1,
		run: async (access) => {
			const items = NAMES.map((name) => ({ json: { fileUrl: fileUrlFor(service, name) } }));
			return await runNode(access, 'createEdit', items, { options: { jobType }, preset: 'none' });
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

/** The neighbours were submitted long ago and are polled at once, the target later. */
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
export const everyFile = async ({ finishedEdits }: Stage): Promise<Prepared> =>
	withEdits('getResult')({ download: ['edited', 'markers'], simplify: false })(finishedEdits);

const account = (resource: string, operation: string) => async () => ({
	token: '',
	targetIndex: 0,
	run: async (access: RunAccess) => {
		const parameters = { resource, operation, configurationId: CONFIGURATION, simplify: false };
		return await runNode(access, 'account', [{ json: {} }], parameters);
	},
});

const THROUGH_ACCOUNT = { ...ALONE, through: 'Account', kind: 'asks' } as const;

/** An invalid list is read as empty. */
const READ_AS_EMPTY = { 'wrong types': 'succeeds' } as const;

/** What the response contains is not known (api.md#create-an-edit), so any complete one will do. */
const ANY_ANSWER = { 'wrong types': 'succeeds' } as const;

/** The try whose response was lost has deleted the edit. */
const DELETED_BY_LOST_TRY = { 'reset, then 404': 'succeeds' } as const;

/**
 * Every endpoint of api.md#endpoints, and the download link. Each row adds one case per fault. The output field
 * of a new node also goes into OWN_FIELDS of ran.ts.
 */
export const ENDPOINTS: readonly Endpoint[] = [
	{
		...ITEMS,
		name: 'POST /v2/upload',
		through: 'Upload',
		kind: 'asks',
		matches: isCall('POST', /^\/v2\/upload\?/),
		prepare: upload,
	},
	{
		...ITEMS,
		name: 'PUT signed URL',
		through: 'Upload',
		kind: 'puts',
		port: 'links',
		tries: 3,
		matches: isCall('PUT', /^\/uploads\//),
		prepare: upload,
	},
	{
		...ITEMS,
		name: 'POST /v2/edits',
		through: 'Create Edit',
		kind: 'submits',
		matches: isCall('POST', /^\/v2\/edits$/),
		prepare: create('edit'),
	},
	{
		...ALONE,
		name: 'POST /v2/edits',
		through: "an agent's repeats",
		kind: 'submits',
		matches: isCall('POST', /^\/v2\/edits$/),
		prepare: async ({ service }) => ({
			token: TARGET_NAME,
			targetIndex: 0,
			run: async (access) => await runAgentRepeats(access, fileUrlFor(service, TARGET_NAME)),
		}),
	},
	{
		...ITEMS,
		name: 'POST /v2/noise',
		through: 'Create Edit',
		kind: 'submits',
		matches: isCall('POST', /^\/v2\/noise$/),
		prepare: create('noise'),
	},
	{
		...ITEMS,
		name: 'GET /v2/edits/{id}',
		through: 'Wait For Edit',
		kind: 'polls',
		answersBefore: 2,
		tries: Infinity,
		matches: isGetEdit,
		prepare: async ({ finishedEdits }) => wait(finishedEdits),
	},
	{
		...ITEMS,
		name: 'GET /v2/edits/{id}',
		through: 'Get Result',
		kind: 'asks',
		matches: isGetEdit,
		prepare: async ({ finishedEdits }) => getResult(finishedEdits),
	},
	{
		...ITEMS,
		name: 'GET download link',
		through: 'Get Result',
		kind: 'downloads',
		port: 'links',
		matches: isCall('GET', /^\/downloads\//),
		prepare: async ({ finishedEdits }) => getResult(finishedEdits),
	},
	{
		...ITEMS,
		name: 'DELETE /v2/edits/{id}',
		through: 'Delete',
		kind: 'asks',
		matches: isCall('DELETE', /^\/v2\/edits\//),
		exceptions: { ...ANY_ANSWER, ...DELETED_BY_LOST_TRY },
		prepare: async (stage) => deleteEdit(await stage.newEdits()),
	},
	{
		...ALONE,
		name: 'GET /v2/configurations',
		through: 'template list',
		kind: 'asks',
		matches: isCall('GET', /^\/v2\/configurations$/),
		exceptions: READ_AS_EMPTY,
		prepare: async () => ({ token: '', targetIndex: 0, run: runTemplateSearch }),
	},
	{
		...ALONE,
		name: 'GET /v1/account',
		through: 'credential test',
		kind: 'checks',
		matches: isCall('GET', /^\/v1\/account$/),
		prepare: async () => ({ token: '', targetIndex: 0, run: runCredentialTest }),
	},
	{
		...THROUGH_ACCOUNT,
		name: 'GET /v1/account',
		matches: isCall('GET', /^\/v1\/account$/),
		prepare: account('account', 'getCredit'),
	},
	{
		...THROUGH_ACCOUNT,
		name: 'GET /v2/configuration/{id}',
		matches: isCall('GET', /^\/v2\/configuration\//),
		prepare: account('configuration', 'get'),
	},
	{
		...ALONE,
		name: 'GET /v2/completed_tasks/{id}',
		through: 'Edit Finished Trigger',
		kind: 'asks',
		matches: isCall('GET', /^\/v2\/completed_tasks\//),
		prepare: async () => ({ token: '', targetIndex: 0, run: runPoll }),
	},
	{
		...ALONE,
		name: 'GET /',
		through: 'client',
		kind: 'asks',
		matches: isCall('GET', /^\/$/),
		exceptions: {
			'wrong types': NOT_APPLICABLE,
			'truncated JSON': NOT_APPLICABLE,
			'headers echoed': NOT_APPLICABLE,
		},
		// No node reads the page.
		prepare: async () => ({
			token: '',
			targetIndex: 0,
			run: async (access) => await runClient(access, async (api) => await api.getHomePage()),
		}),
	},
	{
		...THROUGH_ACCOUNT,
		name: 'GET /ping',
		matches: isCall('GET', /^\/ping$/),
		exceptions: ANY_ANSWER,
		prepare: account('service', 'checkHealth'),
	},
	{
		...THROUGH_ACCOUNT,
		name: 'GET /health',
		matches: isCall('GET', /^\/health$/),
		exceptions: ANY_ANSWER,
		prepare: account('service', 'checkHealth'),
	},
];
