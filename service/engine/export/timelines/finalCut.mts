import { html as xml } from 'ghtml';

import type { CutTimeline, Stretch, TimelineFile } from './cutTimeline.mts';

/** Final Cut Pro 10.6 and later, and DaVinci Resolve read it. */
const VERSION = '1.10';

/** The size of a timeline without a picture. */
const NO_PICTURE = { width: 1920, height: 1080 };

/** The rates that Final Cut has a name for. */
const AUDIO_RATES: ReadonlyMap<number, string> = new Map([
	...([
		[32_000, '32k'],
		[44_100, '44.1k'],
		[48_000, '48k'],
		[88_200, '88.2k'],
	] as const),
	...([
		[96_000, '96k'],
		[176_400, '176.4k'],
		[192_000, '192k'],
	] as const),
]);

/**
 * Returns a timeline as FCPXML: the files as assets, and what stays of the first as clips on the spine,
 * with the other files attached to each.
 */
export function finalCutXml({ title, frameRate, files, stretches }: CutTimeline): string {
	const [numerator, denominator] = frameRate.split('/').map(Number);
	const time = (frames: number) => `${frames * denominator}/${numerator}s`;
	const ids = new Map(files.map((file, index) => [file, `r${index + 2}`]));
	let position = 0;
	const clips = stretches.map((stretch) => {
		const clip = clipOf(stretch, { ids, position, time });
		position += stretch.frames;
		return clip;
	});
	const [{ media }] = files;
	const { width, height } = media.picture ?? NO_PICTURE;
	const rate = AUDIO_RATES.get(media.sampleRateHz) ?? '48k';
	const assets = files.map((file) => assetOf(file, ids, time));
	return xml`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE fcpxml>
<fcpxml version="${VERSION}">
<resources>
<format id="r1" frameDuration="${time(1)}" width="${width}" height="${height}"/>
!${assets.join('')}</resources>
<library><event name="${title}"><project name="${title}">
<sequence format="r1" duration="${time(position)}" tcStart="0s" tcFormat="NDF" audioRate="${rate}">
<spine>
!${clips.join('\n')}
</spine>
</sequence>
</project></event></library>
</fcpxml>
`;
}

type Ids = ReadonlyMap<TimelineFile, string>;

function assetOf(file: TimelineFile, ids: Ids, time: (frames: number) => string): string {
	const { url, name, frames, media } = file;
	const picture = media.picture ? ' hasVideo="1" videoSources="1" format="r1"' : '';
	return xml`<asset id="${ids.get(file)}" name="${name}" start="0s" duration="${time(frames)}"!${picture} hasAudio="1" audioSources="1" audioChannels="${media.channels}" audioRate="${media.sampleRateHz}"><media-rep kind="original-media" src="${url}"/></asset>
`;
}

/** A clip on the spine. Where a file without a picture is silenced, it is a gap. */
function clipOf(
	{ start, frames, isMuted, files }: Stretch,
	{ ids, position, time }: { ids: Ids; position: number; time: (frames: number) => string },
): string {
	const [file, ...others] = files;
	const place = xml`offset="${time(position)}" duration="${time(frames)}"`;
	if (isMuted && file.media.picture === null) return xml`<gap !${place}/>`;
	const source = (one: TimelineFile) =>
		xml`ref="${ids.get(one)}" name="${one.name}" start="${time(start)}"`;
	if (isMuted) return xml`<asset-clip !${source(file)} !${place} srcEnable="video"/>`;
	// Attached clips count from the start of what they are attached to.
	const attached = others.map(
		(one, index) =>
			xml`<asset-clip !${source(one)} lane="${-1 - index}" offset="${time(start)}" duration="${time(frames)}"/>`,
	);
	return xml`<asset-clip !${source(file)} !${place}>!${attached.join('')}</asset-clip>`;
}
