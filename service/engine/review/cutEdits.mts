import { fadeFrames } from '../timeline.mts';
import type { PcmFormat } from '../../media/pcmFile.mts';
import type { Cut } from '../../shared/cuts.mts';
import type { TimelineEdit } from '../../shared/timeRanges.mts';

/** What cuts count in: samples at this rate, of a recording of this length. */
export interface CutScale {
	sampleRateHz: number;
	samples: number;
}

/** Returns the scale for cuts of tracks: the finest rate, over the longest track. */
export function scaleOf(sounds: ReadonlyArray<PcmFormat & { frames: number }>): CutScale {
	const sampleRateHz = Math.max(...sounds.map((sound) => sound.sampleRateHz));
	const seconds = Math.max(...sounds.map((sound) => sound.frames / sound.sampleRateHz));
	return { sampleRateHz, samples: Math.round(seconds * sampleRateHz) };
}

/**
 * Returns found edits as cuts on whole samples. Of two that overlap, the later one begins later. Where
 * `rangesOf` joins ranges or extends them, cuts take the sound between, so that they show what is gone.
 */
export function cutsOf(edits: readonly TimelineEdit[], { sampleRateHz, samples }: CutScale): Cut[] {
	const cuts: Cut[] = [];
	const fade = fadeFrames(sampleRateHz);
	for (const edit of edits.toSorted((a, b) => a.startSeconds - b.startSeconds)) {
		const free = cuts.at(-1)?.end ?? 0;
		const [from, to] = [edit.startSeconds, edit.endSeconds].map((seconds) =>
			Math.round(seconds * sampleRateHz),
		);
		const start = from - free < (free === 0 ? fade : 2 * fade) ? free : from;
		const end = samples - to < fade ? samples : to;
		if (start >= end) continue;
		const sure = Math.min(1, Math.max(0, edit.sure));
		cuts.push({ kind: edit.kind, track: null, start, end, sure, by: 'engine', keep: false });
	}
	return cuts;
}

/** Returns the cuts that take their sound out, as edits on the timeline of the source. */
export function editsOf(cuts: readonly Cut[], { sampleRateHz }: CutScale): TimelineEdit[] {
	return cuts
		.filter(({ keep }) => !keep)
		.toSorted((a, b) => a.start - b.start)
		.map(({ kind, start, end, sure }) => ({
			kind,
			startSeconds: start / sampleRateHz,
			endSeconds: end / sampleRateHz,
			sure: sure ?? 1,
		}));
}
