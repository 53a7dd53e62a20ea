import { HOPS_PER_SECOND, mean } from '../signal/levels.mts';

/** Blocks below this never count (ITU-R BS.1770). */
const ABSOLUTE_GATE_LUFS = -70;

/** Blocks this far below the mean of the audible ones do not count either, in LU. */
const RELATIVE_GATE_LU = -10;

/** Blocks of 400 ms, ten per second. */
const BLOCK_HOPS = 0.4 * HOPS_PER_SECOND;
const BLOCK_STEP_HOPS = 0.1 * HOPS_PER_SECOND;

/** Offset of the LUFS scale (ITU-R BS.1770). */
const REFERENCE_LUFS = -0.691;

/**
 * Integrated loudness (EBU R128 / ITU-R BS.1770) with the API's gate: ignores blocks below
 * `gateLufs` or -70 LUFS, whichever is higher, and then blocks 10 LU below the mean of the rest.
 *
 * @param energies weighted mean squares of 10 ms hops, as in a level profile.
 * @param gateLufs `mute_lufs` of the API, in LUFS; -120 leaves only the standard's gate.
 * @returns LUFS; null when no block is loud enough, as in silence or below 400 ms.
 */
export function integratedLoudness(energies: Float32Array, gateLufs: number): number | null {
	const gate = 10 ** ((Math.max(gateLufs, ABSOLUTE_GATE_LUFS) - REFERENCE_LUFS) / 10);
	const audible = blockEnergies(energies).filter((energy) => energy > gate);
	if (audible.length === 0) return null;
	const relativeGate = mean(audible) * 10 ** (RELATIVE_GATE_LU / 10);
	const loud = audible.filter((energy) => energy > relativeGate);
	return REFERENCE_LUFS + 10 * Math.log10(mean(loud));
}

function blockEnergies(energies: Float32Array): Float64Array {
	const count = Math.floor((energies.length - BLOCK_HOPS) / BLOCK_STEP_HOPS) + 1;
	return Float64Array.from({ length: Math.max(0, count) }, (_, block) => {
		let sum = 0;
		for (let hop = 0; hop < BLOCK_HOPS; hop++) sum += energies[block * BLOCK_STEP_HOPS + hop];
		return sum / BLOCK_HOPS;
	});
}
