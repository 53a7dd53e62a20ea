import { codedVideo, H264, readingOf } from '../../../testkit/service/video.mts';
import { finishedFile, type Client } from '../../../testkit/service/client.mts';
import { convertedTo } from '../../../testkit/service/media.mts';
import { changedCuts } from '../../../testkit/service/putBack.mts';
import { reviewed, type Review } from '../../../testkit/service/reviews.mts';
import { fileNamed, unzipped } from '../../../testkit/service/zip.mts';
import { makeRecording } from '../../../testkit/media/recording.ts';
import type { EditConfig } from '../../shared/contract.mts';
import type { Cut } from '../../shared/cuts.mts';
import type { CodedReading } from '../../../testkit/media/readCodedVideo.mts';

const CUTS = 50;
const FRAME_SECONDS = 1 / 25;

/** Compares an edited file with the uncut one. Returns how many cuts differ that were put back. */
type Compare = (
	...compared: [edited: Buffer, uncut: Buffer, cuts: readonly Cut[], rateHz: number]
) => Promise<number>;

const PARTS = Array.from({ length: 2 * CUTS + 1 }, (_, part) => (part % 2 ? 1.3 : 1) + part / 500);
const recording = makeRecording({ partsSeconds: PARTS });

const inWav: Compare = (edited, uncut, cuts) => Promise.resolve(changedCuts(edited, uncut, cuts));

const inZip: Compare = async (edited, uncut, cuts) => {
	const [now, before] = [await unzipped(edited), await unzipped(uncut)];
	const counts = [...now.keys()].map((name) =>
		changedCuts(fileNamed(now, name), fileNamed(before, name), cuts),
	);
	return Math.max(...counts);
};

/** The picture that is shown when a phrase begins. */
function pictureAt({ pictures }: CodedReading, seconds: number): number {
	return pictures.findLast((picture) => picture.seconds <= seconds + 1e-4)?.number ?? 0;
}

/** The phrase after each cut that was put back comes when it should, with the picture of that moment. */
const inVideo: Compare = async (edited, uncut, cuts, rateHz) => {
	const [now, before] = [await readingOf(edited), await readingOf(uncut)];
	if (now.onsetsSeconds.length !== before.onsetsSeconds.length) return cuts.length;
	return cuts.filter((cut) => {
		const phrase = before.onsetsSeconds.findIndex((onset) => onset * rateHz >= cut.start);
		if (!cut.keep || phrase < 0) return false;
		const removed = cuts
			.filter(({ keep, end }) => !keep && end <= cut.start)
			.reduce((sum, { start, end }) => sum + (end - start) / rateHz, 0);
		const [was, is] = [before.onsetsSeconds[phrase], now.onsetsSeconds[phrase]];
		const moved = Math.abs(was - removed - is);
		const pictures = Math.abs(pictureAt(now, is) - pictureAt(before, was));
		return moved > FRAME_SECONDS || pictures > 1;
	}).length;
};

/** Finishes an edit with some of its cuts put back, and returns its file. */
async function fileWith(client: Client, review: Review, isKept: (index: number) => boolean) {
	const state = await review.state();
	const cuts = state.cuts.map((cut, index) => ({ ...cut, keep: isKept(index) }));
	await review.decide({ revision: state.revision, cuts, approve: true });
	const { file } = await finishedFile(await client.ended(review.id));
	return { file, cuts, rateHz: state.sample_rate };
}

/** Puts each of 50 cuts back once, half of them in one edit and half in another, and counts what differs. */
async function tryMaterial(
	client: Client,
	files: Readonly<Record<string, Buffer>>,
	config: EditConfig,
	compare: Compare,
): Promise<{ tried: number; differ: number }> {
	const urls: string[] = [];
	for (const [name, bytes] of Object.entries(files)) urls.push(await client.upload(bytes, name));
	const upload_type = urls.length > 1 ? 'multitrack' : 'singletrack';
	const first = await reviewed(client, {
		files: urls,
		upload_type,
		config: { long_silences: true, ...config },
	});
	const even = await fileWith(client, first, (index) => index % 2 === 0);
	const odd = await fileWith(client, await first.again(client), (index) => index % 2 === 1);
	const uncut = await fileWith(client, await first.again(client), () => true);
	let differ = 0;
	for (const { file, cuts, rateHz } of [even, odd]) {
		differ += await compare(file, uncut.file, cuts, rateHz);
	}
	return { tried: uncut.cuts.length, differ };
}

/** Mono with its noise reduced, stereo, two tracks of different rates, and a video. */
export async function tryPutBacks(client: Client): Promise<{ tried: number; differ: number }> {
	const raw = { remove_noise: false } as const;
	const pan = ['-af', 'pan=stereo|c0=c0|c1=0.4*c0', '-ar', '44100'];
	const stereo = await convertedTo(recording, 'wav', ...pan);
	// The rate at which noise is reduced, so that the sound is not converted afterwards.
	const mono = await convertedTo(recording, 'wav', '-ar', '48000');
	const plan = { fileName: 'talk.mp4', frameRate: '25', codecArguments: H264, phrases: CUTS };
	const video = await codedVideo(plan);
	const trials = [
		await tryMaterial(client, { 'mono.wav': mono }, { remove_noise: true }, inWav),
		await tryMaterial(client, { 'stereo.wav': stereo }, raw, inWav),
		await tryMaterial(client, { 'a.wav': recording, 'b.wav': recording }, raw, inZip),
		await tryMaterial(client, { 'talk.mp4': video }, { ...raw, video: true }, inVideo),
	];
	for (const { tried, differ } of trials) console.log(`  ${differ} of ${tried} differ`);
	const sum = (key: 'tried' | 'differ') => trials.reduce((total, trial) => total + trial[key], 0);
	return { tried: sum('tried'), differ: sum('differ') };
}
