import { sql } from 'kysely';

import { type Allowance, TooLarge } from '../shared/sizeLimit.mts';
import type { Database } from './database.mts';

/** The bytes of all files of an owner, except those of one edit or upload. */
const othersOf = (ownerId: string, exceptId: string) => sql<number>`(
	COALESCE((SELECT bytes FROM stored_bytes WHERE owner_id = ${ownerId}), 0)
	- COALESCE((SELECT bytes FROM edits WHERE owner_id = ${ownerId} AND id = ${exceptId}), 0)
	- COALESCE((SELECT bytes FROM uploads WHERE owner_id = ${ownerId} AND id = ${exceptId}), 0))`;

/** The condition that an edit or upload of this size fits into the quota of its owner. */
export const fitsWith = (ownerId: string, id: string, bytes: number, quotaBytes: number) =>
	sql<boolean>`${othersOf(ownerId, id)} <= ${quotaBytes - bytes}`;

/** The bytes that one upload or one run of an edit has put on this disk, until the database counts them. */
export interface Arrival {
	readonly ownerId: string;
	/** The edit or upload; what is stored of it does not count. */
	readonly id: string;
	bytes: number;
	/** What all arrivals of the owner may have, when last asked; 0 when that may have changed. */
	roomBytes: number;
	/** Whether it was refused, so that its bytes will be gone soon. */
	isLeaving: boolean;
	readonly gone: PromiseWithResolvers<undefined>;
}

/** Counts the bytes of each API key: uploads, fetched sources and results, stored or still arriving here. */
export class Quota {
	private readonly arrivals = new Set<Arrival>();

	constructor(
		private readonly database: Database,
		/** Largest size of a single file. */
		private readonly sizeLimitBytes: number,
		/** Limit for all files of one key. */
		readonly bytes: number,
	) {}

	/** Returns the bytes that an owner's stored files use, except those of one edit or upload. */
	async storedBytes(ownerId: string, exceptId = ''): Promise<number> {
		const stored = othersOf(ownerId, exceptId).as('bytes');
		const row = await this.database.run((tables) =>
			tables.selectNoFrom(stored).executeTakeFirstOrThrow(),
		);
		return row.bytes;
	}

	/** Returns the bytes left of a key's quota; 0 when it is used up. */
	async leftBytes(ownerId: string, exceptId?: string): Promise<number> {
		const stored = await this.storedBytes(ownerId, exceptId);
		return Math.max(0, this.bytes - stored - this.arrivingBytes(ownerId, exceptId));
	}

	/** How large a single file may be, whatever its key has stored. */
	get sizeAllowance(): Allowance {
		const { sizeLimitBytes: bytes } = this;
		return { bytes, refusal: `The file is larger than ${bytes} bytes` };
	}

	/**
	 * Returns how large a file a key may store now.
	 * @param exceptId the upload whose file it replaces.
	 */
	async allowance(ownerId: string, exceptId?: string): Promise<Allowance> {
		const bytes = await this.leftBytes(ownerId, exceptId);
		if (bytes >= this.sizeLimitBytes) return this.sizeAllowance;
		return { bytes, refusal: this.refusal('The file', bytes) };
	}

	/** Says that something does not fit into what is left of a key's quota. */
	refusal(what: string, leftBytes: number): string {
		return (
			`${what} is larger than what is left of the storage quota of this API key (${leftBytes} of ` +
			`${this.bytes} bytes): delete edits, or wait until their retention ends`
		);
	}

	/** Begins to count what arrives for an edit or upload. */
	begin(ownerId: string, id: string): Arrival {
		const state = { bytes: 0, roomBytes: 0, isLeaving: false };
		const arrival = { ownerId, id, ...state, gone: Promise.withResolvers<undefined>() };
		this.arrivals.add(arrival);
		return arrival;
	}

	/**
	 * Counts more bytes of an arrival, before they are written.
	 * @throws TooLarge when they do not fit into the quota. The caller removes what it wrote, and ends.
	 */
	async grow(arrival: Arrival, bytes: number, what = 'The file'): Promise<void> {
		const { ownerId, id } = arrival;
		arrival.bytes += bytes;
		while (this.arrivingBytes(ownerId) > arrival.roomBytes) {
			arrival.roomBytes = this.bytes - (await this.storedBytes(ownerId, id));
			const others = this.arrivingBytes(ownerId) - arrival.bytes;
			if (others + arrival.bytes <= arrival.roomBytes) return;
			// Another one that leaves makes room. Without this, parallel ones would all refuse each other.
			const leaving = this.of(ownerId).find((one) => one.isLeaving && one !== arrival);
			if (leaving === undefined) {
				arrival.isLeaving = true;
				throw new TooLarge(this.refusal(what, Math.max(0, arrival.roomBytes - others)));
			}
			await leaving.gone.promise;
		}
	}

	/** Counts fewer bytes, or none: they are gone, or in the database. */
	shrink(arrival: Arrival, bytes = arrival.bytes): void {
		arrival.bytes -= bytes;
		for (const other of this.of(arrival.ownerId)) other.roomBytes = 0;
	}

	/** Ends an arrival. */
	end(arrival: Arrival): void {
		this.shrink(arrival);
		this.arrivals.delete(arrival);
		arrival.gone.resolve(undefined);
	}

	private of(ownerId: string): Arrival[] {
		return [...this.arrivals].filter((one) => one.ownerId === ownerId);
	}

	private arrivingBytes(ownerId: string, exceptId?: string): number {
		const counted = this.of(ownerId).filter(({ id }) => id !== exceptId);
		return counted.reduce((sum, { bytes }) => sum + bytes, 0);
	}
}
