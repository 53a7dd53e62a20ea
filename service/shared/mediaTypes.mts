import { dottedExtensionOf } from './fileNames.mts';

/** Media types of result files, by extension. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
	'.mp3': 'audio/mpeg',
	'.wav': 'audio/wav',
	'.flac': 'audio/flac',
	'.m4a': 'audio/mp4',
	'.aac': 'audio/aac',
	'.opus': 'audio/ogg',
	'.ogg': 'audio/ogg',
	'.aiff': 'audio/aiff',
	'.mp4': 'video/mp4',
	'.mov': 'video/quicktime',
	'.webm': 'video/webm',
	'.mkv': 'video/x-matroska',
	'.avi': 'video/x-msvideo',
	'.zip': 'application/zip',
	'.json': 'application/json',
	'.edl': 'text/plain; charset=utf-8',
	'.csv': 'text/csv; charset=utf-8',
	'.txt': 'text/plain; charset=utf-8',
};

/** Returns the media type for a file name. */
export function mediaTypeOf(fileName: string): string {
	return MEDIA_TYPES[dottedExtensionOf(fileName)] ?? 'application/octet-stream';
}
