import { mean } from '../../testkit/measure/median.mts';
import { fromDb } from '../../testkit/media/signals.mts';
import { lengthOf, shared } from './score.mts';
import type { Editor, FoundCut } from './editors/editor.mts';
import { encode, MP3_64, OPUS_24, type Passage } from './conditions.mts';
import type { Scene } from './scene.mts';

/** One recording as nine people would send it. */
const ENCODINGS: readonly (Passage & { gainDb?: number })[] = [
	{ extension: 'wav', options: ['-c:a', 'pcm_s16le'] },
	{ extension: 'wav', options: ['-c:a', 'pcm_s16le'], gainDb: -2 },
	{ extension: 'wav', options: ['-c:a', 'pcm_s16le'], gainDb: 2 },
	{ extension: 'wav', options: ['-ar', '44100', '-c:a', 'pcm_s24le'] },
	{ extension: 'mp3', options: ['-c:a', 'libmp3lame', '-b:a', '128k'] },
	MP3_64,
	{ extension: 'm4a', options: ['-c:a', 'aac', '-b:a', '96k'] },
	{ extension: 'ogg', options: ['-c:a', 'libvorbis', '-q:a', '3'] },
	OPUS_24,
];

/** How alike the decisions over all encodings are: the mean of |both| / |either| over all pairs. */
export async function agreementOver(scene: Scene, editor: Editor, folder: string): Promise<number> {
	const decisions: (readonly FoundCut[])[] = [];
	for (const { gainDb = 0, ...passage } of ENCODINGS) {
		const samples = scene.samples.map((sample) => sample * fromDb(gainDb));
		const { cuts } = await editor.cut(await encode(samples, passage, folder));
		decisions.push(cuts);
	}
	return mean(
		decisions.flatMap((one, index) =>
			decisions.slice(index + 1).map((other) => jaccard(one, other)),
		),
	);
}

function jaccard(one: readonly FoundCut[], other: readonly FoundCut[]): number {
	const rest = [...other];
	let both = 0;
	for (const edit of one) {
		const index = rest.findIndex(
			(it) =>
				it.kind === edit.kind && shared(it, edit) > 0.5 * Math.max(lengthOf(it), lengthOf(edit)),
		);
		if (index < 0) continue;
		rest.splice(index, 1);
		both++;
	}
	const either = one.length + other.length - both;
	return either === 0 ? 1 : both / either;
}
