import { type EditConfig, SUPPORTED_VIDEO_EXTENSIONS } from '../../../api/contract';
import { extensionOf } from '../files/mediaTypes';
import { choice } from '../form/build';

/** The field for the picture of a video. JSON has its own key for it. */
export const PICTURE_FIELD = {
	...choice(
		'picture',
		'Picture',
		'keep',
		'What happens to the picture of a video. Without effect on audio files.',
		{
			keep: ['Keep', 'A video comes back as a video'],
			soundOnly: ['Sound Only', 'A video comes back as an audio file'],
		},
	),
	displayOptions: { show: { configure: ['fields', 'template'] } },
};

/** Whether a file is a video, by its name. */
export const isVideo = (fileName: string) =>
	SUPPORTED_VIDEO_EXTENSIONS.includes(extensionOf(fileName));

/** What the field says about these files; nothing about audio files. */
export function pictureConfig(picture: unknown, fileNames: readonly string[]): EditConfig {
	return fileNames.some(isVideo) ? { video: picture !== 'soundOnly' } : {};
}
