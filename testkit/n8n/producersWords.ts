/**
 * 60 searches as people type them who do not know the package, by the name of the right node, or of the two right
 * ones. Their author had read no file of this repository, and no alias was written after them: a search that misses
 * stays a miss, or the count would say nothing.
 */
export const PRODUCERS_SEARCHES: Readonly<Record<string, string>> = {
	'Audio Editing':
		'remove background noise, noise removal, denoise, clean up audio, podcast, edit podcast, podcast editor, remove silence, cut silences, dead air, filler words, remove ums, um uh, stutter, remove breaths, mouth clicks, volume, loudness, normalize audio, lufs, level voices, merge audio, combine tracks, multitrack, add intro, sermon, lecture recording, interview, audiobook, voice over, webinar, zoom recording, enhance voice, improve sound quality, echo removal, video editing, edit video, mp3, sound, voice memo',
	'Audio Editing|Audio Editing Get Result':
		'transcribe, speech to text, transcript, subtitles, captions, srt, show notes, chapters, youtube timestamps, episode summary',
	'Audio Editing Upload': 'upload audio, upload recording',
	'Audio Editing Create Edit': 'start audio edit, submit edit',
	'Audio Editing Wait For Edit': 'wait for audio',
	'Audio Editing Get Result': 'download edited audio',
	'Audio Editing Delete': 'delete recording',
	'Audio Editing Account': 'audio credits',
	'Audio Editing Edit Finished Trigger': 'edit finished, when audio ready',
};
