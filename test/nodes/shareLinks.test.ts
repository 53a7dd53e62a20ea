import { FILE, useScriptedSubmissions } from '../support/scriptedSubmissions';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

const submissions = useScriptedSubmissions();

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
