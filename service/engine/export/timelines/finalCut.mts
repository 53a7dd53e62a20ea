import { html as xml } from 'ghtml';

import { type CutTimeline, NO_PICTURE } from './cutTimeline.mts';
import type { Section, TimelineFile } from './sections.mts';

/** Final Cut Pro 10.6 and later, and DaVinci Resolve read it. */
const VERSION = '1.10';

/** Without a picture: the finest grid that video editors know. */
export const VIDEO_SOUND_RATE = '60/1';

/** The rates that Final Cut has a name for, such as `44.1k`. */
const NAMED_RATES_HZ = [32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000];

/**
 * Returns a timeline as FCPXML: the files as assets, and what stays of the first as clips on the spine,
 * with the other files attached to each.
 */
export function finalCutXml({ title, frameRate, frames, files, sections }: CutTimeline): string {
	const [numerator, denominator] = frameRate.split('/').map(Number);
	const time = (count: number) => `${count * denominator}/${numerator}s`;
	const ids = new Map(files.map((file, index) => [file, `r${index + 2}`]));
	const clips = sections.map((section) => clipOf(section, ids, time));
	const [{ media }] = files;
	const { width, height } = media.picture ?? NO_PICTURE;
	const rateHz = NAMED_RATES_HZ.includes(media.sampleRateHz) ? media.sampleRateHz : 48_000;
	const assets = files.map((file) => assetOf(file, ids, time));
	return xml`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE fcpxml>
<fcpxml version="${VERSION}">
<resources>
<format id="r1" frameDuration="${time(1)}" width="${width}" height="${height}"/>
!${assets.join('')}</resources>
<library><event name="${title}"><project name="${title}">
<sequence format="r1" duration="${time(frames)}" tcStart="0s" tcFormat="NDF" audioRate="${rateHz / 1_000}k">
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
	{ start, frames, position, isMuted, files }: Section,
	ids: Ids,
	time: (frames: number) => string,
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
