import { itemsOf, readFile } from '../../../testkit/n8n/n8nEngine';
import { expectToFit } from '../../../testkit/n8n/outputSchemas';
import { fileItem } from '../../../testkit/service/recordingService';
import { status, useScriptedEdits } from '../../../testkit/service/scriptedEdits';
import { runOne } from '../../../testkit/service/useService';

const edits = useScriptedEdits();

it('Wait For Edit accepts the superseded shape', async () => {
	const result = { url: 'https://files.example.com/a.mp3', summary: { title: 'T' } };
	edits.script = { '/v2/edits/a': [{ body: { id: 'a', status: 'SUCCESS', result } }] };
	const { out } = await edits.run('waitForEdit', ['a']);
	const links = { edited: result.url };
	expect(out[0].json).toMatchObject({ editId: 'a', finished: true, links });
	const { out: raw } = await edits.run('waitForEdit', ['a'], { simplify: false });
	expect(raw[0].json).toMatchObject({ editId: 'a', id: 'a', result });
});

it('Wait For Edit outputs what was cut, and no long texts', async () => {
	const result = { statistics: { BREATH: 2 }, summarization: { title: 'T', summary: 'S' } };
	edits.script = { '/v2/edits/a': [status('a', 'SUCCESS', result)] };
	const { out } = await edits.run('waitForEdit', ['a']);
	expect(out[0].json).toMatchObject({ cuts: { breaths: 2 }, sourceFileName: 'a.wav' });
	for (const text of ['title', 'summary', 'transcript'])
		expect(out[0].json).not.toHaveProperty(text);
});

it('Wait For Edit passes on the input files if the form says so', async () => {
	edits.script = { '/v2/edits/a': [status('a', 'SUCCESS', {})] };
	const items = [await fileItem('a.wav', { editId: 'a' }, 'recording')];
	const { out } = await runOne(edits.service, 'waitForEdit', { keepInputFiles: true }, items);
	expect((await readFile(out[0].binary!.recording)).toString()).toBe('RIFF a.wav');
	const { out: without } = await runOne(edits.service, 'waitForEdit', {}, items);
	expect(without[0]).not.toHaveProperty('binary');
});

it('Wait For Edit reports an edit that is deleted while it is processed', async () => {
	edits.script = { '/v2/edits/a': [status('a', 'EDITING'), status('a', 'PENDING')] };
	const { error } = await edits.run('waitForEdit', ['a']);
	expect(error?.message).toBe(
		'a.wav: the edit may have been deleted or may have expired: it was EDITING, and has been PENDING again for 120 s (edit a) [item 0]',
	);
	expect(error?.description).toBe(
		'The service also reports PENDING for an unknown ID. Look for the edit on the service. If it is there, it may be back in the queue: wait for it again. If not, create a new edit, which is charged.',
	);
});

const SIGNED = 'https://bucket.example.com/a.wav?X-Amz-Signature=top-secret';
const failed = (result?: unknown) => ({ '/v2/edits/a': [status('a', 'FAILURE', result)] });

describe.each(['waitForEdit', 'getResult'])('the error of %s for a failed edit', (type) => {
	it('begins with the file and the reason that the service gives', async () => {
		edits.script = failed({ code: 'E2', message: 'no audio' });
		const { error } = await edits.run(type, ['a']);
		expect(error?.message).toBe('a.wav could not be edited: E2: no audio (edit a) [item 0]');
		expect(error?.description).toBe('Correct this, then create a new edit.');
	});

	it('has a long reason as a whole in the description', async () => {
		const reason = `no audio${' in the file'.repeat(20)}`;
		edits.script = failed({ message: reason });
		const { error } = await edits.run(type, ['a']);
		expect(error?.message).toMatch(
			/^a\.wav could not be edited: no audio .*… \(edit a\) \[item 0\]$/,
		);
		expect(error?.message.length).toBeLessThan(250);
		expect(error?.description).toContain(`The service says: ${reason}. Correct this`);
	});

	it('says that there is no reason where the service gives none', async () => {
		edits.script = failed();
		const { error } = await edits.run(type, ['a']);
		expect(error?.message).toBe(
			'a.wav could not be edited: the service gives no reason (edit a) [item 0]',
		);
		expect(error?.description).toMatch(/^Check .* its URL public, then create a new edit\.$/);
	});

	it('speaks of the file, not of a URL, where the file was uploaded', async () => {
		edits.script = failed();
		const json = { editId: 'a', fileUrl: SIGNED, fileName: 'a.wav', sizeBytes: 9 };
		const { error } = await runOne(edits.service, type, {}, [{ json }]);
		expect(error?.description).toBe(
			'Check that the file plays and that its format is supported, then upload it again and create a new edit.',
		);
	});

	it('shows neither the key nor a signature that the reason quotes', async () => {
		const said = `PUT ${SIGNED} with ${edits.service.apiKey} answered 403`;
		edits.script = failed({ detail: said });
		const { run, error } = await edits.run(type, ['a']);
		expect(error?.message).toContain(
			'PUT https://bucket.example.com/a.wav with (hidden) answered 403',
		);
		const shown = JSON.stringify(run.data.resultData);
		expect(shown).not.toContain('top-secret');
		expect(shown).not.toContain(edits.service.apiKey);
	});

	it('keeps the advice about a signed URL, without saying that there is no reason', async () => {
		edits.script = failed({ error: 'the storage refused the file' });
		const items = [{ json: { editId: 'a', config: { signed_url: SIGNED } } }];
		const { error } = await runOne(edits.service, type, {}, items);
		expect(error?.message).toContain(' could not be edited: the storage refused the file (edit a)');
		expect(error?.description).toMatch(
			/^The service was asked to deliver the file to https:\/\/bucket/,
		);
	});
});

describe.each(['waitForEdit', 'getResult'])('the error of %s', (type) => {
	it.each([
		[150, 'x'.repeat(150)],
		[151, `${'x'.repeat(150)}…`],
	])('has a reason of %d characters as a whole up to 150', async (length, shown) => {
		edits.script = failed({ message: 'x'.repeat(length) });
		const { error } = await edits.run(type, ['a']);
		expect(error?.message).toBe(`a.wav could not be edited: ${shown} (edit a) [item 0]`);
		expect(error?.description?.includes('The service says:')).toBe(length > 150);
	});
});

it('an item that failed carries the reason, in its error, field and history', async () => {
	edits.script = failed({ message: 'no audio' });
	const settings = { onError: 'continueErrorOutput' } as const;
	const { run } = await edits.run('waitForEdit', ['a'], {}, settings);
	const [item] = itemsOf(run, 'waitForEdit', 1);
	expect(item.json).toMatchObject({
		editId: 'a',
		status: 'FAILURE',
		failureReason: 'no audio',
		history: [{ status: 'FAILURE', reason: 'no audio' }],
	});
});

describe('progress', () => {
	const at = (done: number) => status('a', 'EDITING', { done, total: 40, step: 'cut' });
	const DONE = status('a', 'SUCCESS', { download_url: 'https://files.example.com/a' });

	it('is in the history of Wait For Edit', async () => {
		edits.script = { '/v2/edits/a': [at(3), at(38), DONE] };
		const { out } = await edits.run('waitForEdit', ['a']);
		expect(out[0].json.history).toEqual([
			{
				status: 'EDITING',
				atSeconds: expect.any(Number),
				progress: { done: 38, total: 40, text: '38 of 40, cut' },
			},
			{ status: 'SUCCESS', atSeconds: expect.any(Number) },
		]);
		expectToFit({ type: 'waitForEdit' }, out[0].json);
	});

	it('is no result for Get Result: it looks again', async () => {
		const late = status('a', 'SUCCESS', { done: 40, total: 40, state: 'finishing' });
		edits.script = { '/v2/edits/a': [late, late, DONE] };
		const { out } = await edits.run('getResult', ['a'], { download: [] });
		expect(out[0].json).toHaveProperty('links.edited', 'https://files.example.com/a');
	});
});
