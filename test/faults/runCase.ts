import { ECHOED_SIGNATURE } from '../../testkit/service/fake/networkFaults';
import { systemTime } from '../../testkit/time/leapingTime';
import type { LogLine } from '../../testkit/n8n/n8nEngine';
import { foreignFields } from '../../testkit/n8n/namedFields';
import { missingIn, unplainIn } from './advice';
import type { Endpoint, Prepared } from './endpoints';
import { type End, type Ends, type Fault, NOT_APPLICABLE } from './faults';
import { FaultProxy } from './faultProxy';
import { type ItemEnd, type Ran, shownWhole } from './ran';
import { NAMES, type Stage } from './stage';

/** One endpoint, one fault, and how often it strikes. */
export interface Case {
	readonly endpoint: Endpoint;
	readonly fault: Fault;
	readonly isOnce: boolean;
	readonly expected: End;
}

/** How a case ended. */
export interface Verdict extends Case {
	/** What went wrong. */
	readonly findings: readonly string[];
	/** The edits that the service created through this case's proxy. */
	readonly createdIds: readonly string[];
}

/** In the nodes' time. A longer run hangs: the longest has a few time limits of 6 h and its back-offs. */
const MAX_RUN_MS = 48 * 3_600_000;

/** Returns every case of an endpoint and a fault; none if the fault does not apply there. */
export function casesOf(endpoint: Endpoint, fault: Fault): Case[] {
	if (endpoint.faults?.includes(fault.name) === false) return [];
	const ends: Ends = endpoint.exceptions?.[fault.name] ?? fault.ends[endpoint.kind];
	if (ends === NOT_APPLICABLE) return [];
	const [once, always] = typeof ends === 'string' ? [ends, ends] : ends;
	return [
		{ endpoint, fault, isOnce: true, expected: once },
		{ endpoint, fault, isOnce: false, expected: always },
	];
}

/** The one limit on the real clock, for all cases of a file: a busy machine needs many minutes for them. */
export const patience = AbortSignal.timeout(30 * 60_000);

const isOver = new Promise<undefined>((resolve) =>
	patience.addEventListener('abort', () => resolve(undefined)),
);

/** Runs a case through its own proxy. All cases of a file share the log. */
export async function runCase(stage: Stage, one: Case, log: LogLine[]): Promise<Verdict> {
	const { endpoint, fault, isOnce } = one;
	const prepared = await endpoint.prepare(stage);
	const { port, answersBefore, tries } = endpoint;
	const refusal = { port, answersBefore, refusals: tries };
	const proxy = await FaultProxy.start(stage.service.url, {
		isEndpoint: endpoint.matches,
		token: prepared.token,
		isOnce,
		fault: fault.injection === 'refuse' ? refusal : fault.injection,
	});
	const linesBefore = log.length;
	try {
		const access = { url: proxy.url, apiKey: stage.service.apiKey };
		const run = prepared.run({ ...access, onLog: (line) => log.push(line) });
		const ran = await withinLimit(run);
		const createdIds = proxy.created.map(({ id }) => id);
		if (!ran) return { ...one, findings: ['it hangs'], createdIds };
		const text = ran.text + shownWhole(log.slice(linesBefore));
		const findings = [
			...findingsOfEnd(one, prepared, ran),
			...findingsOfWords(one, ran),
			...findingsOfEdits(one, prepared, ran, proxy),
			...findingsOfSecrets(stage, proxy, text),
			...(await findingsOfConnections(proxy)),
			...(await findingsOfDeletion(stage, prepared, ran)),
		];
		return { ...one, findings, createdIds };
	} finally {
		proxy.stop();
	}
}

/**
 * Returns the run's result, or undefined if it hangs. The clock leaps to the limit of a run that waits
 * for nothing else.
 */
async function withinLimit(run: Promise<Ran>): Promise<Ran | undefined> {
	const over = new AbortController();
	const limit = systemTime.sleep(MAX_RUN_MS, over.signal).then(() => undefined);
	const ran = await Promise.race([run, limit, isOver]);
	over.abort();
	return ran;
}

function targetOf({ targetIndex }: Prepared, { ends }: Ran): ItemEnd {
	return ends[targetIndex];
}

/** Upload and Create Edit send nothing more with a refused key. */
const SPARED = /This item was not sent: item 1 failed for a cause that affects every item/;

/** Checks that the item ended as the table says with advice, and that its neighbors succeeded. */
function findingsOfEnd({ expected, endpoint }: Case, prepared: Prepared, ran: Ran): string[] {
	const target = targetOf(prepared, ran);
	const { error } = target;
	const neighbors = ran.ends.filter((_end, index) => index !== prepared.targetIndex);
	const findings = neighbors.flatMap(({ error: other }) =>
		other === undefined || (expected === '401' && SPARED.test(other.description))
			? []
			: [`a neighbor failed: ${other.message} ${other.description}`],
	);
	if (error === undefined) {
		if (expected !== 'succeeds') findings.push(`succeeded, not '${expected}'`);
		// All recordings are alike, so their results have the same size.
		const isWhole = ran.ends.every(({ bytes }) => bytes === target.bytes);
		return isWhole ? findings : [...findings, `${target.bytes} bytes, unlike its neighbors`];
	}
	if (expected === 'succeeds') {
		return [...findings, `failed: ${error.message} | ${error.description}`];
	}
	// A model sees only the message, which then contains the description.
	const isHeadline = error.message !== error.description;
	const unplain = isHeadline ? unplainIn(error.message, expected, prepared.token) : [];
	return [...findings, ...unplain, ...missingIn(error, expected, endpoint.kind)];
}

/** Checks that each error speaks of fields that the node's own form has. */
function findingsOfWords({ endpoint }: Case, { ends }: Ran): string[] {
	return ends
		.flatMap(({ error }) => (error ? [`${error.message} ${error.description}`] : []))
		.flatMap((text) => foreignFields(endpoint.through, text))
		.map((label) => `an error names the field '${label}', which the form lacks`);
}

/** Checks that nothing is charged twice and no edit's id is lost. */
function findingsOfEdits(
	{ fault }: Case,
	prepared: Prepared,
	ran: Ran,
	{ created }: FaultProxy,
): string[] {
	const findings = NAMES.flatMap((name) => {
		const count = created.filter(({ requestBody }) => requestBody.includes(name)).length;
		return count > 1 ? [`'${name}' was accepted ${count} times`] : [];
	});
	const target = targetOf(prepared, ran);
	const own = created.find(({ requestBody }) => requestBody.includes(prepared.token));
	// An id that never arrived cannot be named; findingsOfEnd requires the warning instead.
	const isTold = target.error === undefined || fault.leavesIdReadable;
	const editId = prepared.editId ?? (isTold ? own?.id : undefined);
	const { error, json } = target;
	// On the regular output, n8n keeps only the message, which contains the description there.
	const told = error ? `${error.message} ${error.description}` : JSON.stringify(json);
	if (editId !== undefined && !told.includes(editId)) findings.push(`no edit id in: ${told}`);
	return findings;
}

/** Checks that the key went only to the service and that no secret shows anywhere. */
function findingsOfSecrets({ service }: Stage, proxy: FaultProxy, text: string) {
	const findings: string[] = [];
	const misdirected = proxy.seen.filter(({ port, key }) => port === 'links' && key !== undefined);
	if (misdirected.length > 0) findings.push('the key went to a signed link');
	const secrets = [service.apiKey, ECHOED_SIGNATURE, ...proxy.signatures];
	for (const secret of secrets) {
		const at = text.indexOf(secret);
		if (at >= 0) findings.push(`a secret is shown: ${text.slice(Math.max(0, at - 120), at + 80)}`);
	}
	return findings;
}

/** Checks that the fault happened and that no connection is still open. */
async function findingsOfConnections(proxy: FaultProxy): Promise<string[]> {
	const findings = proxy.injections > 0 ? [] : ['the fault did not happen'];
	await Promise.race([proxy.closed(), isOver]);
	const left = proxy.openConnections;
	return left > 0 ? [...findings, `${left} connections were left open`] : findings;
}

/** Checks that an edit reported as deleted is gone from the service. */
async function findingsOfDeletion(stage: Stage, prepared: Prepared, ran: Ran) {
	const target = targetOf(prepared, ran);
	if (target.json?.deleted !== true || prepared.editId === undefined) return [];
	const status = await stage.statusOf(prepared.editId);
	return status === 'PENDING' ? [] : [`the node says it is deleted, but its status is ${status}`];
}
