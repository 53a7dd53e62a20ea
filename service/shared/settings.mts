import { isIPv4 } from 'node:net';

import type { ApiKey } from './accounts.mts';

/** What the service was told on its command line. Units are in the names. */
export interface Settings {
	host: string;
	/** 0 takes any free port. */
	port: number;
	storageFolder: string;
	/** Empty: one key is generated and kept in the storage folder. */
	apiKeys: ApiKey[];
	/** Without a slash at the end; undefined: made of host and port. */
	publicUrl: string | undefined;
	submissionsPerMinute: number;
	enterpriseSubmissionsPerMinute: number;
	statusCallsPerMinute: number;
	clockSpeed: number;
	/** Service seconds. */
	minimumStateSeconds: number;
	/** Edits worked on at once. */
	concurrency: number;
	/** The queue on Redis; undefined: one inside this process. */
	queue: QueueSettings | undefined;
	/** Whether this process only works on what is in that queue. */
	worker: boolean;
	retentionDays: number;
	uploadLinkMinutes: number;
	downloadLinkMinutes: number;
	sourceSizeLimitBytes: number;
	/** Files that one edit may name. */
	mostTracks: number;
	/** Edits of one key that have not ended. */
	mostQueuedEdits: number;
	/** What is kept for one key. */
	quotaBytes: number;
	/** Real seconds: a network does not run faster than it does. */
	sourceTimeoutSeconds: number;
	/** For two channels at 48 kHz. */
	longestSourceHours: number;
	/** Whether edits may fetch from and deliver to this machine and private networks. */
	allowPrivateSources: boolean;
	/** Servers for transcription and writing; undefined for what works offline. */
	text: TextSettings;
	mail: MailSettings;
	/** A JSON file of configurations; undefined for those that come with the service. */
	templatesFile: string | undefined;
	/** Whether the page needs no key where other machines reach it. */
	publicPage: boolean;
	/** Whether the page plays recordings to whoever reaches it. */
	publicPlayers: boolean;
	credit: number;
	jsonReady: boolean;
	help: boolean;
}

/** A queue that several processes work on. */
export interface QueueSettings {
	/** redis:// or rediss://; may hold a password. */
	url: string;
	/** Real seconds of silence after which a worker is taken for dead. */
	leaseSeconds: number;
}

/** An OpenAI-compatible server as the command line names it. */
export interface OpenAiServerSettings {
	/** Up to and including the version, such as `http://127.0.0.1:8000/v1`; no slash at the end. */
	url: string;
	/** Sent as a bearer token; undefined for a server that wants none. Never logged. */
	key: string | undefined;
	model: string;
}

/** The servers the command line names, if any. */
export interface TextSettings {
	transcription: OpenAiServerSettings | undefined;
	chat: OpenAiServerSettings | undefined;
}

/** How mail goes out. */
export interface MailSettings {
	/** `smtp(s)://user:password@host:port`, never logged; undefined: the outbox folder. */
	smtpUrl: string | undefined;
	from: string;
	/** The account's e-mail. */
	to: string;
}

/** Whether only this machine reaches a service that listens there. */
export function isLoopback(host: string): boolean {
	return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
