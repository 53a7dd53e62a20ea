import type { INodeExecutionData, INodeParameters, IRun } from 'n8n-workflow';

import { type RunRequest, itemsOf, startEngine } from '../n8n/n8nEngine';
import { systemTime } from '../time/leapingTime';
import { FakeService } from './fake/fakeService';
import {
	type Answer,
	type Script,
	type ScriptedService,
	type SeenRequest,
	startScriptedService,
} from './fake/scriptedService';
import { type NodeSpec, type ServiceAccess, chain, runChain } from '../n8n/workflows';

/** The scripted service of a test file; it exists from the first test on. */
export interface UsedService extends ScriptedService {
	/** Answers each request; each test begins with the file's script. */
	answer: Script;
}

/** Lets every request succeed: uploads, edits, which their first status call finds finished, and their files. */
export function accept(request: SeenRequest, number: number): Answer {
	const fake = new FakeService(systemTime, { knowsAllIds: true, idOf: () => `edit-${number}` });
	fake.origin = `http://${request.headers.host}`;
	return fake.answer(request);
}

/** Starts n8n's engine and a scripted service for the tests of a file, and stops it after them. */
export function useService(script: Script = accept): UsedService {
	const service = {} as UsedService;
	beforeAll(async () => {
		await startEngine();
		service.answer = script;
		const started = await startScriptedService((request, number) =>
			service.answer(request, number),
		);
		Object.assign(service, started);
	});
	beforeEach(() => {
		service.seen.length = 0;
		service.answer = script;
	});
	afterAll(async () => {
		await service.stop();
	});
	return service;
}

/** Returns the hints that a node showed in its last run. */
export function hintsOf(run: IRun, nodeName: string): string[] {
	const { hints = [] } = run.data.resultData.runData[nodeName]?.at(-1) ?? {};
	return hints.map(({ message }) => message);
}

/** How a workflow of one node ended. */
export interface NodeEnd {
	readonly run: IRun;
	/** The items of its first output. */
	readonly out: INodeExecutionData[];
	readonly error: IRun['data']['resultData']['error'];
	/** The message and the description of the error. */
	readonly said: string;
	readonly hints: string[];
	/** The messages in n8n's log; a stopped node may still add some. */
	readonly log: readonly string[];
}

/** Runs one of our nodes, by its short name. */
export async function runOne(
	access: ServiceAccess,
	type: string,
	parameters?: INodeParameters,
	items?: INodeExecutionData[],
	{ settings, ...more }: Partial<RunRequest> & Pick<NodeSpec, 'settings'> = {},
): Promise<NodeEnd> {
	const log: string[] = [];
	const run = await runChain(access, chain({ type, parameters, settings }), items, {
		onLog: ({ message }) => log.push(message),
		...more,
	});
	const { error } = run.data.resultData;
	return {
		run,
		out: itemsOf(run, type),
		error,
		said: `${error?.message} ${error?.description}`,
		hints: hintsOf(run, type),
		log,
	};
}
