import { made } from '../support/beepFiles.mts';
import { saying, SIZE_FIELDS } from '../support/realFiles/sizes.mts';
import type { CorpusFormat, Variant } from './formats.mts';

/** When beeps begin, and how long each file is. */
export const BEEPS = [1, 2.5, 4, 7.5, 10.5];
export const SECONDS = 12;

/** Somebody is muted from one time to the other. */
const HOLE = [4.5, 7] as const;

const BEEP = BEEPS.map((at) => `between(t,${at},${at + 0.1})`).join('+');
const TONE = `0.001*random(0)+0.4*sin(2*PI*1000*t)*(${BEEP})`;

/** A packet of most codecs. Holes begin and end between packets. */
const PACKET_SAMPLES = 1_024;

function soundOf(variant: Variant): string {
	// Both channels alike, but for what is special.
	const left = variant === 'DC 0.1' ? `0.1+${TONE}` : TONE;
	const right = variant === 'inverted' ? `-(st(0,${TONE});ld(0))` : left;
	return `aevalsrc='${left}|${right}':s=48000:d=${SECONDS}`;
}

/** Returns a file of a format. */
export async function corpusFile(format: CorpusFormat, variant: Variant): Promise<Buffer> {
	const input = (source: string) => ['-f', 'lavfi', '-i', source];
	const rate = variant === 'slow pictures' ? '1/5' : '25';
	const picture = format.isVideo ? input(`testsrc=s=160x120:r=${rate}:d=${SECONDS}`) : [];
	const isSecond = variant === 'silent first track';
	const silent = isSecond ? input(`anullsrc=r=48000:cl=stereo:d=${SECONDS}`) : [];
	const inputs = [...input(soundOf(variant)), ...silent, ...picture];
	const pictureIndex = isSecond ? 2 : 1;
	const pictureMap = format.isVideo ? ['-map', String(pictureIndex)] : [];
	const silentMap = isSecond ? ['-map', '1'] : [];
	const maps = [...pictureMap, ...silentMap, '-map', '0'];
	const muted = `asetnsamples=${PACKET_SAMPLES}:p=0,aselect='not(between(t,${HOLE[0]},${HOLE[1]}))'`;
	const hole = variant === 'hole' ? ['-af', muted] : [];
	// Within a page of Ogg, nothing says where a hole is: programs that record write short ones.
	const pages = format.extension === 'ogg' ? ['-page_duration', '20000'] : [];
	const file = await made(
		`file.${format.extension}`,
		...inputs,
		...maps,
		...hole,
		...format.args,
		...pages,
	);
	return sized(file, format, variant);
}

/** Changes what a file says about the size of its sound. */
function sized(file: Buffer, { sizeField }: CorpusFormat, variant: Variant): Buffer {
	if (sizeField === undefined) return file;
	const field = SIZE_FIELDS[sizeField];
	if (variant === 'size too small') return saying(file, field, Math.floor(file.length / 20) * 4);
	if (variant === 'size too large') return saying(file, field, Math.floor(file.length / 2) * 4);
	return file;
}
