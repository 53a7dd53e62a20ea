import { type EditConfig, SUPPORTED_VIDEO_EXTENSIONS } from '../../../api/contract';
import { extensionOf } from '../files/mediaTypes';

/** Whether a file is a video, by its name. */
export const isVideo = (fileName: string) =>
	SUPPORTED_VIDEO_EXTENSIONS.includes(extensionOf(fileName));

/** What the field says about a recording with these videos; nothing about one without. */
export function pictureConfig(picture: unknown, videos: readonly string[]): EditConfig {
	return videos.length > 0 ? { video: picture !== 'soundOnly' } : {};
}
