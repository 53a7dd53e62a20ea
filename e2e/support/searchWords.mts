const UPLOAD = 'Audio Editing Upload';
const CREATE = 'Audio Editing Create Edit';
const RESULT = 'Audio Editing Get Result';

/** What people type into the node panel, and the right nodes for it. */
export const SEARCH_WORDS: Readonly<Record<string, readonly string[]>> = {
	'clean audio': [CREATE],
	denoise: [CREATE],
	noise: [CREATE],
	'background noise': [CREATE],
	'noise removal': [CREATE],
	hiss: [CREATE],
	hum: [CREATE],
	podcast: [CREATE, UPLOAD],
	episode: [CREATE],
	audio: [UPLOAD, CREATE],
	voice: [CREATE],
	'voice over': [CREATE],
	speech: [CREATE],
	recording: [UPLOAD],
	mp3: [UPLOAD],
	wav: [UPLOAD],
	m4a: [UPLOAD],
	flac: [UPLOAD],
	video: [UPLOAD],
	mp4: [UPLOAD],
	subtitle: [RESULT],
	subtitles: [RESULT],
	captions: [RESULT],
	srt: [RESULT],
	vtt: [RESULT],
	transcribe: [CREATE],
	transcript: [RESULT],
	transcription: [CREATE],
	chapters: [RESULT],
	'show notes': [RESULT],
	summary: [RESULT],
	loudness: [CREATE],
	lufs: [CREATE],
	normalize: [CREATE],
	volume: [CREATE],
	'filler words': [CREATE],
	um: [CREATE],
	silence: [CREATE],
	breath: [CREATE],
	mastering: [CREATE],
};

/** Words with a required first node: the other one would delete what the person wants, or keep it. */
export const CLEAN_AND_DELETE: Readonly<Record<string, string>> = {
	clean: CREATE,
	delete: 'Audio Editing Delete',
};
