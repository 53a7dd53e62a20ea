import { Client } from '../../api/client';
import type { Result } from '../../api/failure';
import { type Time, systemTime as realTime } from '../../api/time';
import { openTransport } from '../../api/transport';
import { systemTime } from '../../testkit/time/leapingTime';
import { useLeapingService } from '../../testkit/service/leapingService';
import { makeRecording } from '../../testkit/media/recording';
import { inNode } from '../../testkit/service/useTransport';

// The last test waits for the service's rate limit, whose clock does not leap.
const service = useLeapingService(['--clock-speed', '20', '--credit', '77']);

/** Runs `work` with a client that calls the local service through n8n's own HTTP helper. */
async function withClient(work: (client: Client) => Promise<void>, time: Time = systemTime) {
	const access = { url: `${service.url}/v2/`, apiKey: service.apiKey };
	await inNode(access, async (context) => {
		await work(new Client(value(await openTransport(context)), { time }));
	});
}

function value<T>(outcome: Result<T>): T {
	expect(outcome).toMatchObject({ ok: true });
	if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure));
	return outcome.value;
}

const wav = makeRecording({ partsSeconds: [1, 1, 1] });
const file = { content: wav, sizeBytes: wav.length, contentType: 'audio/wav' };

describe('each of the 13 endpoints', () => {
	it('takes an edit from upload to deletion', async () => {
		await withClient(async (client) => {
			const { signedUrl } = value(await client.requestUpload('Folge "1" & ü.wav'));
			value(await client.putFile(signedUrl, file));
			const files = [signedUrl.split('?')[0]];
			const { id } = value(await client.createEdit({ input: { files, config: {} } }));
			let edit = value(await client.getEdit(id));
			while (!['SUCCESS', 'FAILURE'].includes(edit.status)) {
				await systemTime.sleep(5_000);
				edit = value(await client.getEdit(id));
			}
			expect(edit).toMatchObject({ task_id: id, status: 'SUCCESS', result: { video: false } });
			const { headers } = value(await client.openDownload(edit.result!.download_url!));
			expect(Number(headers['content-length'])).toBeGreaterThan(1_000);
			value(await client.deleteEdit(id));
			expect(value(await client.getEdit(id)).status).toBe('PENDING');
		});
	});

	it('creates a noise-reduction edit', async () => {
		await withClient(async (client) => {
			const input = { files: ['http://127.0.0.1:9/none.wav'], config: {} };
			expect(value(await client.createNoiseEdit({ input })).id).toMatch(/.+/);
		});
	});

	it('reads the account, the configurations and their tasks', async () => {
		await withClient(async (client) => {
			expect(value(await client.getAccount()).credit.total).toBe(77);
			const [first, ...others] = value(await client.listConfigurations());
			expect(others.length).toBeGreaterThan(0);
			const detail = value(await client.getConfiguration(first.id));
			expect(detail).toMatchObject({ ...first, settings: expect.any(Object) });
			expect(value(await client.listCompletedTasks(first.id))).toEqual([]);
		});
	});

	it('reads the page and the health', async () => {
		await withClient(async (client) => {
			expect(value(await client.getHomePage())).toMatch(/<html/);
			expect(value(await client.ping())).toEqual(expect.any(Object));
			expect(value(await client.getHealth())).toEqual(expect.any(Object));
		});
	});
});

it('obeys Retry-After: 40 uploads with 30 allowed a minute', async () => {
	// The service shortens its minute and sends a true Retry-After, so the client needs the real clock.
	await withClient(async (client) => {
		for (let number = 0; number < 40; number++) value(await client.requestUpload(`${number}.wav`));
	}, realTime);
});
