import type { IBinaryData, IDataObject, INodeParameters } from 'n8n-workflow';

import { fullResult } from '../../../testkit/service/fullResult';
import { encodedSound, ffmpeg } from '../../../testkit/media/mediaFiles';
import { readFile } from '../../../testkit/n8n/n8nEngine';
import { useScriptedEdits } from '../../../testkit/service/scriptedEdits';
import type { Reply } from '../../../testkit/service/fake/scriptedService';
import { runOne } from '../../../testkit/service/useService';

/** What the tests of tagged files share: a recording and a cover, and the service that sends them. */
type Handler = (number: number) => Reply;

export const TAGS = { title: 'Bread', author: 'Anna', show: 'Slow Kitchen', episodeNumber: 12 };

export let sound: Buffer;

export let cover: Buffer;

export const edits = useScriptedEdits();

export const { service } = edits;

export const seen = () => service.seen.map(({ path }) => path.split('?')[0]);

beforeAll(() => {
	sound = encodedSound(60, ['-b:a', '128k', '-metadata', 'genre=Podcast'], 'mp3');
	const picture = ['-frames:v', '1', '-f', 'image2pipe', '-c:v', 'png', '-'];
	cover = ffmpeg(['-f', 'lavfi', '-i', 'color=red:s=64x64', ...picture]);
});

beforeEach(() => {
	edits.script = {
		'/v2/edits/a': serveEdit(),
		'/download/full': serve(sound),
		'/cover.png': serve(cover),
	};
});

/** Sends a body in parts of 50 KB, so that n8n reads it in several chunks. */
export function serve(body: Buffer, type = 'audio/mpeg', status = 200): Handler {
	return () => (response) => {
		response.writeHead(status, { 'Content-Type': type, 'Content-Length': body.length });
		for (let start = 0; start < body.length; start += 50_000) {
			response.write(body.subarray(start, start + 50_000));
		}
		response.end();
	};
}

/** Sends some of a body, then cuts the connection. */
export function serveCut(body: Buffer, bytes: number): Handler {
	return () => (response) => {
		response.writeHead(200, { 'Content-Type': 'audio/mpeg', 'Content-Length': body.length });
		response.write(body.subarray(0, bytes), () => response.destroy());
	};
}

export function serveEdit(more: object = {}): Handler {
	const result = { ...fullResult(service.url), ...more };
	return () => ({ body: { task_id: 'a', status: 'SUCCESS', result } });
}

/** A transcript of one sentence that lasts from 5 s to 45 s. */
export function longSentence(): object {
	const text = Array.from({ length: 40 }, (_word, index) => `word${index}`).join(' ');
	const words = text.split(' ').map((word, index) => ({
		id: index,
		start: 5 + index,
		end: 5.9 + index,
		text: index === 39 ? `${word}.` : word,
	}));
	const paragraphs = [{ id: 0, start: 5, end: 45, text: `${text}.` }];
	return { transcription: { paragraphs, transcription: { words, paragraphs: [] } } };
}

export async function run(
	parameters: INodeParameters,
	binary: Record<string, IBinaryData> = {},
	json: IDataObject = {},
) {
	const items = [{ json: { editId: 'a', ...json }, binary }];
	const ended = await runOne(service, 'getResult', parameters, items);
	const [item] = ended.out;
	const file = item?.binary?.data && (await readFile(item.binary.data));
	return { ...ended, item, file: file! };
}
