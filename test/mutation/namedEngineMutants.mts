import type { NamedMutant } from './namedMutants.mts';

/** Mutants of what the engine cuts, by the test file that kills them. */
export const NAMED_ENGINE_MUTANTS: Readonly<Record<string, readonly NamedMutant[]>> = {
	'service/test/detection.test.mts': [
		{
			name: 'a long silence is cut while another track speaks',
			file: 'service/engine/detection/combineTracks.mts',
			find: 'if (!others.some((activity) => activity[hop])) continue;',
			replace: 'if (others.length < 9) continue;',
		},
		{
			name: 'hesitations go that nobody asked for',
			file: 'service/engine/findEdits.mts',
			find: 'return config.hesitations;',
			replace: 'return true;',
		},
		{
			name: 'soft breaths go with those that are loud',
			file: 'service/engine/detection/breaths.mts',
			find: "mode === 'all' || candidate.depthDb",
			replace: 'true || candidate.depthDb',
		},
		{
			name: 'a word said alone is a filler',
			file: 'service/engine/detection/fillers.mts',
			find: 'isAmongPhrases(core) && ',
			replace: '',
		},
		{
			name: 'an answer of somebody else is a filler',
			file: 'service/engine/detection/fillers.mts',
			find: ' && !isAnswer(scene, core)',
			replace: '',
		},
		{
			name: 'a vowel drawn out after a stop is a filler',
			file: 'service/engine/detection/fillers.mts',
			find: 'pauseHops >= way.pauseHops',
			replace: 'pauseHops >= 5',
		},
		{
			name: 'a stop within a word is the pause of a stutter',
			file: 'service/engine/detection/stutters.mts',
			find: 'const MIN_PAUSE_HOPS = 7;',
			replace: 'const MIN_PAUSE_HOPS = 4;',
		},
	],
	'service/test/detectionInNoise.test.mts': [
		{
			name: 'a second speaker hardly louder than a fan is silence',
			file: 'service/engine/detection/longSilences.mts',
			find: 'QUIET_DEPTH_DB && isAudible(hop)) return false;',
			replace: 'QUIET_DEPTH_DB && isAudible(-1)) return false;',
		},
		{
			name: 'the soft end of a word is silence',
			file: 'service/engine/detection/longSilences.mts',
			find: 'withoutSoftEnds(isSilent, isMusic, scene)',
			replace: 'isSilent',
		},
		{
			name: 'the end of a word in a clean recording is music',
			file: 'service/engine/detection/background.mts',
			find: 'rawFloorDb[hop] > rawSpeechDb - CLEAN_DEPTH_DB &&',
			replace: '',
		},
		{
			name: 'a soft second speaker over music is silence',
			file: 'service/engine/detection/background.mts',
			find: ' || glidingShare[hop] >= MAX_GLIDING_SHARE',
			replace: '',
		},
		{
			name: 'syllables in loud noise are attempts at a word',
			file: 'service/engine/detection/stutters.mts',
			find: 'if (noiseDb > scene.rawSpeechDb - MIN_CONTRAST_DB) continue;',
			replace: '',
		},
		{
			name: 'a note of a jingle is a filler',
			file: 'service/engine/detection/background.mts',
			find: 'glidingIn(start, end) < maxGliding',
			replace: 'glidingIn(start, end) < 0',
		},
	],
	'service/test/soundEdits.test.mts': [
		{
			name: 'of every long silence the same is left',
			file: 'service/engine/detection/pauseRhythm.mts',
			find: 'keptSecondsOf(cutSeconds + guarded, limits) / (isAtStart ? 2 : 1)',
			replace: '0',
		},
		{
			name: 'pauses between sentences go',
			file: 'service/engine/detection/longSilences.mts',
			find: 'end - start >= limits.longSilenceSeconds * HOPS_PER_SECOND',
			replace: 'end > start',
		},
	],
};
