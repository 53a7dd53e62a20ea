import { sleep } from 'n8n-workflow';

import type { LogLine } from '../support/n8nEngine';
import { missingIn } from './advice';
import type { Endpoint, Prepared } from './endpoints';
import { type End, type Ends, type Fault, NOT_APPLICABLE } from './faults';
import { FaultProxy } from './faultProxy';
import { ECHOED_SIGNATURE } from './injections';
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
	readonly hasSucceeded: boolean;
	/** What is not as it should be. */
	readonly findings: readonly string[];
	/** Edits the service created behind this case's proxy. */
	readonly createdIds: readonly string[];
}

/** A run that takes longer hangs: the longest has four time limits of 3 s and its back-offs. */
const LONGEST_RUN_MS = 90_000;

/** Connections may take so long to be gone after the end of a run. */
const CLOSING_MS = 3_000;

/** Every case of an endpoint and a fault; none where the fault has no meaning there. */
export function casesOf(endpoint: Endpoint, fault: Fault): Case[] {
	const ends: Ends = endpoint.exceptions?.[fault.name] ?? fault.ends[endpoint.kind];
	if (ends === NOT_APPLICABLE) return [];
	const [once, always] = typeof ends === 'string' ? [ends, ends] : ends;
	return [
		{ endpoint, fault, isOnce: true, expected: once },
		{ endpoint, fault, isOnce: false, expected: always },
	];
}

/** Runs a case through its own proxy. */
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
		if (!ran) return { ...one, hasSucceeded: false, findings: ['it hangs'], createdIds };
		const text = ran.text + shownWhole(log.slice(linesBefore));
		const findings = [
			...findingsOfEnd(one, prepared, ran),
			...findingsOfEdits(one, prepared, ran, proxy),
			...findingsOfSecrets(stage, proxy, text),
			...(await findingsOfConnections(proxy)),
			...(await findingsOfDeletion(stage, prepared, ran)),
		];
		return { ...one, hasSucceeded: hasSucceeded(targetOf(prepared, ran)), findings, createdIds };
	} finally {
		proxy.stop();
	}
}

/** The run's result; undefined when it takes too long, as nothing can end it then. */
async function withinLimit(run: Promise<Ran>): Promise<Ran | undefined> {
	const over = new AbortController();
	const limit = sleep(LONGEST_RUN_MS, over.signal).catch(() => {});
	const ran = await Promise.race([run, limit]);
	over.abort();
	return ran ?? undefined;
}

function targetOf({ targetIndex }: Prepared, { ends }: Ran): ItemEnd {
	return ends[targetIndex];
}

function hasSucceeded({ error }: ItemEnd): boolean {
	return error === undefined;
}

/** Upload and Create Edit send nothing more with a key that was refused. */
const SPARED = /This item was not sent: item 1 failed for the same cause/;

/** The item ended as the table says, its error says what to do, and its neighbours succeeded. */
function findingsOfEnd({ expected, endpoint }: Case, prepared: Prepared, ran: Ran): string[] {
	const target = targetOf(prepared, ran);
	const { error } = target;
	const neighbours = ran.ends.filter((_end, index) => index !== prepared.targetIndex);
	const findings = neighbours.flatMap(({ error: other }) =>
		other === undefined || (expected === '401' && SPARED.test(other.description))
			? []
			: [`a neighbour failed: ${other.message} ${other.description}`],
	);
	if (error === undefined) {
		if (expected !== 'succeeds') findings.push(`succeeded, not '${expected}'`);
		// All recordings are alike, so their results are of one size.
		const isWhole = ran.ends.every(({ bytes }) => bytes === target.bytes);
		return isWhole ? findings : [...findings, `${target.bytes} bytes, unlike its neighbours`];
	}
	if (expected === 'succeeds') {
		return [...findings, `failed: ${error.message} | ${error.description}`];
	}
	return [...findings, ...missingIn(error, expected, endpoint.kind)];
}

/** Nothing is paid for twice, and no edit's id is lost. */
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
	// An id that never came through cannot be named; findingsOfEnd wants the caution instead.
	const isTold = hasSucceeded(target) || fault.leavesIdReadable === true;
	const editId = prepared.editId ?? (isTold ? own?.id : undefined);
	// Of an item that failed n8n may keep no more than the message.
	const told = target.error?.message ?? JSON.stringify(target.json);
	if (editId !== undefined && !told.includes(editId)) findings.push(`no edit id in: ${told}`);
	return findings;
}

/** The key went to the service only, and no secret stands anywhere. */
function findingsOfSecrets({ service, otherOrigin }: Stage, proxy: FaultProxy, text: string) {
	const findings: string[] = [];
	if (otherOrigin.received.length > 0) {
		const withKey = otherOrigin.received.some((request) =>
			shownWhole(request).includes(service.apiKey),
		);
		findings.push(`the other origin was asked ${withKey ? 'with' : 'without'} the key`);
	}
	const strays = proxy.seen.filter(({ port, key }) => port === 'links' && key !== undefined);
	if (strays.length > 0) findings.push('the key went to a signed link');
	const secrets = [service.apiKey, ECHOED_SIGNATURE, ...proxy.signatures];
	for (const secret of secrets) {
		const at = text.indexOf(secret);
		if (at >= 0) findings.push(`a secret is shown: ${text.slice(Math.max(0, at - 120), at + 80)}`);
	}
	return findings;
}

/** The fault really happened, and no connection is left over. */
async function findingsOfConnections(proxy: FaultProxy): Promise<string[]> {
	const findings = proxy.injections > 0 ? [] : ['the fault did not happen'];
	const left = await proxy.leftOpen(CLOSING_MS);
	return left > 0 ? [...findings, `${left} connections were left open`] : findings;
}

/** What was said to be deleted is gone at the service. */
async function findingsOfDeletion(stage: Stage, prepared: Prepared, ran: Ran) {
	const target = targetOf(prepared, ran);
	if (target.json?.deleted !== true || prepared.editId === undefined) return [];
	const status = await stage.statusOf(prepared.editId);
	return status === 'PENDING' ? [] : [`it is said to be deleted, but its status is ${status}`];
}
