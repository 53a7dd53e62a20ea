import { finishedFile, type Client } from '../../test/service/support/client.mts';
import { convertedTo } from '../../test/service/support/media.mts';
import { changedCuts } from '../../test/service/support/putBack.mts';
import { reviewed, type Review } from '../../test/service/support/reviews.mts';
import { makeRecording } from '../../test/support/recording.ts';

const CUTS = 50;

const PARTS = Array.from({ length: 2 * CUTS + 1 }, (_, part) => (part % 2 ? 1.3 : 1) + part / 500);

/** Finishes an edit with some of its cuts put back, and returns its file. */
async function fileWith(client: Client, review: Review, isKept: (index: number) => boolean) {
	const state = await review.state();
	const cuts = state.cuts.map((cut, index) => ({ ...cut, keep: isKept(index) }));
	await review.decide({ revision: state.revision, cuts, approve: true });
	const { file } = await finishedFile(await client.ended(review.id));
	return { file, cuts };
}

/**
 * Puts each of 50 cuts back once in a recording whose noise is reduced, half of them in one edit and half in another,
 * and counts what differs. test/service/reviewSound.test.mts does so with sound of several channels and tracks.
 */
export async function tryPutBacks(client: Client): Promise<{ tried: number; differ: number }> {
	// The rate at which noise is reduced, so that the sound is not converted afterwards.
	const recording = makeRecording({ partsSeconds: PARTS });
	const files = [await client.upload(await convertedTo(recording, 'wav', '-ar', '48000'))];
	const config = { long_silences: true, remove_noise: true };
	const first = await reviewed(client, { files, config });
	const even = await fileWith(client, first, (index) => index % 2 === 0);
	const odd = await fileWith(client, await first.again(client), (index) => index % 2 === 1);
	const uncut = await fileWith(client, await first.again(client), () => true);
	const differ = [even, odd].map(({ file, cuts }) => changedCuts(file, uncut.file, cuts));
	return { tried: uncut.cuts.length, differ: differ[0] + differ[1] };
}
