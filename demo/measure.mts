import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { profileOf } from '../service/engine/level/levelProfile.mts';
import { integratedLoudness } from '../service/engine/level/loudness.mts';
import { decode } from '../service/media/decode.mts';
import { pcmSourceOf } from '../service/media/pcmFile.mts';
import { probe } from '../service/media/probe.mts';

/** Audible properties of a file. */
export interface Measures {
	durationSeconds: number;
	/** Integrated loudness, EBU R128. */
	loudnessLufs: number;
}

/** Leaves only the standard's own gate. */
const NO_GATE_LUFS = -120;

/** Decodes a media file and measures it. Throws if it cannot be decoded. */
export async function measure(path: string): Promise<Measures> {
	const folder = await mkdtemp(join(tmpdir(), 'audio-editing-measure-'));
	try {
		const info = await probe(path);
		const source = { ...info, path, limitSeconds: 86_400 };
		const { pcm } = await decode(source, join(folder, 'pcm'), info.sampleRateHz);
		const { energies } = await profileOf(pcmSourceOf(pcm));
		return {
			durationSeconds: pcm.frames / pcm.sampleRateHz,
			loudnessLufs: integratedLoudness(energies, NO_GATE_LUFS) ?? -Infinity,
		};
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
