import type { IBinaryData } from 'n8n-workflow';

/** What every client does for each item: upload a file, edit it, get the result, delete it. */
export interface Job {
	readonly url: string;
	readonly apiKey: string;
	readonly items: number;
	/** The file to upload, in n8n's binary store. */
	readonly binary: IBinaryData;
	/** Path of the same file. */
	readonly path: string;
	/** Size of the file, and of its result. */
	readonly fileBytes: number;
	/** Where a client without n8n writes results. */
	readonly folder: string;
}

/** The clients to compare. */
export type ClientName = 'plain axios' | 'our nodes' | "n8n's helpers alone" | 'engine alone';

/** Cost of one round of a client. */
export interface Round {
	readonly cpuMsPerItem: number;
	readonly itemsPerSecond: number;
}

/** The rounds of each client. */
export type Rounds = Record<ClientName, Round[]>;

/** What Create Edit sends with its default settings. */
export const CONFIG = { remove_noise: true, normalize: true };

/** POST upload, PUT, POST edits, GET edit twice (Wait For Edit, Get Result), GET file, DELETE. */
export const REQUESTS_PER_ITEM = 7;
