import type { KitOnTimeline } from '../waveform.mts';
import { TOLERANCE_FRAMES, type Section, type TimelineFile } from './sections.mts';

/** A file that was put into a recording. */
export function kitFile({ name, media, seconds }: KitOnTimeline, rate: number): TimelineFile {
	const frames = Math.floor(seconds * rate + TOLERANCE_FRAMES);
	return { url: `./${encodeURIComponent(name)}`, name, media, frames, isKit: true };
}

/**
 * Puts files between the sections of a recording. Where both are heard, a timeline has one until the middle, and
 * then the other, so that all of it is where it is heard.
 *
 * @param parts in the order of the result.
 */
export function sectionsWithKit(
	sections: readonly Section[],
	parts: readonly { part: KitOnTimeline; file: TimelineFile }[],
	rate: number,
): Section[] {
	if (parts.length === 0) return [...sections];
	const result: Section[] = [];
	let [rest, position] = [sections, 0];
	/** What is not heard of the recording after a part. */
	let skip = 0;
	const add = (section: Section) => {
		if (section.frames <= 0) return;
		result.push({ ...section, position });
		position += section.frames;
	};
	for (const { part, file } of parts) {
		const { atSeconds, startSeconds, seconds, sharedBefore, sharedAfter } = part;
		const at = Math.round(atSeconds * rate);
		const isAlone = rest.every((section) => section.position >= at);
		const [before, after] = dividedAt(withoutStart(rest, isAlone ? 0 : skip), at);
		const begin = Math.round((startSeconds + sharedBefore / 2) * rate);
		const end = Math.round((startSeconds + seconds - sharedAfter / 2) * rate);
		for (const section of withinFrames(before, begin - position)) add(section);
		const start = Math.round((sharedBefore / 2) * rate);
		const frames = Math.min(end - position, file.frames - start);
		add({ start, frames, position, isMuted: false, files: [file] });
		skip = Math.round((sharedAfter / 2) * rate);
		rest = after;
	}
	const left = withoutStart(rest, skip);
	// Whole frames may be one more than the recording has.
	if (left.reduce((sum, { frames }) => sum + frames, 0) > 1)
		for (const section of left) add(section);
	return result;
}

/** Divides sections at a frame of the edited recording. */
function dividedAt(sections: readonly Section[], at: number): [Section[], Section[]] {
	const before = sections.flatMap((section) => {
		const frames = Math.min(section.frames, at - section.position);
		return frames > 0 ? [{ ...section, frames }] : [];
	});
	const after = sections.flatMap((section) => {
		const cut = Math.max(0, at - section.position);
		return cut < section.frames ? [shortened(section, cut)] : [];
	});
	return [before, after];
}

function shortened(section: Section, cut: number): Section {
	return {
		...section,
		start: section.start + cut,
		frames: section.frames - cut,
		position: section.position + cut,
	};
}

/** Leaves out the first frames. */
function withoutStart(sections: readonly Section[], frames: number): readonly Section[] {
	const first = sections.at(0);
	if (first === undefined || frames === 0) return sections;
	return dividedAt(sections, first.position + frames)[1];
}

/** Keeps the first frames. */
function withinFrames(sections: readonly Section[], frames: number): Section[] {
	const first = sections.at(0);
	return first === undefined ? [] : dividedAt(sections, first.position + frames)[0];
}
