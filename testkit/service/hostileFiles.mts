import NodeID3 from 'node-id3';

import { convertedTo } from './media.mts';
import { shortRecording } from './recordings.mts';

/** Returns an HLS playlist with one URL. */
export function playlistOf(url: string): string {
	return `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${url}\n#EXT-X-ENDLIST\n`;
}

/** Returns a one-second MP3 with text tags of half a megabyte each, of this size in total. */
export async function fatTaggedMp3(tagBytes: number): Promise<Buffer> {
	// ID3 takes two bytes for each character.
	const value = 'a'.repeat(250_000);
	const userDefinedText = Array.from({ length: tagBytes / 500_000 }, (_, index) => {
		return { description: `tag${index}`, value };
	});
	const mp3 = await convertedTo(shortRecording, 'mp3', '-id3v2_version', '0');
	return Buffer.concat([NodeID3.create({ userDefinedText }), mp3]);
}
