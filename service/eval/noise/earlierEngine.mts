import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { execa } from 'execa';
import { z } from 'zod';

import { RATE_HZ } from '../../../testkit/media/signals.mts';
import type { Denoise } from '../editors/editor.mts';
import { wholeOf } from '../enhancement.mts';

/** The last engine before DeepFilterNet 3, and what it needs that this repository no longer has. */
export const EARLIER = '67a24656';
const RNNOISE = '@sapphi-red/web-noise-suppressor';
const RNNOISE_VERSION = '0.4.1';

const REPOSITORY = join(import.meta.dirname, '../../..');

const ENGINE = 'service/engine/denoise/reduceNoise.mts';
const LIBRARY = 'service/engine/denoise/models/rnnoise.mts';

type ReduceNoise = (
	input: { path: string; sampleRateHz: number; channels: number; frames: number },
	outputPath: string,
	strength: 'measured',
) => Promise<unknown>;

interface Rnnoise extends Disposable {
	process(block: Float32Array): void;
}

const isFunction = (value: unknown) => typeof value === 'function';
const engineSchema = z.object({ reduceNoise: z.custom<ReduceNoise>(isFunction) });
const rnnoiseSchema = z.object({
	Rnnoise: z.custom<{ create(mostSamples: number): Promise<Rnnoise> }>(isFunction),
	RNNOISE_DELAY_SAMPLES: z.number(),
	RNNOISE_FRAME_SAMPLES: z.number(),
});

/**
 * The engine before DeepFilterNet 3, taken from this repository's history, and the RNNoise that it used, as it comes.
 *
 * @param folder an empty one.
 */
export async function earlierDenoisers(
	folder: string,
): Promise<Record<'earlier' | 'RNNoise', Denoise>> {
	await unpackInto(folder);
	const load = async (path: string): Promise<unknown> => {
		return await import(pathToFileURL(join(folder, path)).href);
	};
	const { reduceNoise } = engineSchema.parse(await load(ENGINE));
	const library = rnnoiseSchema.parse(await load(LIBRARY));
	const [inputPath, outputPath] = [join(folder, 'in.f32'), join(folder, 'out.f32')];
	return {
		earlier: async (samples) => {
			await writeFile(inputPath, samples);
			const format = { sampleRateHz: RATE_HZ, channels: 1, frames: samples.length };
			await reduceNoise({ path: inputPath, ...format }, outputPath, 'measured');
			return await wholeOf({ path: outputPath, ...format });
		},
		RNNoise: async (samples) => {
			const { RNNOISE_DELAY_SAMPLES: late, RNNOISE_FRAME_SAMPLES: frame } = library;
			const block = new Float32Array(frame * Math.ceil((samples.length + late) / frame));
			block.set(samples);
			using rnnoise = await library.Rnnoise.create(block.length);
			rnnoise.process(block);
			return block.slice(late, late + samples.length);
		},
	};
}

/** Unpacks that engine, beside the packages of this repository. */
async function unpackInto(folder: string): Promise<void> {
	const packages = join(folder, 'service/node_modules', RNNOISE);
	await mkdir(packages, { recursive: true });
	const archive = join(folder, 'engine.tar');
	const paths = [
		'api',
		'service/engine',
		'service/media',
		'service/shared',
		'service/package.json',
	];
	await execa('git', ['archive', '--output', archive, EARLIER, ...paths], { cwd: REPOSITORY });
	await execa('tar', ['-xf', archive, '-C', folder]);
	const wanted = `${RNNOISE}@${RNNOISE_VERSION}`;
	await execa('npm', ['pack', '--silent', '--pack-destination', folder, wanted]);
	const packed = `${RNNOISE.slice(1).replace('/', '-')}-${RNNOISE_VERSION}.tgz`;
	await execa('tar', ['-xzf', join(folder, packed), '--strip-components', '1', '-C', packages]);
	await symlink(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
}
