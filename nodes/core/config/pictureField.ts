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
