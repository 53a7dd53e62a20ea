import { html as xml } from 'ghtml';

import { type CutTimeline, NO_PICTURE } from './cutTimeline.mts';
import type { Section, TimelineFile } from './sections.mts';

/** Returns a timeline in the XML of Final Cut Pro 7, which Premiere Pro and Resolve read. */
export function premiereXml({
	title,
	framesPerSecond,
	frames: length,
	files,
	sections,
}: CutTimeline): string {
	const base = Math.round(framesPerSecond);
	const isNtsc = Math.abs(base - framesPerSecond) > 0.001;
	const rate = `<rate><timebase>${base}</timebase><ntsc>${isNtsc ? 'TRUE' : 'FALSE'}</ntsc></rate>`;
	const described = new Set<TimelineFile>();
	/** The first mention of a file describes it. */
	const fileOf = (file: TimelineFile) => {
		const id = `file-${files.indexOf(file) + 1}`;
		if (described.has(file)) return `<file id="${id}"/>`;
		described.add(file);
		return descriptionOf(file, id, rate);
	};
	const clips = (file: TimelineFile, own: readonly Section[], more: string) =>
		own.map(({ start, frames, position }) => {
			const [end, out] = [position + frames, start + frames];
			return xml`<clipitem><name>${file.name}</name><duration>${file.frames}</duration>!${rate}<start>${position}</start><end>${end}</end><in>${start}</in><out>${out}</out>!${fileOf(file)}!${more}</clipitem>
`;
		});
	const pictures = files.filter(({ media }) => media.picture !== null);
	const videoTracks = pictures.map((file) => {
		const own = sections.filter((section) => section.files.includes(file));
		return `<track>\n${clips(file, own, '').join('')}</track>\n`;
	});
	const audioTracks = files.flatMap((file) => {
		const own = sections.filter((section) => section.files.includes(file) && !section.isMuted);
		return Array.from({ length: file.media.channels }, (_, channel) => {
			const source = `<sourcetrack><mediatype>audio</mediatype><trackindex>${channel + 1}</trackindex></sourcetrack>`;
			return `<track>\n${clips(file, own, source).join('')}</track>\n`;
		});
	});
	const { width, height } = pictures.at(0)?.media.picture ?? NO_PICTURE;
	const format = `<format><samplecharacteristics>${rate}<width>${width}</width><height>${height}</height></samplecharacteristics></format>`;
	return xml`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE xmeml>
<xmeml version="5">
<sequence id="sequence-1"><name>${title}</name><duration>${length}</duration>!${rate}
<timecode>!${rate}<string>00:00:00:00</string><frame>0</frame><displayformat>NDF</displayformat></timecode>
<media><video>!${format}
!${videoTracks.join('')}</video><audio>
!${audioTracks.join('')}</audio></media>
</sequence>
</xmeml>
`;
}

function descriptionOf(
	{ name, url, frames, media }: TimelineFile,
	id: string,
	rate: string,
): string {
	const { picture, channels, sampleRateHz } = media;
	const video = picture
		? `<video><samplecharacteristics>${rate}<width>${picture.width}</width><height>${picture.height}</height></samplecharacteristics></video>`
		: '';
	const audio = `<audio><samplecharacteristics><samplerate>${sampleRateHz}</samplerate></samplecharacteristics><channelcount>${channels}</channelcount></audio>`;
	return xml`<file id="!${id}"><name>${name}</name><pathurl>${url}</pathurl>!${rate}<duration>${frames}</duration><media>!${video}!${audio}</media></file>`;
}
