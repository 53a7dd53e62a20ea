import { itemsOf, readFile, storeFile } from '../../../testkit/n8n/n8nEngine';
import { chain, runChain } from '../../../testkit/n8n/workflows';
import { decoded, encodedSound, probed } from '../../../testkit/media/mediaFiles';
import { useLeapingService } from '../../../testkit/service/leapingService';

const service = useLeapingService();

/** A tone whose pitch says the time: 400 Hz at the start, 1 Hz more with each tenth of a second. */
const SWEEP = 'aevalsrc=0.3*sin(2*PI*(400*t+5*t*t)):s=16000';

it.each([
	['wav', 'audio/wav', ['-c:a', 'pcm_s24le']],
	['mp3', 'audio/mpeg', ['-q:a', '6']],
])('a preview of a file .%s is edited by the local service, and comes back', async (...given) => {
	const [extension, type, args] = given;
	const file = encodedSound(120, args, extension, SWEEP);
	const data = await storeFile(file, `talk.${extension}`, type);
	const parameters = {
		preset: 'podcastEpisode',
		files: { previewMinutes: 0.5 },
		subtitles: ['subtitlesSrt'],
		sound: { remove_noise: 'false', normalize: false },
	};
	const items = [{ json: {}, binary: { data } }];
	const run = await runChain(service, chain({ type: 'audioEditing', parameters }), items);
	expect(run.data.resultData.error).toBeUndefined();
	const [{ json, binary = {} }] = itemsOf(run, 'audioEditing');
	expect(json).toMatchObject({
		sourceFileName: `talk.${extension}`,
		editedFileName: `talk-preview-edited.${extension}`,
		edit: { status: 'SUCCESS' },
	});
	expect(Object.keys(binary)).toEqual(['data']);
	const edited = await readFile(binary.data);
	expect(Math.abs(Number(probed(edited, `a.${extension}`).format.duration) - 30)).toBeLessThan(0.3);
	// 45 s into the recording is 5 s into the preview, which is from 40 s on.
	expect(Math.abs(pitchAt(edited, `a.${extension}`, 5) - 850)).toBeLessThan(5);
});

/** How often the sound swings in the second around a time, in Hz. */
function pitchAt(file: Buffer, name: string, seconds: number): number {
	const bytes = decoded(file, name);
	const samples = bytes.length / 4;
	const rate = samples / Number(probed(file, name).format.duration);
	const from = Math.round((seconds - 0.5) * rate);
	let swings = 0;
	for (let at = from; at < from + rate; at++) {
		if (bytes.readFloatLE(at * 4) < 0 && bytes.readFloatLE(at * 4 + 4) >= 0) swings += 1;
	}
	return swings;
}
