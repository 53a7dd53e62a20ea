/* eslint-disable @n8n/community-nodes/no-restricted-globals -- tests are not a community node: their service answers slowly */
import { useRawService } from '../support/rawService';

jest.mock('../../api/timeLimits', () => ({ CALL_TIMEOUT_MS: 500, uploadTimeoutMs: () => 500 }));

const service = useRawService();

const TIMEOUT = { failure: { kind: 'timeout', wasSent: true } };

describe('the time limit on the clock', () => {
	it('ends an unanswered call and closes its connection', async () => {
		service.answer = () => {};
		await service.withTransport(async (transport) => {
			expect(await transport.call({ method: 'GET', path: '/v2/x' })).toMatchObject(TIMEOUT);
			await service.closed();
		});
	});

	it('ends a call whose response trickles endlessly', async () => {
		service.answer = (_request, response) => {
			const trickle = setInterval(() => response.write(' '), 50);
			response.on('close', () => clearInterval(trickle));
		};
		await service.withTransport(async (transport) => {
			expect(await transport.call({ method: 'GET', path: '/v2/x' })).toMatchObject(TIMEOUT);
			await service.closed();
		});
	});

	it('ends an upload and the opening of a download', async () => {
		service.answer = () => {};
		await service.withTransport(async (transport) => {
			const file = { content: Buffer.from('RIFF'), sizeBytes: 4, contentType: 'audio/wav' };
			expect(await transport.put(`${service.url}/up`, file)).toMatchObject(TIMEOUT);
			expect(await transport.open(`${service.url}/down`)).toMatchObject(TIMEOUT);
		});
	});

	it('does not end a download that was opened in time', async () => {
		service.answer = (_request, response) => {
			response.write('first');
			setTimeout(() => response.end(' and last'), 800);
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
