import type { Bar } from '../../../testkit/measure/bars.mts';
import { editedAudio } from '../../engine/editedAudio.mts';
import { findEdits } from '../../engine/findEdits.mts';
import { pcmSourceOf, readFrames } from '../../media/pcmFile.mts';
import type { Transcriber } from '../../text/speech/transcriber.mts';
import { wordsAfterEdits } from '../../text/wordsAfterEdits.mts';
import { CONFIG, trackOf } from '../editors/editor.mts';
import type { Half } from '../recorded/speakers.mts';
import { heardWords, type Judgement, judged, percent, sumOf } from './heardTalk.mts';
import { haltingTalks } from './knownTalks.mts';

const TALK_SECONDS = 75;

/** Compares the transcript of an edit, whose words move with the cuts, with what is heard in the edited file. */
export async function editedWordBars(
	half: Half,
	recognizer: Transcriber,
	folder: string,
): Promise<Bar[]> {
	const [moved, again]: Judgement[][] = [[], []];
	let cuts = 0;
	for (const { samples, said } of await haltingTalks(half, TALK_SECONDS)) {
		const words = await heardWords(samples, recognizer, folder);
		const track = await trackOf(samples, `${folder}/edited`);
		const edits = await findEdits(CONFIG, [track]);
		cuts += edits.length;
		moved.push(judged(said, wordsAfterEdits(words, edits, false)));
		const sound = editedAudio(pcmSourceOf(track.clean), edits, { mode: 'cut', isExact: false });
		const edited = await readFrames(sound, 0, sound.frames);
		again.push(judged(said, await heardWords(edited, recognizer, folder)));
	}
	const [own, heard] = [sumOf(moved), sumOf(again)].map(({ wrong, said }) => percent(wrong, said));
	console.log(
		`after ${cuts} cuts, ${own.toFixed(1)} % of ${sumOf(moved).said} words of the transcript are wrong, ` +
			`${heard.toFixed(1)} % where the edited file is heard again`,
	);
	const name = 'words of the transcript more wrong than of the edited file';
	return [{ name, figure: own - heard, limit: 1.5, decimals: 1, unit: '%' }];
}
