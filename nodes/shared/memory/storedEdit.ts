import { createHash } from 'crypto';

import type { Entries } from './nodeMemory';

/*
 * The ID of an edit in n8n's memory, which can only say whether it knows an entry. We write the ID as digits
 * of three bits, one entry for each digit at its place, and read it by asking for all eight digits at each
 * place. Eight is a balance: more values would need fewer entries in all, and more questions to read one.
 *
 * There are two copies, which are read one after the other: asking records what it asks, so a crash in
 * between spoils a copy. A spoiled copy has several digits at a place, or a wrong check.
 */

/** An edit that the service has accepted. */
export interface StoredEdit {
	readonly editId: string;
	/** The day of the submission: days since 1970, modulo 4,096. */
	readonly day: number;
	/** 12 bits of a hash of the base URL and the credential. */
	readonly account: number;
}

const COPIES = ['a', 'b'] as const;

const DIGIT_BITS = 3;
const DIGITS = 2 ** DIGIT_BITS;
const FIELD_BITS = 12;

/** How many values the day and the account can have. */
export const FIELD_VALUES = 2 ** FIELD_BITS;

/** The length of the ID, in bytes; 0 for a UUID, which takes 16. */
const LENGTH_BITS = 9;
const ID_BYTES_MAXIMUM = 2 ** LENGTH_BITS - 1;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UUID_BYTES = 16;

/** The places of a UUID, and so of most IDs. */
const USUAL_PLACES = placesFor(0);

/** Whether the memory can hold an ID; those of services are far shorter. */
export function isStorable(editId: string): boolean {
	return Buffer.byteLength(editId) <= ID_BYTES_MAXIMUM && editId !== '';
}

/** The entries of both copies of an edit; recorded in one write, they are whole. */
export function entriesOfEdit(name: string, edit: StoredEdit): string[] {
	const digits = digitsOf(name, edit);
	return COPIES.flatMap((copy) => entriesOfCopy(name, copy, digits));
}

/** Reads an edit; undefined if there is none, or both copies are spoiled. */
export async function readStoredEdit(
	entries: Entries,
	name: string,
): Promise<StoredEdit | undefined> {
	const [one, other] = COPIES;
	const edit = await readCopy(entries, name, one);
	if (edit !== undefined) return edit;
	const kept = await readCopy(entries, name, other);
	if (kept === undefined) return undefined;
	const right = new Set(entriesOfCopy(name, one, digitsOf(name, kept)));
	const places = Math.max(right.size, USUAL_PLACES);
	await entries.remove(allOfCopy(name, one, places).filter((entry) => !right.has(entry)));
	await entries.record([...right]);
	return kept;
}

/** Removes whatever is left of an edit whose copies are spoiled. */
export async function clearStoredEdit(entries: Entries, name: string): Promise<void> {
	await entries.remove(COPIES.flatMap((copy) => allOfCopy(name, copy, USUAL_PLACES)));
}

async function readCopy(
	entries: Entries,
	name: string,
	copy: string,
): Promise<StoredEdit | undefined> {
	const places = numbersBelow(USUAL_PLACES);
	const digits = digitsIn(await entries.ask(candidates(name, copy, places)), name, copy, places);
	const length = numberIn(digits.slice(0, LENGTH_BITS / DIGIT_BITS));
	if (length === undefined) return undefined;
	const count = placesFor(length);
	const more = numbersBelow(count).slice(USUAL_PLACES);
	const rest = await entries.ask(candidates(name, copy, more));
	return editIn(name, [...digits, ...digitsIn(rest, name, copy, more)].slice(0, count));
}

/** The digits at some places; undefined where there is none, or more than one. */
function digitsIn(
	known: ReadonlySet<string>,
	name: string,
	copy: string,
	places: readonly number[],
): Array<number | undefined> {
	return places.map((place) => {
		const found = numbersBelow(DIGITS).filter((digit) =>
			known.has(entryOf(name, copy, place, digit)),
		);
		return found.length === 1 ? found[0] : undefined;
	});
}

function candidates(name: string, copy: string, places: readonly number[]): string[] {
	return places.flatMap((place) =>
		numbersBelow(DIGITS).map((digit) => entryOf(name, copy, place, digit)),
	);
}

function allOfCopy(name: string, copy: string, count: number): string[] {
	return candidates(name, copy, numbersBelow(count));
}

function numbersBelow(count: number): number[] {
	return Array.from({ length: count }, (_, index) => index);
}

function entriesOfCopy(name: string, copy: string, digits: readonly number[]): string[] {
	return digits.map((digit, place) => entryOf(name, copy, place, digit));
}

function entryOf(name: string, copy: string, place: number, digit: number): string {
	return `${name}/${copy}/${place}/${digit}`;
}

function placesFor(length: number): number {
	const bytes = length === 0 ? UUID_BYTES : length;
	return Math.ceil((LENGTH_BITS + 3 * FIELD_BITS + 8 * bytes) / DIGIT_BITS);
}

function digitsOf(name: string, edit: StoredEdit): number[] {
	const { editId, day, account } = edit;
	const isUuid = UUID.test(editId);
	const id = isUuid ? Buffer.from(editId.replaceAll('-', ''), 'hex') : Buffer.from(editId);
	const bits = [
		bitsOf(isUuid ? 0 : id.length, LENGTH_BITS),
		bitsOf(day, FIELD_BITS),
		bitsOf(account, FIELD_BITS),
		bitsOf(checkOf(name, edit), FIELD_BITS),
		...[...id].map((byte) => bitsOf(byte, 8)),
	].join('');
	const parts = bits.match(/.{1,3}/g) ?? [];
	return parts.map((part) => parseInt(part.padEnd(DIGIT_BITS, '0'), 2));
}

function editIn(name: string, digits: ReadonlyArray<number | undefined>): StoredEdit | undefined {
	if (digits.includes(undefined)) return undefined;
	const bits = digits.map((digit) => bitsOf(digit ?? 0, DIGIT_BITS)).join('');
	const numberAt = (from: number, count: number) => parseInt(bits.slice(from, from + count), 2);
	const length = numberAt(0, LENGTH_BITS);
	const [day, account, check] = [0, 1, 2].map((field) =>
		numberAt(LENGTH_BITS + field * FIELD_BITS, FIELD_BITS),
	);
	const bytes = Buffer.alloc(length === 0 ? UUID_BYTES : length);
	const idAt = LENGTH_BITS + 3 * FIELD_BITS;
	for (const index of bytes.keys()) bytes[index] = numberAt(idAt + 8 * index, 8);
	const editId = length === 0 ? uuidOf(bytes) : bytes.toString();
	const edit = { editId, day, account };
	return check === checkOf(name, edit) ? edit : undefined;
}

function uuidOf(bytes: Buffer): string {
	return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function numberIn(digits: ReadonlyArray<number | undefined>): number | undefined {
	if (digits.includes(undefined)) return undefined;
	return digits.reduce<number>((sum, digit) => sum * DIGITS + (digit ?? 0), 0);
}

function bitsOf(value: number, count: number): string {
	return value.toString(2).padStart(count, '0');
}

function checkOf(name: string, { editId, day, account }: StoredEdit): number {
	return shortHash([name, editId, day, account]);
}

/** 12 bits of a hash. */
export function shortHash(value: readonly unknown[]): number {
	const hash = createHash('sha256').update(JSON.stringify(value)).digest();
	return hash.readUInt16BE(0) % FIELD_VALUES;
}
