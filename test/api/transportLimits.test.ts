/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests are not a community node: they answer over HTTP */
import type { ServerResponse } from 'http';

import { systemTime } from '../support/leapingTime';
import { useRawService } from '../support/rawService';
import { whileHeldBack } from '../support/requestsUnderWay';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const service = useRawService();

const TIMEOUT = { failure: { kind: 'timeout', wasSent: true } };

/** Often enough that the connection never goes idle for the limit of a call. */
const TRICKLE_EVERY_MS = 20_000;

/** Lets time pass while the client waits for this response. */
async function holdBack({ socket }: ServerResponse, ms: number): Promise<void> {
	await whileHeldBack(socket?.remotePort, async () => await systemTime.sleep(ms));
}

const HOUR_MS = 3_600_000;
const holdLong = async (response: ServerResponse) => await holdBack(response, 24 * HOUR_MS);

async function trickle(response: ServerResponse): Promise<void> {
	while (!response.destroyed) {
		response.write(' ');
		await holdBack(response, TRICKLE_EVERY_MS);
	}
}

describe('the time limit on the clock', () => {
	it('ends an unanswered call and closes its connection', async () => {
		service.answer = (_request, response) => void holdLong(response);
		await service.withTransport(async (transport) => {
			expect(await transport.call({ method: 'GET', path: '/v2/x' })).toMatchObject(TIMEOUT);
			await service.closed();
		});
	});

	it('ends a call whose response trickles endlessly', async () => {
		service.answer = (_request, response) => void trickle(response);
		await service.withTransport(async (transport) => {
			expect(await transport.call({ method: 'GET', path: '/v2/x' })).toMatchObject(TIMEOUT);
			await service.closed();
		});
	});

	it('ends an upload and the opening of a download', async () => {
		service.answer = (_request, response) => void holdLong(response);
		await service.withTransport(async (transport) => {
			const file = { content: Buffer.from('RIFF'), sizeBytes: 4, contentType: 'audio/wav' };
			expect(await transport.put(`${service.url}/up`, file)).toMatchObject(TIMEOUT);
			expect(await transport.open(`${service.url}/down`)).toMatchObject(TIMEOUT);
		});
	});

	it('does not end a download that was opened in time', async () => {
		service.answer = (_request, response) => {
			response.write('first');
			void holdBack(response, HOUR_MS).then(() => response.end(' and last'));
		};
		await service.withTransport(async (transport) => {
			const opened = await transport.open(`${service.url}/down`);
			if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
			let text = '';
			for await (const chunk of opened.value.content) text += String(chunk);
			expect(text).toBe('first and last');
		});
	});
});
