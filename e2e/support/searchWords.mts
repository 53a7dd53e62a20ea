const EDIT = 'Audio Editing';
const UPLOAD = 'Audio Editing Upload';
const RESULT = 'Audio Editing Get Result';

/** What people type into the node panel, and the right nodes for it. */
export const SEARCH_WORDS: Readonly<Record<string, readonly string[]>> = {
	'clean audio': [EDIT],
	denoise: [EDIT],
	noise: [EDIT],
	'background noise': [EDIT],
	'noise removal': [EDIT],
	hiss: [EDIT],
	hum: [EDIT],
	podcast: [EDIT],
	episode: [EDIT],
	audio: [EDIT],
	voice: [EDIT],
	'voice over': [EDIT],
	speech: [EDIT],
	recording: [EDIT, UPLOAD],
	mp3: [EDIT, UPLOAD],
	wav: [EDIT, UPLOAD],
	m4a: [EDIT, UPLOAD],
	flac: [EDIT, UPLOAD],
	video: [EDIT, UPLOAD],
	mp4: [EDIT, UPLOAD],
	subtitle: [EDIT, RESULT],
	subtitles: [RESULT],
	captions: [RESULT],
	srt: [RESULT],
	vtt: [RESULT],
	transcribe: [EDIT],
	transcript: [RESULT],
	transcription: [EDIT],
	chapters: [RESULT],
	'show notes': [EDIT, RESULT],
	summary: [RESULT],
	loudness: [EDIT],
	lufs: [EDIT],
	normalize: [EDIT],
	volume: [EDIT],
	'filler words': [EDIT],
	um: [EDIT],
	silence: [EDIT],
	breath: [EDIT],
	mastering: [EDIT],
};

/** Words with a required first node: the other one would delete what the person wants, or keep it. */
export const CLEAN_AND_DELETE: Readonly<Record<string, string>> = {
	clean: EDIT,
	delete: 'Audio Editing Delete',
};
