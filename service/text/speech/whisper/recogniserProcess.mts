/**
 * Recognises pieces of a recording in its own process, which may be killed at any time: whisper.cpp
 * itself does not stop. Takes an order from standard input, and writes one line of JSON for each piece.
 */
import { open } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { json } from 'node:stream/consumers';

import { orderSchema } from './order.mts';
import { type RecognisedPiece, recognisePiece, recogniserClass } from './recogniserPackage.mts';

/** Other edits and requests come first. */
const NICENESS = 10;

/** After as many pieces in one language with as many tokens each, the rest is taken to be in it as well. */
const SURE_PIECES = 3;
const SURE_TOKENS = 8;

const SAMPLE_BYTES = 2;

/** Returns the language that enough pieces agree on; undefined as long as they do not. */
function languageFrom(pieces: readonly RecognisedPiece[]): string | undefined {
	const found = pieces.filter(({ segments }) => segments.length >= SURE_TOKENS);
	const first = found.at(0)?.language;
	const isSure = found.length >= SURE_PIECES && found.every(({ language }) => language === first);
	return isSure ? first : undefined;
}

async function main(): Promise<void> {
	const order = orderSchema.parse(await json(process.stdin));
	setPriority(NICENESS);
	const Recogniser = recogniserClass();
	Recogniser.toggleNativeLog(true, (level, text) => {
		if (level === 'error') process.stderr.write(text);
	});
	const context = new Recogniser({ filePath: order.modelPath, useGpu: false });
	if (order.pieces.length === 0) return;
	await using speech = await open(order.speechPath, 'r');
	const first: RecognisedPiece[] = [];
	for (const [startSample, endSample] of order.pieces) {
		const samples = new ArrayBuffer((endSample - startSample) * SAMPLE_BYTES);
		await speech.read(new Uint8Array(samples), 0, samples.byteLength, startSample * SAMPLE_BYTES);
		const language = order.language ?? languageFrom(first) ?? 'auto';
		const piece = await recognisePiece(context, samples, { language, threads: order.threads });
		if (first.length < 2 * SURE_PIECES) first.push(piece);
		process.stdout.write(`${JSON.stringify(piece)}\n`);
	}
}

try {
	await main();
	process.stdout.write('', () => process.exit(0));
} catch (error) {
	process.stderr.write(error instanceof Error ? error.message : String(error), () => {
		process.exit(1);
	});
}
