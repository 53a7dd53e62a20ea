import { createHash } from 'crypto';

import type { Entries } from './nodeMemory';

/*
 * The ID of an edit in n8n's memory, which can only say whether it knows an entry. We write the ID in digits
 * from 0 to 9, one entry for each digit at its place, and read it by asking for all ten digits at each place.
 * Ten is a balance: more values would need fewer entries in all, and more questions to read one.
 *
 * The digits are in rows of four. Asking records what it asks, so a crash in between spoils what is being
 * read: it then has several digits at a place. We read one column after the other, and a fifth column makes the
 * sum of each row a multiple of ten, so that any single column can be restored.
 */

/** An edit that the service has accepted. */
export interface StoredEdit {
	readonly editId: string;
	/** The day of the submission: days since 1970, modulo 4,096. */
	readonly day: number;
	/** 12 bits of a hash of the base URL and the credential. */
	readonly account: number;
}

const COLUMNS = 4;

/** The column that completes the sums. */
const PARITY = COLUMNS;

const DIGITS = 10;

/** The length of the ID in bytes (0 for a UUID), the day, the account, and a check. */
const FIELDS = 4;
const FIELD_DIGITS = 4;

/** How many values the day and the account can have. */
export const FIELD_VALUES = 4_096;

const MAX_ID_BYTES = 511;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A UUID is one number; any other ID is written byte by byte. */
const UUID_DIGITS = 39;
const BYTE_DIGITS = 3;

/** The rows of a UUID, and so of most IDs. */
const USUAL_ROWS = rowsFor(0);

/** Whether the memory can hold an ID; those of services are far shorter. */
export function isStorable(editId: string): boolean {
	return Buffer.byteLength(editId) <= MAX_ID_BYTES && editId !== '';
}

/** The entries of an edit; recorded in one write, they are whole. */
export function entriesOfEdit(name: string, edit: StoredEdit): string[] {
	const digits = digitsOf(name, edit);
	return numbersBelow(digits.length / COLUMNS).flatMap((row) => {
		const own = digits.slice(COLUMNS * row, COLUMNS * (row + 1));
		return [...own, complementOf(own)].map((digit, column) => entryOf(name, column, row, digit));
	});
}

/** Reads an edit; undefined if there is none, or two columns are spoiled. */
export async function readStoredEdit(
	entries: Entries,
	name: string,
): Promise<StoredEdit | undefined> {
	const usual = await readRows(entries, name, 0, USUAL_ROWS);
	if (!isWhole(usual.digits)) return undefined;
	const length = Number(usual.digits.slice(0, FIELD_DIGITS).join(''));
	if (length > MAX_ID_BYTES) return undefined;
	const count = rowsFor(length);
	const rest = await readRows(entries, name, USUAL_ROWS, count);
	if (!isWhole(rest.digits)) return undefined;
	const edit = editIn(name, [...usual.digits, ...rest.digits]);
	if (edit !== undefined && (usual.isRestored || rest.isRestored)) {
		const right = new Set(entriesOfEdit(name, edit));
		const all = allEntries(name, count);
		await entries.remove(all.map((group) => group.filter((entry) => !right.has(entry))));
		await entries.record([...right]);
	}
	return edit;
}

/** Removes whatever is left of an edit of which two columns are spoiled. */
export async function clearStoredEdit(entries: Entries, name: string): Promise<void> {
	await entries.remove(allEntries(name, USUAL_ROWS));
}

/** The digits at some places; undefined where they are unknown. */
type Digits = ReadonlyArray<number | undefined>;

function isWhole(digits: Digits): digits is readonly number[] {
	return !digits.includes(undefined);
}

/** Reads the digits of some rows. */
async function readRows(entries: Entries, name: string, from: number, to: number) {
	const rows = numbersBelow(to).slice(from);
	const columns: Digits[] = [];
	for (const column of numbersBelow(COLUMNS)) {
		columns.push(await readColumn(entries, name, column, rows));
	}
	const isRestored = !columns.every(isWhole);
	const parity = isRestored ? await readColumn(entries, name, PARITY, rows) : [];
	const digits = rows.flatMap((_row, index) =>
		restored(
			columns.map((column) => column[index]),
			parity[index],
		),
	);
	return { digits, isRestored };
}

/** A row with the digit that it lacks. */
function restored(row: Digits, parity: number | undefined): Digits {
	const known = row.filter((digit) => digit !== undefined);
	if (known.length < COLUMNS - 1 || parity === undefined) return row;
	return row.map((digit) => digit ?? complementOf([...known, parity]));
}

/** The digit that makes a sum of digits a multiple of ten. */
function complementOf(digits: readonly number[]): number {
	const sum = digits.reduce((one, other) => one + other, 0);
	return (DIGITS - (sum % DIGITS)) % DIGITS;
}

/** The digits of a column; undefined where there is none, or more than one. */
async function readColumn(
	entries: Entries,
	name: string,
	column: number,
	rows: readonly number[],
): Promise<Digits> {
	const known = await entries.ask(rows.map((row) => candidates(name, column, row)));
	return rows.map((row) => {
		const all = candidates(name, column, row);
		const found = numbersBelow(DIGITS).filter((digit) => known.has(all[digit]));
		return found.length === 1 ? found[0] : undefined;
	});
}

/** The entries of all digits at a place. */
function candidates(name: string, column: number, row: number): string[] {
	return numbersBelow(DIGITS).map((digit) => entryOf(name, column, row, digit));
}

function allEntries(name: string, count: number): string[][] {
	return numbersBelow(COLUMNS + 1).flatMap((column) =>
		numbersBelow(count).map((row) => candidates(name, column, row)),
	);
}

function numbersBelow(count: number): number[] {
	return Array.from({ length: count }, (_, index) => index);
}

function entryOf(name: string, column: number, row: number, digit: number): string {
	return `${name}/${column}/${row}/${digit}`;
}

function rowsFor(length: number): number {
	const idDigits = Math.max(BYTE_DIGITS * length, UUID_DIGITS);
	return Math.ceil((FIELDS * FIELD_DIGITS + idDigits) / COLUMNS);
}

/** The digits of an edit: its length, day, account and check of four digits each, and its ID. */
function digitsOf(name: string, edit: StoredEdit): number[] {
	const { editId, day, account } = edit;
	const length = UUID.test(editId) ? 0 : Buffer.byteLength(editId);
	const fields = [length, day, account, checkOf(name, edit)];
	const head = fields.map((field) => padded(field, FIELD_DIGITS)).join('');
	const id = length === 0 ? digitsOfUuid(editId) : digitsOfBytes(Buffer.from(editId));
	return [...(head + id).padEnd(COLUMNS * rowsFor(length), '0')].map(Number);
}

function padded(value: number | bigint, digits: number): string {
	return String(value).padStart(digits, '0');
}

function digitsOfUuid(uuid: string): string {
	return padded(BigInt(`0x${uuid.replaceAll('-', '')}`), UUID_DIGITS);
}

function digitsOfBytes(bytes: Buffer): string {
	return [...bytes].map((byte) => padded(byte, BYTE_DIGITS)).join('');
}

function editIn(name: string, digits: readonly number[]): StoredEdit | undefined {
	const text = digits.join('');
	const [length, day, account, check] = numbersBelow(FIELDS).map((field) =>
		Number(text.slice(field * FIELD_DIGITS, (field + 1) * FIELD_DIGITS)),
	);
	const id = text.slice(FIELDS * FIELD_DIGITS);
	const editId = length === 0 ? uuidIn(id) : bytesIn(id, length).toString();
	const edit = { editId, day, account };
	return check === checkOf(name, edit) ? edit : undefined;
}

function uuidIn(digits: string): string {
	const hex = BigInt(digits.slice(0, UUID_DIGITS)).toString(16).padStart(32, '0');
	return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function bytesIn(digits: string, length: number): Buffer {
	return Buffer.from(
		numbersBelow(length).map((at) =>
			Number(digits.slice(BYTE_DIGITS * at, BYTE_DIGITS * (at + 1))),
		),
	);
}

function checkOf(name: string, { editId, day, account }: StoredEdit): number {
	return shortHash([name, editId, day, account]);
}

/** 12 bits of a hash. */
export function shortHash(value: readonly unknown[]): number {
	const hash = createHash('sha256').update(JSON.stringify(value)).digest();
	return hash.readUInt16BE(0) % FIELD_VALUES;
}
