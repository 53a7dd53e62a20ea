import { playlistOf } from '../service/hostileFiles.mts';
import type { HostileFile, Targets } from './falseMedia.mts';

/** Files that try to make a reader open other files or addresses. */
export function* playlists({ recordingPath: path, serverUrl }: Targets): Generator<HostileFile> {
	const texts: ReadonlyArray<readonly [what: string, name: string, text: string]> = [
		['HLS of a file', 'talk.m3u8', playlistOf(`file://${path}`)],
		['HLS of a file, named mp3', 'talk.mp3', playlistOf(`file://${path}`)],
		['HLS of a file, named wav', 'talk.wav', playlistOf(path)],
		['HLS of a relative path', 'talk.mp4', playlistOf('../../secrets.json')],
		['HLS of a server', 'talk.mp3', playlistOf(`${serverUrl}/hls.ts`)],
		['HLS of a concat', 'talk.aac', playlistOf(`concat:${path}|${path}`)],
		['HLS with a key file', 'talk.m4a', hlsWithKey(path, serverUrl)],
		['ffconcat', 'talk.ffconcat', `ffconcat version 1.0\nfile '${path}'\n`],
		['ffconcat, named wav', 'talk.wav', `ffconcat version 1.0\nfile 'file:${path}'\n`],
		['ffconcat of a server', 'talk.mp3', `ffconcat version 1.0\nfile '${serverUrl}/a.wav'\n`],
		['DASH of a file', 'talk.mpd', dashOf(`file://${path}`)],
		['DASH of a server, named mp4', 'talk.mp4', dashOf(`${serverUrl}/dash`)],
		[
			'SDP',
			'talk.sdp',
			'v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n',
		],
		['SVG with an image', 'talk.svg', svgOf(`file://${path}`)],
		['SVG of a server, named mkv', 'talk.mkv', svgOf(`${serverUrl}/a.png`)],
		['plain M3U', 'talk.m3u', `#EXTM3U\n${path}\n`],
		['PLS', 'talk.pls', `[playlist]\nFile1=${path}\nNumberOfEntries=1\n`],
		['ASX', 'talk.asx', `<asx version="3.0"><entry><ref href="${serverUrl}/a"/></entry></asx>`],
		['ASF redirect', 'talk.asf', `[Reference]\nRef1=${serverUrl}/a.asf\n`],
		['SRT with an include', 'talk.srt', `1\n00:00:00,000 --> 00:00:09,000\n{\\include ${path}}\n`],
		['ASS with a font file', 'talk.ass', `[Script Info]\n[Fonts]\nfontname: ${path}\n`],
		['WebVTT with an import', 'talk.vtt', `WEBVTT\n\nSTYLE\n@import url(${serverUrl}/a.css);\n`],
		['ffmetadata', 'talk.ffmeta', `;FFMETADATA1\ntitle=${path}\n`],
		['RTSP text', 'talk.rtsp', `rtsptext\nrtsp://127.0.0.1/${path}\n`],
	];
	for (const [what, name, text] of texts) {
		yield { what, name, bytes: Buffer.from(text), hasSound: false };
	}
}

function hlsWithKey(path: string, serverUrl: string): string {
	const key = `#EXT-X-KEY:METHOD=AES-128,URI="file://${path}",IV=0x00000000000000000000000000000000`;
	return playlistOf(`${serverUrl}/a.ts`).replace('#EXTINF', `${key}\n#EXTINF`);
}

function dashOf(url: string): string {
	return `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT9S"><Period><AdaptationSet mimeType="audio/mp4"><Representation id="1" bandwidth="1"><BaseURL>${url}</BaseURL></Representation></AdaptationSet></Period></MPD>`;
}

function svgOf(url: string): string {
	return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" width="9" height="9"><image x:href="${url}"/></svg>`;
}
