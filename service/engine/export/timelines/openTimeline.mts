import type { CutTimeline } from './cutTimeline.mts';
import type { TimelineFile } from './sections.mts';

/** What every object of a timeline has. */
const COMMON = { metadata: {}, effects: [], markers: [], enabled: true };

/** Returns a timeline as OpenTimelineIO: a track of sound for each file, and one for its picture. */
export function openTimeline(timeline: CutTimeline): string {
	const tracks = timeline.files.flatMap((file) => {
		const sound = trackOf(timeline, file, 'Audio');
		return file.media.picture ? [trackOf(timeline, file, 'Video'), sound] : [sound];
	});
	return JSON.stringify({
		OTIO_SCHEMA: 'Timeline.1',
		name: timeline.title,
		metadata: {},
		global_start_time: null,
		tracks: { ...COMMON, OTIO_SCHEMA: 'Stack.1', name: 'tracks', ...WHOLE, children: tracks },
	});
}

const WHOLE = { source_range: null };

function trackOf(
	{ sections, framesPerSecond: rate }: CutTimeline,
	file: TimelineFile,
	kind: 'Audio' | 'Video',
) {
	const own = sections.filter(({ files }) => files.includes(file));
	let played = 0;
	const children = own.flatMap(({ start, frames, position, isMuted }) => {
		// Something else is heard meanwhile.
		const waited = position - played;
		played = position + frames;
		const gap = {
			...COMMON,
			OTIO_SCHEMA: 'Gap.1',
			name: '',
			source_range: rangeOf(0, waited, rate),
		};
		const before = waited > 0 ? [gap] : [];
		const place = { ...COMMON, name: file.name, source_range: rangeOf(start, frames, rate) };
		if (isMuted && kind === 'Audio') return [...before, { ...place, OTIO_SCHEMA: 'Gap.1' }];
		const media_references = { DEFAULT_MEDIA: referenceTo(file, rate) };
		const active_media_reference_key = 'DEFAULT_MEDIA';
		const clip = { ...place, OTIO_SCHEMA: 'Clip.2', media_references, active_media_reference_key };
		return [...before, clip];
	});
	return { ...COMMON, OTIO_SCHEMA: 'Track.1', name: file.name, kind, ...WHOLE, children };
}

function referenceTo({ name, url, frames }: TimelineFile, rate: number) {
	return {
		OTIO_SCHEMA: 'ExternalReference.1',
		name,
		metadata: {},
		target_url: url,
		available_range: rangeOf(0, frames, rate),
		available_image_bounds: null,
	};
}

function rangeOf(start: number, frames: number, rate: number) {
	const time = (value: number) => ({ OTIO_SCHEMA: 'RationalTime.1', rate, value });
	return { OTIO_SCHEMA: 'TimeRange.1', start_time: time(start), duration: time(frames) };
}
