import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';

import { codeOf } from '../../../shared/failures.mts';
import { ByteReader } from './byteReader.mts';

/** A speech model on disk, in whisper.cpp's format. */
export interface SpeechModel {
	path: string;
	bytes: number;
	isEnglishOnly: boolean;
	/** What whisper.cpp calls models whose listening shows where a word's sound is; undefined for others. */
	alignment: string | undefined;
	/** For people: file, size and languages. */
	name: string;
}

/** The first four bytes of a model, as a little-endian number. */
const MAGIC = 0x67_67_6d_6c;

/** A vocabulary of this size or larger has a token for each of its languages. */
const MULTILINGUAL_TOKENS = 51_865;
const TOKENS_BEFORE_LANGUAGES = 51_766;

/** The sizes in the header in their order, with their largest value in any published model, doubled. */
const HEADER = {
	vocabulary: 120_000,
	audioContext: 3_000,
	audioState: 2_560,
	audioHeads: 40,
	audioLayers: 64,
	textContext: 896,
	textState: 2_560,
	textHeads: 40,
	textLayers: 64,
	mels: 256,
	weights: 3_000,
};

type Header = Record<keyof typeof HEADER, number>;

/** Every FFT of the filter bank has this many bins. */
const FFT_BINS = 201;

/** The recognizer looks these up in every vocabulary, and hangs without them. */
const NEEDED_TOKENS = [' ', ' -', " '"];
const MAX_TOKEN_BYTES = 512;

/** Bytes and numbers of a block of weights, by the number of their type. */
const BLOCKS = new Map([
	[0, [4, 1]],
	[1, [2, 1]],
	[2, [18, 32]],
	[3, [20, 32]],
	[6, [22, 32]],
	[7, [24, 32]],
	[8, [34, 32]],
	[10, [84, 256]],
	[11, [110, 256]],
	[12, [144, 256]],
	[13, [176, 256]],
	[14, [210, 256]],
]);

/** Tensors beside the layers, and in each layer. */
const SINGLE_TENSORS = 11;
const AUDIO_LAYER_TENSORS = 15;
const TEXT_LAYER_TENSORS = 24;
const MAX_NAME_BYTES = 128;

/**
 * Reads a model's header, vocabulary and the outline of its weights, because the recognizer itself trusts
 * what they say: a damaged one makes it allocate any amount of memory, crash or hang.
 *
 * @throws Error that says what the file should be, or why it cannot be read.
 */
export async function readSpeechModel(path: string): Promise<SpeechModel> {
	const found = await stat(path).catch((error: unknown) => {
		throw codeOf(error) === 'ENOENT' ? new Error('there is no such file') : error;
	});
	if (!found.isFile()) throw notAModel('it is not a file');
	await using file = await open(path, 'r');
	const { size } = await file.stat();
	const header = await readOutline(new ByteReader(file, size)).catch((error: unknown) => {
		throw error instanceof RangeError ? notAModel(error.message) : error;
	});
	const isEnglishOnly = header.vocabulary < MULTILINGUAL_TOKENS;
	const languages = isEnglishOnly
		? 'English only'
		: `${header.vocabulary - TOKENS_BEFORE_LANGUAGES} languages`;
	const name = `${basename(path)} (whisper, ${Math.round(size / 1e6)} MB, ${languages})`;
	const alignment = alignmentOf(header, isEnglishOnly);
	return { path, bytes: size, isEnglishOnly, alignment, name };
}

/** Names for `--dtw` by the number of layers. The first two large models cannot be told apart. */
const ALIGNMENTS = new Map([
	['4 4', 'tiny'],
	['6 6', 'base'],
	['12 12', 'small'],
	['24 24', 'medium'],
]);
const LARGE_ALIGNMENTS = new Map([
	['32 32', 'large.v3'],
	['32 4', 'large.v3.turbo'],
]);
const LARGE_MELS = 128;

function alignmentOf(
	{ audioLayers, textLayers, mels }: Header,
	isEnglishOnly: boolean,
): string | undefined {
	const layers = `${audioLayers} ${textLayers}`;
	if (mels === LARGE_MELS) return LARGE_ALIGNMENTS.get(layers);
	const name = ALIGNMENTS.get(layers);
	return name !== undefined && isEnglishOnly ? `${name}.en` : name;
}

async function readOutline(reader: ByteReader): Promise<Header> {
	if ((await reader.uint32()) !== MAGIC) throw notAModel('it does not begin like one');
	const header = await readHeader(reader);
	await readVocabulary(reader, header);
	await readTensors(reader, header);
	return header;
}

function notAModel(why: string): Error {
	return new Error(
		`not a complete speech model: ${why}. It should be in whisper.cpp's format, such as ggml-base.bin`,
	);
}

async function readHeader(reader: ByteReader): Promise<Header> {
	const header: Header = { ...HEADER };
	for (const name of Object.keys(HEADER) as Array<keyof Header>) {
		header[name] = await reader.uint32();
		const least = name === 'weights' ? 0 : 1;
		if (header[name] < least || header[name] > HEADER[name]) throw notAModel('its sizes are wrong');
	}
	const { audioState, audioHeads, textState, textHeads } = header;
	const isWhole = audioState % audioHeads === 0 && textState % textHeads === 0;
	if (!isWhole || audioState !== textState) throw notAModel('its sizes contradict each other');
	return header;
}

/** Reads past the filter bank and the vocabulary. */
async function readVocabulary(reader: ByteReader, { mels, vocabulary }: Header): Promise<void> {
	const filters = [await reader.uint32(), await reader.uint32()];
	if (filters[0] !== mels || filters[1] !== FFT_BINS) throw notAModel('its filters are wrong');
	reader.skip(4 * mels * FFT_BINS);
	const tokens = await reader.uint32();
	if (tokens > vocabulary) throw notAModel('its vocabulary is too large');
	const needed = new Set(NEEDED_TOKENS);
	for (let token = 0; token < tokens; token++) {
		const bytes = await reader.uint32();
		if (bytes > MAX_TOKEN_BYTES) throw notAModel('its vocabulary is damaged');
		needed.delete((await reader.bytes(bytes)).toString('latin1'));
	}
	if (needed.size > 0) throw notAModel('its vocabulary is damaged');
}

/** Reads the outline of each tensor, and past its weights to the end of the file. */
async function readTensors(reader: ByteReader, header: Header): Promise<void> {
	const { audioLayers, textLayers } = header;
	const expected =
		SINGLE_TENSORS + AUDIO_LAYER_TENSORS * audioLayers + TEXT_LAYER_TENSORS * textLayers;
	const names = new Set<string>();
	while (!reader.isAtEnd()) {
		const [dimensions, nameBytes, type] = [
			await reader.uint32(),
			await reader.uint32(),
			await reader.uint32(),
		];
		const block = BLOCKS.get(type);
		if (dimensions > 3 || nameBytes > MAX_NAME_BYTES || block === undefined) {
			throw notAModel('its weights are damaged');
		}
		let numbers = 1;
		for (let dimension = 0; dimension < dimensions; dimension++) numbers *= await reader.uint32();
		const name = (await reader.bytes(nameBytes)).toString('latin1');
		if (names.has(name)) throw notAModel('its weights are damaged');
		names.add(name);
		reader.skip((numbers / block[1]) * block[0]);
	}
	if (names.size !== expected)
		throw notAModel(`it ends after ${names.size} of ${expected} tensors`);
}
