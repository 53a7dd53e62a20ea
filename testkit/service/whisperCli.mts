import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the stand-in is to do, by its name: to speak Romanian, French second, to fail, or to write what makes no sense. */
export type StandIn = 'ro' | 'changing' | 'failing' | 'senseless' | 'endless';

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
appendFileSync(${calls}, JSON.stringify(args) + EOL);
const kind = ${JSON.stringify(kind)};
if (kind === 'failing') { process.stderr.write('error: failed to initialize whisper context'); process.exit(3); }
const outputs = valuesOf('--output-file');
const [wanted] = valuesOf('--language');
for (const [at, file] of valuesOf('--file').entries()) {
	const seconds = (statSync(file).size - 44) / 32000;
	if (seconds < 0.1) continue;
	const language = wanted === 'auto' ? (kind === 'changing' && at % 2 === 1 ? 'fr' : 'ro') : wanted;
	const words = Array.from({ length: 8 }, (_, word) => ({
		text: ' ' + seconds.toFixed(2),
		offsets: { from: 100 * word, to: 100 * word + 90 },
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
