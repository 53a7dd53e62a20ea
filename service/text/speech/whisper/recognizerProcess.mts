/**
 * Recognizes pieces of a recording in its own process, which may be killed at any time: whisper.cpp
 * itself does not stop. Takes an order from standard input, and writes one line of JSON for each piece.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';

import { orderSchema, type RecognizerOrder } from './order.mts';
import { type RecognizedPiece, recognizePiece, recognizerClass } from './recognizerPackage.mts';
import { SURE_PIECES, sureLanguageOf } from './sureLanguage.mts';

/** Other edits and requests come first. */
const NICENESS = 10;

const SAMPLE_BYTES = 2;

/** Returns the order. Standard input stays open as long as the service lives. */
async function firstLine(): Promise<string> {
	const lines = createInterface({ input: process.stdin });
	const line = new Promise<string>((resolve) => lines.once('line', resolve));
	lines.on('close', () => process.kill(process.pid, 'SIGKILL'));
	return await line;
}

/** JSON may hold line ends that only JavaScript knows. */
function oneLine(piece: RecognizedPiece): string {
	return JSON.stringify(piece)
		.replace(/\u2028/g, '\\u2028')
		.replace(/\u2029/g, '\\u2029');
}

/** Returns the samples of a piece, part after part. */
async function readParts(speech: FileHandle, parts: RecognizerOrder['pieces'][number]) {
	const length = parts.reduce((sum, [start, end]) => sum + end - start, 0);
	const samples = new ArrayBuffer(length * SAMPLE_BYTES);
	let filled = 0;
	for (const [start, end] of parts) {
		const bytes = new Uint8Array(samples, filled, (end - start) * SAMPLE_BYTES);
		const { bytesRead } = await speech.read(bytes, 0, bytes.length, start * SAMPLE_BYTES);
		if (bytesRead < bytes.length) throw new Error('the speech is shorter than it was');
		filled += bytes.length;
	}
	return samples;
}

async function main(): Promise<void> {
	const order = orderSchema.parse(JSON.parse(await firstLine()));
	setPriority(NICENESS);
	const Recognizer = recognizerClass();
	Recognizer.toggleNativeLog(true, (level, text) => {
		if (level === 'error') process.stderr.write(text);
	});
	const context = new Recognizer({ filePath: order.modelPath, useGpu: false });
	if (order.pieces.length === 0) return;
	await using speech = await open(order.speechPath, 'r');
	const first: RecognizedPiece[] = [];
	for (const parts of order.pieces) {
		const samples = await readParts(speech, parts);
		const language = order.language ?? sureLanguageOf(first) ?? 'auto';
		const piece = await recognizePiece(context, samples, { language, threads: order.threads });
		if (first.length < 2 * SURE_PIECES) first.push(piece);
		process.stdout.write(`${oneLine(piece)}\n`);
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
