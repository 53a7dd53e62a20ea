import { isIPv4 } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';

import { CommanderError } from '@commander-js/extra-typings';

import { COMMAND } from './flags.mts';

/** What the command line says, flag by flag. */
type Flags = ReturnType<(typeof COMMAND)['opts']>;

/** The settings of one process, from its command line and environment. Units are in the names. */
export type Settings = ReturnType<typeof readSettings>;

/** A queue that several processes work on. */
export interface QueueSettings {
	/** redis:// or rediss://; may hold a password. */
	url: string;
	/** Real seconds of silence after which a worker counts as dead. */
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

/** The servers the command line names, if any; what is undefined is done offline. */
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

/** Thrown for a command line that cannot be understood; the message is for the person who typed it. */
export class WrongUsage extends Error {
	override readonly name = 'WrongUsage';
}

/** Whether only this machine reaches a service that listens there. */
export function isLoopback(host: string): boolean {
	return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** The text that `--help` prints. */
export function helpText(): string {
	return COMMAND.helpInformation();
}

/** @throws WrongUsage for an unknown flag, or a value that is missing or does not fit. */
function readFlags(args: readonly string[]): Flags {
	try {
		return COMMAND.parse(args, { from: 'user' }).opts();
	} catch (error) {
		if (!(error instanceof CommanderError)) throw error;
		// Without the value, which may be a key or hold a password.
		const fault = error.message.replace(/^error: (?:option '(--\S+).* is invalid\. )?/s, '$1 ');
		throw new WrongUsage(fault.trim());
	}
}

/** The queue on Redis, if any. @throws WrongUsage for flags that do not go together. */
function queueOf({ queue: url, leaseSeconds, worker, clockSpeed }: Flags) {
	if (url === undefined) {
		if (worker) throw new WrongUsage('--worker needs --queue');
		return undefined;
	}
	if (clockSpeed !== 1) {
		throw new WrongUsage('--clock-speed does not go with --queue: each process has its own clock');
	}
	return { url, leaseSeconds };
}

/** Edits worked on at once. @throws WrongUsage when nobody would work. */
function concurrencyOf({ concurrency, queue, worker }: Flags): number {
	if (concurrency === 0 && (queue === undefined || worker)) {
		throw new WrongUsage('--concurrency must be a whole number, at least 1');
	}
	return concurrency ?? availableParallelism();
}

/** The servers for texts. @throws WrongUsage when a model is missing. */
function textOf(flags: Flags): TextSettings {
	const { transcriptionUrl, transcriptionKey: key, transcriptionModel: model } = flags;
	const { chatUrl, chatKey, chatModel } = flags;
	if (chatUrl !== undefined && chatModel === undefined) {
		throw new WrongUsage('--chat-url needs --chat-model');
	}
	return {
		transcription:
			transcriptionUrl === undefined ? undefined : { url: transcriptionUrl, key, model },
		chat:
			chatUrl === undefined || chatModel === undefined
				? undefined
				: { url: chatUrl, key: chatKey, model: chatModel },
	};
}

/** Reads the command line (without `node` and the script). @throws WrongUsage */
export function readSettings(args: readonly string[]) {
	const flags = readFlags(args);
	const isOwnMachine = isLoopback(flags.host);
	return {
		...flags,
		storageFolder: resolve(flags.storage),
		/** Empty: one key is generated and kept in the storage folder. */
		apiKeys: flags.apiKey,
		/** Edits worked on at once. */
		concurrency: concurrencyOf(flags),
		/** The queue on Redis; undefined: one inside this process. */
		queue: queueOf(flags),
		/** Whether edits may fetch from and deliver to this machine and private networks. */
		allowPrivateSources: flags.allowPrivateSources === true || isOwnMachine,
		/** Whether the page plays recordings to everybody who reaches it. */
		publicPlayers: flags.publicPlayers === true || isOwnMachine,
		text: textOf(flags),
		mail: { smtpUrl: flags.smtpUrl, from: flags.mailFrom, to: flags.mailTo },
	};
}
