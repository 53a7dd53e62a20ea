import type { INodeParameters } from 'n8n-workflow';

import { FILE, useScriptedSubmissions } from '../../../testkit/service/scriptedSubmissions';

const submissions = useScriptedSubmissions();

/** Creates an edit, and returns the configuration and the files that were sent. */
async function create(parameters: INodeParameters) {
	const created = await submissions.create(parameters);
	const { config, files } = { ...created.bodies[0]?.input };
	return { ...created, config, files };
}

const PAGES = [
	['https://drive.google.com/file/d/ab/view?resourcekey=private-key', 'Google Drive'],
	['https://drive.google.com/open?id=private-key', 'Google Drive'],
	['https://docs.google.com/document/d/ab/edit', 'Google Drive'],
	['https://1drv.ms/u/s!ab?e=private-key', 'OneDrive'],
	['https://company.sharepoint.com/:v:/g/ab?e=private-key', 'OneDrive'],
	['https://app.box.com/s/ab', 'Box'],
	['https://app.box.com/folder/12', 'Box'],
	['https://we.tl/t-ab', 'WeTransfer'],
	['https://company.wetransfer.com/downloads/ab/cd', 'WeTransfer'],
	['https://www.icloud.com/iclouddrive/ab', 'iCloud'],
	['https://www.youtube.com/watch?v=private-key', 'video or podcast site'],
	['https://youtube.com/watch?v=private-key', 'video or podcast site'],
	['https://m.soundcloud.com/a/b', 'video or podcast site'],
	['https://youtu.be/ab', 'video or podcast site'],
	['https://music.youtube.com/watch?v=ab', 'video or podcast site'],
	['https://vimeo.com/1', 'video or podcast site'],
	['https://open.spotify.com/episode/ab', 'video or podcast site'],
	['https://spotify.link/ab', 'video or podcast site'],
	['https://podcasts.apple.com/us/podcast/a/id1?i=2', 'video or podcast site'],
	['https://company.sharepoint.com/personal/a/_layouts/15/onedrive.aspx?id=b', 'OneDrive'],
	['https://app.box.com/file/1', 'Box'],
	['https://share.icloud.com/photos/ab', 'iCloud'],
	['https://player.vimeo.com/video/1', 'video or podcast site'],
	['https://photos.app.goo.gl/ab', 'Google Drive'],
	['https://a-my.sharepoint.com/personal/x/_layouts/15/onedrive.aspx?id=ab', 'OneDrive'],
	['https://www.dropbox.com/t/ab', 'Dropbox link leads to a folder'],
	['https://www.dropbox.com/scl/fo/ab?rlkey=private-key&dl=0', 'Dropbox link leads to a folder'],
	['https://www.dropbox.com/sh/ab/talks', 'Dropbox link leads to a folder'],
];

describe('a link to a page', () => {
	it.each([
		[
			'https://www.dropbox.com/scl/fi/ab/talk.wav?rlkey=private-key&dl=0',
			'https://www.dropbox.com/scl/fi/ab/talk.wav?rlkey=private-key&dl=1',
		],
		['https://dropbox.com/s/ab/talk.wav', 'https://dropbox.com/s/ab/talk.wav?dl=1'],
	])('of Dropbox becomes the direct one, and a hint says so: %s', async (fileUrls, direct) => {
		const { files, hints } = await create({ fileUrls });
		expect(files).toEqual([direct]);
		expect(hints).toEqual([expect.stringContaining('dl=1')]);
		expect(hints.join()).not.toContain('private-key');
	});

	it.each([
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
		'https://player.vimeo.com/progressive_redirect/playback/1/file?loc=external',
		'https://notdropbox.com/s/ab',
	])('is not what this is, which is sent as it is: %s', async (fileUrls) => {
		expect(await create({ fileUrls })).toMatchObject({ files: [fileUrls], hints: [] });
	});

	it.each(PAGES)(
		'is refused before any request, without its secrets: %s',
		async (fileUrls, place) => {
			const { error, said } = await create({ fileUrls });
			expect(error?.message).toContain(place);
			expect(error?.description).toMatch(/Nothing was sent\. (Enter a link|Share the file)/);
			expect(said).not.toContain('private-key');
			expect(submissions.service.seen).toEqual([]);
		},
	);
});

const PAGE = 'https://www.youtube.com/watch?v=ab';

describe('how to bring the file of a page into n8n', () => {
	it.each([
		['https://drive.google.com/open?id=a', "into n8n with n8n's Google Drive node and put"],
		['https://1drv.ms/u/s!ab', "into n8n with n8n's Microsoft OneDrive node and put"],
		['https://app.box.com/s/ab', "into n8n with n8n's Box node and put"],
		['https://we.tl/t-ab', 'into n8n and put Audio Editing Upload before this node.'],
	])('%s', async (fileUrls, way) => {
		expect((await create({ fileUrls })).error?.description).toContain(way);
	});
});

describe('a link to a page, sent anyway', () => {
	it("is sent with a hint if 'Send Page Links Anyway' is on", async () => {
		const parameters = { fileUrls: `${PAGE} ${FILE}`, sendPageLinks: true };
		const { files, hints } = await create(parameters);
		expect(files).toEqual([PAGE, FILE]);
		expect(hints).toEqual([expect.stringMatching(/web page.*sent anyway/)]);
	});

	it('is sent for each track of a recording', async () => {
		const items = [{ fileUrl: FILE }, { fileUrl: PAGE }];
		const parameters = { itemsAre: 'tracks', sendPageLinks: true };
		const { bodies } = await submissions.create(parameters, items);
		expect(bodies.map(({ input }) => input.files)).toEqual([[FILE, PAGE]]);
	});

	it('is refused if that option is off, and the error names it', async () => {
		const { error } = await create({ fileUrls: PAGE, sendPageLinks: false });
		expect(error?.message).toMatch(/contains a link to a web page/);
		expect(error?.description).toMatch(/'Send Page Links Anyway'/);
	});
});
