import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { writeConverted } from '../../media/convertPcm.mts';
import { ANALYSIS_FORMAT } from '../../media/decode.mts';
import { MonoMix } from '../../media/monoMix.mts';
import { pcmSourceOf, readFrames, type PcmSource } from '../../media/pcmFile.mts';
import type { TimeRange } from '../../shared/timeRanges.mts';
import { runsOf } from '../detection/scene.mts';
import { MOMENT_SAMPLES, Silero } from '../networks/silero/silero.mts';
import { ANALYSIS_RATE_HZ, energyDb, energyOf } from '../signal/levels.mts';
import { MIN_VOICE } from '../voice/hearVoice.mts';
import { MOMENT_SECONDS } from '../voice/searchVoice.mts';

/** How far from the wanted place a pause is looked for, in seconds. */
const REACH_SECONDS = 15;

/** Within a pause, the quietest place this near is taken, 1.5 s. */
const NEAR_MOMENTS = 47;

/** What is left on both sides of it for fades, if the pause is long enough: half a second. */
const MAX_GUARD_MOMENTS = 16;

/** The network hears a second before it judges. */
const WARM_UP_SECONDS = 1;

/** Words may begin and end this much softer than the network hears, in seconds. */
const GUARD_SECONDS = 0.05;

/** A shorter gap in the voice is none between words, in moments. */
const MIN_PAUSE_MOMENTS = 5;

/** A place between words. */
export interface Pause extends TimeRange {
	/** Where something may go. */
	atSeconds: number;
}

/** The voice in a stretch of a sound, and how loud it is there, by moments. */
interface HeardStretch {
	startSeconds: number;
	voice: Float32Array;
	levelsDb: Float32Array;
}

/** Looks for places of a sound in which nobody speaks. */
export class PauseSearch {
	private readonly sound: PcmSource;
	private readonly workFolder: string;
	private readonly signal: AbortSignal | undefined;

	constructor(sound: PcmSource, workFolder: string, signal?: AbortSignal) {
		this.sound = sound;
		this.workFolder = workFolder;
		this.signal = signal;
	}

	/** Returns the pause nearest to a moment; without one, the softest place near it, which is not quiet. */
	async nearest(wantedSeconds: number): Promise<Pause> {
		const lengthSeconds = this.sound.frames / this.sound.sampleRateHz;
		const heard = await this.listen(
			Math.max(0, wantedSeconds - REACH_SECONDS),
			Math.min(lengthSeconds, wantedSeconds + REACH_SECONDS),
		);
		const { startSeconds, voice } = heard;
		const wanted = (wantedSeconds - startSeconds) / MOMENT_SECONDS;
		const away = ({ start, end }: { start: number; end: number }) =>
			Math.max(0, start - wanted, wanted - end);
		const pauses = runsOf(Uint8Array.from(voice, (likely) => Number(likely < MIN_VOICE)));
		const pause = pauses
			.filter(({ start, end }) => end - start >= MIN_PAUSE_MOMENTS)
			.toSorted((a, b) => away(a) - away(b))
			.at(0);
		const { start, end } = pause ?? { start: 0, end: voice.length };
		const guard = Math.min(MAX_GUARD_MOMENTS, Math.floor((end - start) / 3));
		const [first, last] = [start + guard, end - guard];
		const target = Math.min(Math.max(first, Math.floor(wanted)), last - 1);
		const at = softest(
			heard.levelsDb,
			Math.max(first, target - NEAR_MOMENTS),
			Math.min(last, target + NEAR_MOMENTS),
		);
		const seconds = (moment: number) =>
			Math.min(lengthSeconds, startSeconds + moment * MOMENT_SECONDS);
		const atSeconds = seconds(at + 0.5);
		if (pause === undefined) return { startSeconds: atSeconds, endSeconds: atSeconds, atSeconds };
		return {
			startSeconds: Math.min(atSeconds, seconds(start) + GUARD_SECONDS),
			endSeconds: Math.max(atSeconds, seconds(end) - GUARD_SECONDS),
			atSeconds,
		};
	}

	/** Returns for how long nobody speaks at an end of the sound, up to a limit. */
	async roomAt(end: 'start' | 'end', limitSeconds: number): Promise<number> {
		const lengthSeconds = this.sound.frames / this.sound.sampleRateHz;
		const reach = Math.min(lengthSeconds, limitSeconds + WARM_UP_SECONDS);
		const { voice } =
			end === 'start'
				? await this.listen(0, reach)
				: await this.listen(lengthSeconds - reach, lengthSeconds);
		const first = (end === 'start' ? voice : voice.toReversed()).findIndex(
			(likely) => likely >= MIN_VOICE,
		);
		const roomSeconds = first * MOMENT_SECONDS - GUARD_SECONDS;
		return first < 0 ? limitSeconds : Math.min(limitSeconds, Math.max(0, roomSeconds));
	}

	private async listen(startSeconds: number, endSeconds: number): Promise<HeardStretch> {
		const { sampleRateHz, channels } = this.sound;
		const from = Math.max(0, startSeconds - WARM_UP_SECONDS);
		const [first, last] = [from, endSeconds].map((time) => Math.round(time * sampleRateHz));
		const part: PcmSource = {
			...this.sound,
			frames: last - first,
			chunks: (start, end) => this.sound.chunks(first + start, first + end),
		};
		const path = join(this.workFolder, 'pauses.s16');
		const pcm = await writeConverted(part, path, { ...ANALYSIS_FORMAT, channels }, this.signal);
		const samples = new MonoMix(pcm).mixed(await readFrames(pcmSourceOf(pcm), 0, pcm.frames));
		await rm(path);
		const moments = Math.ceil(samples.length / MOMENT_SAMPLES);
		const whole = new Float32Array(moments * MOMENT_SAMPLES);
		whole.set(samples);
		const voice = await (await Silero.create()).speechIn(whole);
		const levelsDb = voice.map((_, moment) => {
			const at = moment * MOMENT_SAMPLES;
			return energyDb(energyOf(whole, at, at + MOMENT_SAMPLES) / MOMENT_SAMPLES);
		});
		const skipped = Math.round(((startSeconds - from) * ANALYSIS_RATE_HZ) / MOMENT_SAMPLES);
		return {
			startSeconds: from + skipped * MOMENT_SECONDS,
			voice: voice.subarray(skipped),
			levelsDb: levelsDb.subarray(skipped),
		};
	}
}

function softest(levelsDb: Float32Array, from: number, to: number): number {
	let best = from;
	for (let moment = from; moment < Math.min(to, levelsDb.length); moment++) {
		if (levelsDb[moment] < levelsDb[best]) best = moment;
	}
	return best;
}
