import { meansOf } from '../subsonics.mts';

/** The sound of a room without end, made of a short piece of it. */
export interface RoomTone {
	/** Interleaved samples, the same for the same frames. */
	at(startFrame: number, frames: number): Float32Array;
}

/** Grains of the piece overlap by half; each is this share of the piece. */
const GRAIN_SHARE = 0.25;

/**
 * Returns the sound of a room, in grains from random places of a piece of it: a loop would be heard. Each goes
 * over into the next with equal power, and all without an offset.
 *
 * @param piece interleaved, of at least 16 frames.
 */
export function roomToneOf(piece: Float32Array, channels: number): RoomTone {
	const frames = piece.length / channels;
	const means = meansOf(piece, channels);
	const room = piece.map((sample, i) => sample - means[i % channels]);
	const half = Math.max(2, Math.floor((GRAIN_SHARE * frames) / 2));
	const places = frames - 2 * half + 1;
	const placeOf = (grain: number) => (hashOf(grain) % places) * channels;
	return {
		at: (startFrame, count) => {
			const tone = new Float32Array(count * channels);
			for (let i = 0; i < count; i++) {
				const frame = startFrame + i;
				const grain = Math.floor(frame / half);
				const within = frame - grain * half;
				const angle = ((within + 0.5) / half) * (Math.PI / 2);
				const [coming, leaving] = [Math.sin(angle), Math.cos(angle)];
				const from = placeOf(grain) + within * channels;
				const before = placeOf(grain - 1) + (within + half) * channels;
				for (let channel = 0; channel < channels; channel++) {
					tone[i * channels + channel] =
						coming * room[from + channel] + leaving * room[before + channel];
				}
			}
			return tone;
		},
	};
}

/** A number from 0 to 2^32 that looks random (Thomas Mueller's hash). */
function hashOf(value: number): number {
	let hash = value | 0;
	for (let round = 0; round < 2; round++) {
		hash = Math.imul(hash ^ (hash >>> 16), 0x45_d9_f3_b);
	}
	return (hash ^ (hash >>> 16)) >>> 0;
}
