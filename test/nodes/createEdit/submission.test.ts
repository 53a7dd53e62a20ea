import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { pointTo, pointedTo } from '../../../nodes/CreateEdit/submission/submitEdit';
import type { NodeRun } from '../../../nodes/shared/run/nodeRun';
import { runOf } from '../../support/nodeContext';
import { FILE, useScriptedSubmissions } from '../../support/scriptedSubmissions';

jest.mock('../../../api/time', () => jest.requireActual('../../support/leapingTime'));

const submissions = useScriptedSubmissions();

describe('never twice', () => {
	const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const items = [
		{ fileUrl: 'https://f.example.com/a.wav' },
		{ fileUrl: 'https://f.example.com/b.wav' },
	];

	it('names what was charged even if the last try refuses to resend', async () => {
		let calls = 0;
		submissions.service.answer = () =>
			++calls === 2 ? { status: 500 } : { body: { id: `edit-${calls}` } };
		const { error } = await submissions.create({}, items, RETRY);
		expect(submissions.service.seen).toHaveLength(2);
		expect(error?.message).toMatch(/not sent again/);
		expect(error?.description).toContain('charged: edit-1.');
	});
});

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

const LOCATION = '/v2/edits/edit-77?signature=abcdefgh';

describe.each([302, 303])('a submission answered with %d', (status) => {
	beforeEach(() => {
		submissions.service.answer = () => ({ status, headers: { Location: LOCATION } });
	});

	it('may have been accepted, and the error shows its target', async () => {
		const { error } = await submissions.create();
		expect(error?.message).toMatch(/another address \(source file 'a\.wav'\) \[item 0\]/);
		expect(error?.description).toMatch(/redirects to 127\.0\.0\.1:\d+\/v2\/edits\/edit-77\. /);
		expect(error?.description).toMatch(/may have accepted the edit. It was not sent again/);
		expect(`${error?.message} ${error?.description}`).not.toContain('abcdefgh');
	});

	it('is not resent by Retry On Fail, and the error still names the id', async () => {
		const { error } = await submissions.create({}, undefined, RETRY);
		expect(submissions.service.seen).toHaveLength(1);
		expect(error?.message).toMatch(/was not sent again.* \(source file 'a\.wav'\) \[item 0\]$/);
		expect(error?.description).toMatch(/^The earlier try: .*\/v2\/edits\/edit-77\. A second edit/);
	});
});

it.each([301, 307, 308])(
	'%d redirects the same request elsewhere: nothing was created',
	async (status) => {
		submissions.service.answer = () => ({ status, headers: { Location: LOCATION } });
		const { error } = await submissions.create();
		expect(error?.description).toContain('No edit was created.');
	},
);

it('names an id in an unreadable response even after Retry On Fail', async () => {
	submissions.service.answer = () => ({ body: { reference: 'edit-78' } });
	const { error } = await submissions.create({}, undefined, RETRY);
	expect(submissions.service.seen).toHaveLength(1);
	expect(error?.message).toMatch(/was not sent again/);
	expect(error?.description).toMatch(/^The earlier try: .*edit-78/);
});

const KEY = 'audioEditingEdits';

/** Returns a run whose execution keeps these values. */
function runWith(kept: Record<string, string>): NodeRun {
	const customData = {
		get: (key: string) => kept[key],
		set: (key: string, value: string) => void (kept[key] = value),
	};
	const proxy = { $execution: { customData } };
	const getWorkflowDataProxy = (() => proxy) as object as IExecuteFunctions['getWorkflowDataProxy'];
	return runOf({ getWorkflowDataProxy });
}

describe("the pointer in the execution's custom data", () => {
	it('is a count and the IDs', () => {
		const kept: Record<string, string> = {};
		const run = runWith(kept);
		pointTo(run, 'a');
		expect(kept).toEqual({ [KEY]: '1 edit: a' });
		pointTo(run, 'b');
		pointTo(run, 'c');
		expect(kept).toEqual({ [KEY]: '3 edits: a, b, c' });
	});

	it("leaves a value of the workflow's author alone", () => {
		const kept = { [KEY]: 'mine' };
		pointTo(runWith(kept), 'a');
		expect(kept).toEqual({ [KEY]: 'mine' });
	});

	it('is short for any ID', () => {
		const kept: Record<string, string> = {};
		pointTo(runWith(kept), 'x'.repeat(1_000));
		pointTo(runWith(kept), 'b');
		expect(kept[KEY]).toMatch(/^2 edits: x+, …$/);
		expect(kept[KEY].length).toBeLessThanOrEqual(255);
		expect(pointedTo(kept)).toEqual({ count: 2, editIds: [expect.stringMatching(/^x+$/)] });
	});

	it('has the IDs that fit of many edits', () => {
		const kept: Record<string, string> = {};
		const editIds = Array.from({ length: 300 }, () => randomUUID());
		for (const editId of editIds) pointTo(runWith(kept), editId);
		expect(kept[KEY].length).toBeLessThanOrEqual(255);
		expect(pointedTo(kept)).toEqual({ count: 300, editIds: editIds.slice(0, 6) });
	});

	it('is omitted if the host has no custom data', () => {
		expect(() => pointTo(runOf({}), 'a')).not.toThrow();
	});
});

describe('in n8n', () => {
	const submissions = useScriptedSubmissions();

	it('stays with the execution', async () => {
		const items = ['a', 'b', 'c'].map((name) => ({
			fileUrl: `https://files.example.com/${name}.wav`,
		}));
		const { run } = await submissions.create({}, items);
		expect(run.data.resultData.metadata).toEqual({ [KEY]: '3 edits: edit-1, edit-2, edit-3' });
	});
});

async function submittedFiles(fileUrls: string) {
	const { bodies, error, run } = await submissions.create({ fileUrls });
	const hints = run.data.resultData.runData.createEdit?.[0].hints ?? [];
	return { files: bodies[0]?.input.files, error, hints: hints.map(({ message }) => message) };
}

describe('a Dropbox link to a page becomes the direct one, and a hint says so', () => {
	it.each([
		[
			'https://www.dropbox.com/scl/fi/ab/talk.wav?rlkey=private-key&dl=0',
			'https://www.dropbox.com/scl/fi/ab/talk.wav?rlkey=private-key&dl=1',
		],
		['https://dropbox.com/s/ab/talk.wav', 'https://dropbox.com/s/ab/talk.wav?dl=1'],
	])('%s', async (link, direct) => {
		const { files, hints } = await submittedFiles(link);
		expect(files).toEqual([direct]);
		expect(hints).toEqual([expect.stringContaining('dl=1')]);
		expect(hints.join()).not.toContain('private-key');
	});
});

it.each([
	FILE,
	'https://www.dropbox.com/s/ab/talk.wav?dl=1',
	'https://www.dropbox.com/s/ab/talk.wav?raw=1',
	'https://dl.dropboxusercontent.com/s/ab/talk.wav',
	'https://drive.google.com/uc?export=download&id=ab',
	'https://docs.google.com/uc?export=download&id=ab',
	'https://onedrive.live.com/download.aspx?resid=ab',
	'https://company.sharepoint.com/:u:/g/ab?download=1',
	'https://company.sharepoint.com/sites/a/talk.wav',
	'https://dl.boxcloud.com/d/1/ab',
	'https://download.wetransfer.com/eugv/ab/talk.wav?token=cd',
	'https://player.vimeo.com/external/1.hd?s=ab&profile_id=175',
	'https://player.vimeo.com/progressive_redirect/playback/1/rendition/1080p/file?loc=external',
	'https://notdropbox.com/s/ab',
])('%s is sent as it is', async (link) => {
	const { files, hints } = await submittedFiles(link);
	expect(files).toEqual([link]);
	expect(hints).toEqual([]);
});

describe('a link to a page is refused before any request, without its secrets', () => {
	it.each([
		['https://drive.google.com/file/d/ab/view?usp=sharing&resourcekey=private-key', 'Google Drive'],
		['https://drive.google.com/open?id=private-key', 'Google Drive'],
		['https://docs.google.com/document/d/ab/edit', 'Google Drive'],
		['https://1drv.ms/u/s!ab?e=private-key', 'OneDrive'],
		['https://company.sharepoint.com/:v:/g/ab?e=private-key', 'OneDrive'],
		['https://app.box.com/s/ab', 'Box'],
		['https://we.tl/t-ab', 'WeTransfer'],
		['https://company.wetransfer.com/downloads/ab/cd', 'WeTransfer'],
		['https://www.icloud.com/iclouddrive/ab', 'iCloud'],
		['https://www.youtube.com/watch?v=private-key', 'video or podcast site'],
		['https://youtube.com/watch?v=private-key', 'video or podcast site'],
		['https://m.soundcloud.com/a/b', 'video or podcast site'],
		['https://player.vimeo.com/video/1', 'video or podcast site'],
		['https://icloud.com/iclouddrive/ab', 'iCloud'],
		['https://photos.app.goo.gl/ab', 'Google Drive'],
		['https://a-my.sharepoint.com/personal/x/_layouts/15/onedrive.aspx?id=ab', 'OneDrive'],
		['https://www.dropbox.com/t/ab', 'Dropbox shows a folder'],
		['https://www.dropbox.com/scl/fo/ab?rlkey=private-key&dl=0', 'Dropbox shows a folder'],
		['https://www.dropbox.com/sh/ab/talks', 'Dropbox shows a folder'],
	])('%s', async (link, place) => {
		const { error } = await submittedFiles(link);
		expect(error?.message).toContain(place);
		expect(error?.description).toMatch(/Nothing was sent\. (Enter a link|Share the file)/);
		expect(`${error?.message} ${error?.description}`).not.toContain('private-key');
		expect(submissions.service.seen).toEqual([]);
	});
});
