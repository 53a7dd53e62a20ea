import { pieceFiles, type ProgramRun, saidByProgram } from './programRun.mts';

/**
 * How much of a piece is enough to hear its language, in the model's steps of 20 ms: to hear all 30 s takes as long as to
 * hear the words. A program that `build.sh` did not build hears all of it nevertheless.
 */
const STEPS = 512;

/** What is less sure is found out with the words. */
const MIN_CHANCE = 0.9;

const FOUND = /auto-detected language: ([a-z]{2,3}) \(p = (\d\.\d+)\)/;

/**
 * Returns the language that all of some pieces are surely in, by the beginning of each; undefined if there is none, or the
 * program cannot tell.
 *
 * @throws the signal's reason when aborted.
 */
export async function languageOfAll(
	run: Pick<ProgramRun, 'programPath' | 'model' | 'speech' | 'pieces' | 'threads' | 'limits'>,
	signal: AbortSignal,
): Promise<string | undefined> {
	try {
		const found = await languagesOf(run, signal);
		const sure = found.filter(({ chance }) => chance >= MIN_CHANCE);
		const [first] = new Set(sure.map(({ language }) => language));
		const isSame = sure.length === run.pieces.length && sure.every((one) => one.language === first);
		return isSame ? first : undefined;
	} catch {
		// What keeps the program from this keeps it from hearing words, too, and is said there.
		signal.throwIfAborted();
		return undefined;
	}
}

async function languagesOf(run: Parameters<typeof languageOfAll>[0], signal: AbortSignal) {
	const { model, speech, pieces, threads } = run;
	await using files = await pieceFiles(speech, pieces);
	const args = [
		'--model',
		model.path,
		'--detect-language',
		'--audio-ctx',
		String(STEPS),
		'--threads',
		String(threads),
		'--no-gpu',
		...files.paths.flatMap((path) => ['--file', `${path}.wav`]),
	];
	const found: { language: string; chance: number }[] = [];
	for await (const [, language, chance] of saidByProgram(run, args, FOUND, signal)) {
		found.push({ language, chance: Number(chance) });
	}
	return found;
}
