import type { Bar } from '../../../testkit/measure/bars.mts';
import { type Judgment, judgmentOf } from '../judge.mts';
import { lineOf, lostPercent, talliedOf } from '../report.mts';
import { installedRivals } from './rivals.mts';
import type { Scene } from '../scene.mts';

/** What became of recordings, by the name of who cut them. */
export type ByRival = Readonly<Record<string, Judgment>>;

/** Lets each rival cut a scene that is in a WAV file. They take out silences only. */
export async function rivalsOn(scene: Scene, wavPath: string): Promise<ByRival> {
	const judgments: Record<string, Judgment> = {};
	for (const { name, cutsIn } of installedRivals()) {
		const spans = await cutsIn(wavPath);
		const cuts = spans.map((span) => ({ ...span, kind: 'long_silence' as const }));
		judgments[name] = judgmentOf(scene, cuts);
	}
	return judgments;
}

/** Compares how much of the words all our cuts take with what their silences do, and prints how each finds these. */
export function rivalBars(own: readonly Judgment[], rivals: readonly ByRival[]): Bar[] {
	console.log('\nlong silences, beside what people use today');
	const print = (name: string, some: readonly Judgment[]) => {
		const damage = `  words cut ${lostPercent(some).toFixed(2)} %`;
		console.log(lineOf(name, talliedOf(some, 'long_silences')) + damage);
	};
	print('judged here', own);
	return Object.keys(rivals[0] ?? {}).map((rival) => {
		const some = rivals.map((judgments) => judgments[rival]);
		print(rival, some);
		const limit = Number(lostPercent(some).toFixed(2));
		return { name: `words cut, beside ${rival}`, figure: lostPercent(own), limit, unit: '%' };
	});
}
