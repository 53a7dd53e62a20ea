import { convertedTo } from './media.mts';
import { shortRecording } from './recordings.mts';

/** Returns an HLS playlist with one URL. */
export function playlistOf(url: string): string {
	return `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${url}\n#EXT-X-ENDLIST\n`;
}

/** Encodes a size as in ID3: four bytes of seven bits each. */
function id3Size(bytes: number): Buffer {
	return Buffer.from([21, 14, 7, 0].map((shift) => (bytes >> shift) & 0x7f));
}

/** Returns a one-second MP3 with text tags of half a megabyte each, of this size in total. */
export async function fatTaggedMp3(tagBytes: number): Promise<Buffer> {
	const text = Buffer.alloc(500_000, 'a');
	const frames = Array.from({ length: Math.ceil(tagBytes / text.length) }, (_, index) => {
		const content = Buffer.concat([Buffer.from(`\0tag${index}\0`), text]);
		return Buffer.concat([
			Buffer.from('TXXX'),
			id3Size(content.length),
			Buffer.from([0, 0]),
			content,
		]);
	});
	const body = Buffer.concat(frames);
	const header = Buffer.concat([Buffer.from('ID3\x04\0\0', 'latin1'), id3Size(body.length)]);
	const mp3 = await convertedTo(shortRecording, 'mp3', '-id3v2_version', '0');
	return Buffer.concat([header, body, mp3]);
}
