import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What the stand-in is to do, by its name: to speak Romanian, unsurely, or French second, to fail, or to write what makes
 * no sense.
 * With points, it can say where the sound of each word is; then it may crash on the fifth piece as long as it is asked
 * for them, hear too many words there, or skip what is said there if it hears the piece at once.
 */
export type StandIn =
	| 'ro'
	| 'unsure'
	| 'changing'
	| 'failing'
	| 'senseless'
	| 'endless'
	| 'points'
	| 'crashing'
	| 'wordy'
	| 'skipping';

/**
 * Writes a program that speaks the interface of whisper.cpp's whisper-cli into a folder: it says the length of each file
 * as a word, and appends its arguments to `calls` there, one line of JSON a run.
 */
export async function writeStandIn(folder: string, kind: StandIn): Promise<string> {
	const path = join(folder, 'whisper-cli');
	const calls = JSON.stringify(join(folder, 'calls'));
	const code = `#!${process.execPath}
const { appendFileSync, statSync, writeFileSync } = require('node:fs');
const { EOL } = require('node:os');
const args = process.argv.slice(2);
const valuesOf = (name) => args.flatMap((arg, at) => (args[at - 1] === name ? [arg] : []));
const kind = ${JSON.stringify(kind)};
if (args.includes('--help')) {
	if (['points', 'crashing', 'wordy', 'skipping'].includes(kind)) process.stderr.write('--dtw MODEL --no-flash-attn');
	process.exit(1);
}
appendFileSync(${calls}, JSON.stringify(args) + EOL);
if (kind === 'failing') { process.stderr.write('error: failed to initialize whisper context'); process.exit(3); }
const languageAt = (at) => (kind === 'changing' && at % 2 === 1 ? 'fr' : 'ro');
const files = valuesOf('--file');
if (args.includes('--detect-language')) {
	for (const at of files.keys()) {
		const chance = kind === 'unsure' && at === 2 ? '0.600000' : '0.980000';
		process.stderr.write('auto-detected language: ' + languageAt(at) + ' (p = ' + chance + ')' + EOL);
	}
	process.exit(0);
}
const outputs = valuesOf('--output-file');
const [wanted] = valuesOf('--language');
for (const [at, file] of files.entries()) {
	const seconds = (statSync(file).size - 44) / 32000;
	if (seconds < 0.1) continue;
	const language = wanted === 'auto' ? languageAt(at) : wanted;
	const isFifth = seconds.toFixed(2) === '0.54';
	const [hasPoints, isAtOnce] = ['--dtw', '--no-timestamps'].map((one) => args.includes(one));
	if (kind === 'crashing' && isFifth && hasPoints) process.abort();
	const length = kind === 'wordy' && isFifth ? (isAtOnce ? 220 : 250) : 8;
	const skipped = kind === 'skipping' && isFifth && isAtOnce ? 1000 : 0;
	const words = Array.from({ length }, (_, word) => ({
		text: ' ' + seconds.toFixed(2),
		...(isAtOnce ? {} : { offsets: { from: 100 * word, to: 100 * word + 90 } }),
		...(hasPoints ? { t_dtw: 10 * word + skipped + 8 } : {}),
	}));
	const tokens = [{ text: '[_BEG_]', offsets: { from: 0, to: 0 } }, ...words];
	const text = words.map((word) => word.text).join('');
	const body = kind === 'senseless' ? '{"transcription":' : JSON.stringify({ result: { language }, transcription: [{ text, tokens }] });
	process.stderr.write("output_json: saving output to '" + outputs[at] + ".json'" + EOL);
	writeFileSync(outputs[at] + '.json', body);
}
if (kind === 'endless') setInterval(() => undefined, 1000);
`;
	await writeFile(path, code);
	await chmod(path, 0o755);
	return path;
}
