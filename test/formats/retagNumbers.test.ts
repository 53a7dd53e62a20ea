import { encodedSound, probed } from '../../testkit/media/mediaFiles';
import { readWithMusicMetadata } from '../../testkit/media/musicMetadata';
import { retagged } from '../../testkit/media/retagged';

const plain = encodedSound(10, ['-c:a', 'aac', '-b:a', '64k', '-movflags', '+faststart'], 'm4a');

it.each([
	[32_767, '32767', 32_767],
	[32_768, undefined, 32_768],
	[20_261_128, undefined, 20_261_128],
	[2_147_483_648, undefined, undefined],
])('episode %d is never written as another number', async (episodeNumber, track, alone) => {
	const before = retagged(plain, { tags: { episodeNumber: 12 } }).file;
	const { file } = retagged(before, { tags: { episodeNumber } });
	expect(probed(file, 'a.m4a').format.tags?.track).toBe(track);
	const { common } = await readWithMusicMetadata(file);
	// It reads only the last eight bits of the number of all.
	if (track === undefined) expect(common).toMatchObject({ track: { no: null } });
	expect(common.tvEpisode).toBe(alone);
});
