import type { IBinaryData } from 'n8n-workflow';

/** What every client does once for each item: upload a file, have it edited, get the result, delete. */
export interface Job {
	readonly url: string;
	readonly apiKey: string;
	readonly items: number;
	/** The file to upload, as n8n stored it. */
	readonly binary: IBinaryData;
	/** The same file's path. */
	readonly path: string;
	/** The file's size, and the size of its result. */
	readonly fileBytes: number;
	/** Where a client without n8n writes its results. */
	readonly folder: string;
}

/** The clients that are compared. */
export type ClientName = 'plain axios' | 'our nodes' | "n8n's helpers alone" | 'engine alone';

/** What one round of a client cost. */
export interface Round {
	readonly cpuMsPerItem: number;
	readonly itemsPerSecond: number;
}

/** The rounds of each client. */
export type Rounds = Record<ClientName, Round[]>;

/** What Create Edit sends when its form is left as it is. */
export const CONFIG = { remove_noise: true, normalize: true };

/** POST upload, PUT, POST edits, GET edit twice (Wait For Edit, Get Result), GET file, DELETE. */
export const REQUESTS_PER_ITEM = 7;
