import type { IRun } from 'n8n-workflow';

import { startEngine } from './n8nEngine';
import { type Script, type ScriptedService, startScriptedService } from './scriptedService';

/** The scripted service of a test file; it exists from the first test on. */
export interface UsedService extends ScriptedService {
	/** Answers each request; each test begins with the file's script. */
	answer: Script;
}

/** Starts n8n's engine and a scripted service for the tests of a file, and stops it after them. */
export function useService(script: Script = () => ({})): UsedService {
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
