import { isIPv4 } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';

import { CommanderError } from '@commander-js/extra-typings';

import {
	DEFAULT_EDIT_LIMITS,
	type EditLimits,
	editLimitsSchema,
	keptWithin,
	shortensSilences,
} from './editLimits.mts';
import { COMMAND } from './flags.mts';

/** The parsed flags of the command line. */
type Flags = ReturnType<(typeof COMMAND)['opts']>;

/** The settings of one process, from command line and environment. Units are in the names. */
export type Settings = ReturnType<typeof readSettings>;

export type { S3Place } from './flagValues.mts';

/** The settings of a queue shared by several processes. */
export type QueueSettings = NonNullable<ReturnType<typeof queueOf>>;

/** The settings of an OpenAI-compatible server. */
export interface OpenAiServerSettings {
	/** Including the version, such as `http://127.0.0.1:8000/v1`, without a trailing slash. */
	url: string;
	/** Sent as a bearer token; undefined if the server needs none. Never logged. */
	key: string | undefined;
	model: string;
}

/** What makes texts. Without a server, the service does that work offline. */
export type TextSettings = ReturnType<typeof textOf>;

/** How to send e-mails. */
export type MailSettings = Settings['mail'];

/** A mistake in the flags or their environment variables. The message is for the person who set them. */
export class WrongUsage extends Error {
	override readonly name = 'WrongUsage';
}

/** Whether a host is a loopback address, which only this machine can reach. */
export function isLoopback(host: string): boolean {
	return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** Returns the text that `--help` prints. */
export function helpText(): string {
	return COMMAND.helpInformation();
}

/** @throws WrongUsage for an unknown flag, or a missing or unsuitable value. */
function readFlags(args: readonly string[]): Flags {
	// Help must come even where a variable is unsuitable.
	const given = args.includes('--help') ? [] : flagsOfEnvironment(args);
	try {
		return COMMAND.parse([...given, ...args], { from: 'user' }).opts();
	} catch (error) {
		if (!(error instanceof CommanderError)) throw error;
		// Leaves out the value, which may be a key or contain a password.
		const fault = error.message.replace(
			/^error: (?:option '(--[\w-]+)[ '].* is invalid\. )?/s,
			'$1 ',
		);
		throw new WrongUsage(namedAsGiven(fault.trim(), given));
	}
}

/** Names the variable in place of the flag where the value came from the environment. */
function namedAsGiven(fault: string, fromEnvironment: readonly string[]): string {
	const [flag] = fault.split(' ', 1);
	const option = COMMAND.options.find(({ long }) => long === flag);
	const isFromEnvironment = fromEnvironment.some((given) => given.startsWith(`${flag}=`));
	return option?.envVar && isFromEnvironment ? fault.replace(flag, option.envVar) : fault;
}

/**
 * Returns the flags set by environment variables but not on the command line. An empty variable counts
 * as unset, because compose files cannot easily omit one.
 * @throws WrongUsage for a flag without value whose variable is not `true`.
 */
function flagsOfEnvironment(args: readonly string[]): string[] {
	return COMMAND.options.flatMap((option) => {
		const { envVar = '', long: flag = '' } = option;
		const value = process.env[envVar] ?? '';
		if (value === '' || args.some((arg) => arg === flag || arg.startsWith(`${flag}=`))) return [];
		// The only value that may be repeated and is a secret.
		if (flag === '--api-key')
			return value
				.trim()
				.split(/\s+/)
				.map((key) => `${flag}=${key}`);
		if (!option.isBoolean()) return [`${flag}=${value}`];
		if (value !== 'true') throw new WrongUsage(`${envVar} must be true, or not be set`);
		return [flag];
	});
}

/** Returns the settings of the Redis queue, if any. @throws WrongUsage for contradictory flags. */
function queueOf({ queue: url, leaseSeconds, worker, clockSpeed, database }: Flags) {
	if (url === undefined) {
		if (worker) throw new WrongUsage('--worker needs --queue');
		if (database !== undefined) throw new WrongUsage('--database needs --queue');
		return undefined;
	}
	if (clockSpeed !== 1) {
		throw new WrongUsage('--clock-speed excludes --queue: each process has its own clock');
	}
	return { url, leaseSeconds };
}

/** Returns how many edits run at once. @throws WrongUsage when no process would run any. */
function concurrencyOf({ concurrency, queue, worker }: Flags): number {
	if (concurrency === 0 && (queue === undefined || worker)) {
		throw new WrongUsage('--concurrency must be a whole number, at least 1');
	}
	return concurrency ?? availableParallelism();
}

/** Returns what makes texts. @throws WrongUsage when a model is missing, or for two recognizers. */
function textOf(flags: Flags) {
	const { transcriptionUrl, transcriptionKey, transcriptionModel, chatUrl, chatKey, chatModel } =
		flags;
	if (transcriptionUrl !== undefined && flags.speechModel !== undefined) {
		throw new WrongUsage('--speech-model excludes --transcription-url');
	}
	if (chatUrl !== undefined && chatModel === undefined) {
		throw new WrongUsage('--chat-url needs --chat-model');
	}
	return {
		transcription: serverOf(transcriptionUrl, transcriptionKey, transcriptionModel),
		/** A speech model in this file, or any in this folder. */
		speechModel: flags.speechModel,
		modelFolder: modelFolderIn(flags.storage),
		/** whisper.cpp's program; undefined for the one on the PATH. */
		whisperProgram: flags.whisperProgram,
		chat: serverOf(chatUrl, chatKey, chatModel),
	};
}

/** Returns where a storage folder has its speech models. */
export function modelFolderIn(storage: string): string {
	return join(resolve(storage), 'models');
}

function serverOf(url?: string, key?: string, model?: string): OpenAiServerSettings | undefined {
	return url === undefined || model === undefined ? undefined : { url, key, model };
}

/** Returns the limits of edits. @throws WrongUsage when a long silence would lose next to nothing. */
function editLimitsOf(flags: Flags): EditLimits {
	const asked = editLimitsSchema.parse(flags);
	const isUsual = asked.keptPauseSeconds === DEFAULT_EDIT_LIMITS.keptPauseSeconds;
	const limits = isUsual ? keptWithin(asked) : asked;
	if (!shortensSilences(limits)) {
		throw new WrongUsage('--long-silence-seconds must be more than --kept-pause-seconds');
	}
	return limits;
}

/** Parses the command line (without `node` and the script). @throws WrongUsage */
export function readSettings(args: readonly string[]) {
	const flags = readFlags(args);
	const isOwnMachine = isLoopback(flags.host);
	return {
		...flags,
		storageFolder: resolve(flags.storage),
		/** If empty, the service generates a key and keeps it in the storage folder. */
		apiKeys: flags.apiKey,
		/** Number of edits that run at once. */
		concurrency: concurrencyOf(flags),
		/** The Redis queue; undefined for a queue inside this process. */
		queue: queueOf(flags),
		/** Whether edits may fetch from and deliver to this machine and private networks. */
		allowPrivateSources: flags.allowPrivateSources === true || isOwnMachine,
		/** Whether the page plays recordings to everybody who can reach it. */
		publicPlayers: flags.publicPlayers === true || isOwnMachine,
		editLimits: editLimitsOf(flags),
		text: textOf(flags),
		/** From whom e-mails go to the account. The URL may contain a password; without it, they go to the outbox. */
		mail: { smtpUrl: flags.smtpUrl, from: flags.mailFrom, to: flags.mailTo },
	};
}
