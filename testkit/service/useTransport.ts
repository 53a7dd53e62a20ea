import type { IExecuteFunctions } from 'n8n-workflow';

import type { Result } from '../../api/failure';
import { type ServiceRequest, type Transport, openTransport } from '../../api/transport';
import { COMMON_DESCRIPTION } from '../../nodes/core/form/fields';
import { testNode } from '../n8n/engineNodeTypes';
import type { Reply } from './fake/scriptedService';
import { useService } from './useService';
import { type ServiceAccess, chain, runChain } from '../n8n/workflows';

/** A call that reads. */
const READ: ServiceRequest = { method: 'GET', path: '/v2/x' };

/** Does a test's work in a node with our credential. `stop` ends the execution. */
export async function inNode(
	access: ServiceAccess,
	work: (context: IExecuteFunctions, stop: () => void) => Promise<void>,
): Promise<void> {
	let stop = () => {};
	const begun: Array<Promise<void>> = [];
	const probe = testNode(async (context) => {
		begun.push(work(context, () => stop()));
		await begun[0];
		return [];
	}, COMMON_DESCRIPTION);
	const nodeTypes = { 'n8n-nodes-audio-editing.probe': probe };
	const onStart = (cancel: () => void) => {
		stop = cancel;
	};
	const run = await runChain(access, chain({ type: 'probe' }), undefined, { nodeTypes, onStart });
	if (begun.length === 0) throw run.data.resultData.error ?? new Error('The node did not run');
	// A stopped execution does not wait for its node.
	await begun[0];
}

/** Starts the service for the tests of a file; it answers with nothing unless a test says more. */
export function useTransport() {
	const service = useService(() => (response) => response.end());
	/** Runs `work` with a transport of a node's context; it calls this service if no other is given. */
	const withTransport = async (
		work: (transport: Transport, context: IExecuteFunctions, stop: () => void) => Promise<void>,
		url = service.url,
	) =>
		await inNode({ url, apiKey: service.apiKey }, async (context, stop) => {
			const opened = await openTransport(context);
			if (!opened.ok) throw new Error(opened.failure.said);
			await work(opened.value, context, stop);
		});
	/** Makes a call that the service answers like this, and returns its outcome. */
	const call = async (reply: Reply, request = READ) => {
		service.answer = () => reply;
		const outcomes: Array<Result<unknown>> = [];
		await withTransport(async (transport) => {
			outcomes.push(await transport.call(request));
		});
		return outcomes[0];
	};
	return Object.assign(service, { withTransport, call });
}
