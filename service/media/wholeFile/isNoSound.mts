import type { ByteRange, FileBytes } from './fileBytes.mts';
import type { SampleLayout } from './family.mts';
import type { SoundFile } from './soundFile.mts';

/** Bytes to look at in each of three places. */
const LOOK_BYTES = 65_536;

/** Random bytes are as loud as −4.8 dBFS, and each sample differs from the one before by √2 of that. */
const MIN_RMS = 0.35;
const MIN_ROUGHNESS = 1.5;

/** Whether bytes that follow samples look like random ones, and the samples before them do not. */
export async function isNoSound(
	bytes: FileBytes,
	{ layout, samplesAt }: SoundFile,
	{ from, to }: ByteRange,
): Promise<boolean> {
	const { frameBytes } = layout;
	const looked = async (at: number, end: number) => {
		const start = samplesAt + Math.ceil((at - samplesAt) / frameBytes) * frameBytes;
		return isRandom(await bytes.read(start, Math.min(LOOK_BYTES, end - start)), layout);
	};
	if (await looked(Math.max(samplesAt, from - LOOK_BYTES), from)) return false;
	const places = [from, (from + to - LOOK_BYTES) / 2, to - LOOK_BYTES];
	for (const place of places) {
		if (!(await looked(Math.max(from, Math.floor(place)), to))) return false;
	}
	return true;
}

/** Whether integer samples are as loud and as rough as random ones. */
function isRandom(bytes: Buffer, { integerBits, frameBytes, isBigEndian }: SampleLayout): boolean {
	if (integerBits === undefined || ![8, 16, 24, 32].includes(integerBits)) return false;
	const sampleBytes = integerBits / 8;
	const read = sampleReader(sampleBytes, isBigEndian);
	let power = 0;
	let change = 0;
	let frames = 0;
	let last = 0;
	for (let at = 0; at + sampleBytes <= bytes.length; at += frameBytes) {
		const sample = read(bytes, at) / 2 ** (integerBits - 1);
		power += sample * sample;
		change += (sample - last) ** 2;
		last = sample;
		frames += 1;
	}
	return frames > 0 && power / frames > MIN_RMS ** 2 && change / power > MIN_ROUGHNESS;
}

function sampleReader(sampleBytes: number, isBigEndian: boolean) {
	if (sampleBytes === 1) return (bytes: Buffer, at: number) => bytes[at] - 128;
	return isBigEndian
		? (bytes: Buffer, at: number) => bytes.readIntBE(at, sampleBytes)
		: (bytes: Buffer, at: number) => bytes.readIntLE(at, sampleBytes);
}
