import { mp3Header } from '../../formats/tags/mp3/frames';
import { encodedSound, probed } from '../../testkit/media/mediaFiles';
import { PASSAGES, cut, describePassages } from '../../testkit/media/passages';

describePassages({
	'128 kbit/s': ['-b:a', '128k'],
	'changing bit rate': ['-q:a', '5'],
	'MPEG 2.5, 8 kHz': ['-b:a', '8k', '-ac', '1', '-ar', '8000'],
});

it('a passage after the end of the file is missing, and other files have none', () => {
	const file = encodedSound(2, ['-b:a', '64k'], 'mp3');
	expect(cut(file, [{ startSeconds: 30, durationSeconds: 15 }])).toEqual([undefined]);
	const noise = Buffer.alloc(4_000_000);
	// Any two bytes of it may look like a header.
	for (let at = 0, value = 1; at < noise.length; at++) {
		value = (value * 48_271) % 2_147_483_647;
		noise[at] = value % 5 === 0 ? 0xff : value >> 8;
	}
	expect(cut(noise, PASSAGES)).toEqual([undefined, undefined, undefined, undefined]);
	const others = [['flac'], ['m4a', '-c:a', 'aac'], ['wav']].map(([format, ...args]) =>
		encodedSound(20, args, format),
	);
	for (const other of others) expect(cut(other, PASSAGES)).not.toContainEqual(expect.anything());
});

it('finds its way again after damage, and stays in time', () => {
	const file = encodedSound(10, ['-b:a', '128k'], 'mp3');
	const damaged = Buffer.concat([
		file.subarray(0, 30_000),
		Buffer.alloc(777, 0xff),
		file.subarray(30_000),
	]);
	const [found] = cut(damaged, [{ startSeconds: 6, durationSeconds: 2 }]);
	const [expected] = cut(file, [{ startSeconds: 6, durationSeconds: 2 }]);
	const lengths = [found, expected].map((one) => Number(probed(one!, 'a.mp3').format.duration));
	expect(Math.abs(lengths[0] - lengths[1])).toBeLessThan(0.1);
	expect(mp3Header(found!, 0)).toBeDefined();
});
