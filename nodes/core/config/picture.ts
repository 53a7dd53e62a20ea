import { type EditConfig, SUPPORTED_VIDEO_EXTENSIONS } from '../../../api/contract';
import { extensionOf } from '../files/mediaTypes';

/** Whether a file is a video, by its name. */
export const isVideo = (fileName: string) =>
	SUPPORTED_VIDEO_EXTENSIONS.includes(extensionOf(fileName));

/** What the field says about these files; nothing about audio files. */
export function pictureConfig(picture: unknown, fileNames: readonly string[]): EditConfig {
	return fileNames.some(isVideo) ? { video: picture !== 'soundOnly' } : {};
}
