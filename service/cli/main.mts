import { readFileSync } from 'node:fs';

import { getModel } from './getModel.mts';
import { startLocalService, type LocalService } from './localService.mts';
import { commandName } from '../shared/flags.mts';
import { messageOf, stackOf } from '../shared/failures.mts';
import { createLog, serverAddress, type Log } from '../shared/log.mts';
import { findFfmpeg } from '../media/ffmpeg/ffmpeg.mts';
import { VERSION } from '../shared/version.mts';
import { startWorker } from './worker.mts';
import { type Settings, WrongUsage, helpText, readSettings } from '../shared/settings.mts';

/** Returns the text that the service prints at its start. */
function greeting(service: LocalService, settings: Settings): string {
	const { ffmpegPath, source } = findFfmpeg();
	return [
		`Local audio editing service ${VERSION}`,
		`  URL       ${service.url}`,
		`  Process   ${process.pid}`,
		...service.apiKeys.map((apiKey) => `  API key   ${shownKey(apiKey, settings)}`),
		`  Limits    ${settings.submissionsPerMinute} submissions and ${settings.statusCallsPerMinute} status calls a minute per key`,
		`  Edits     ${settings.concurrency} at once, kept ${settings.retentionDays} days, clock × ${settings.clockSpeed}`,
		`  Storage   ${settings.storageFolder}`,
		...(settings.files === undefined ? [] : [`  Files     ${service.files.name}`]),
		...unreachableLines(service),
		'  Links     to upload and download carry this URL: ask for new ones after a restart at another',
		...sharedLines(settings),
		`  Speech    ${service.texts.transcriber?.name ?? 'no recognizer'}`,
		...modelLines(service),
		`  Writing   ${service.texts.writer.name}`,
		`  Mail      ${service.mailer.name}`,
		`  ffmpeg    ${ffmpegPath} (${source})`,
	].join('\n');
}

/** Says how to get transcripts, or get them sooner. */
function modelLines({ texts: { transcriber } }: LocalService): string[] {
	if (transcriber?.advice !== undefined) return [`            ${transcriber.advice}`];
	if (transcriber !== undefined) return [];
	return [`            for transcripts, run "${commandName()} get-model base" and restart`];
}

/** Warns of an address that only says where to listen. */
function unreachableLines({ url }: LocalService): string[] {
	const { hostname } = new URL(url);
	if (hostname !== '0.0.0.0' && hostname !== '[::]') return [];
	return [`  Warning   no other machine can open links to ${hostname}: set --public-url`];
}

/** Shows only a generated key: what a container prints stays in its log, and the other keys are known. */
function shownKey(apiKey: string, settings: Settings): string {
	const given = settings.apiKeys.find(({ key }) => key === apiKey);
	if (given?.plan === 'enterprise') {
		const { enterpriseSubmissionsPerMinute: submissions } = settings;
		return `as given (enterprise: ${submissions} submissions a minute)`;
	}
	return given ? 'as given' : apiKey;
}

/** Returns the text that a worker prints at its start. */
function workerGreeting(settings: Settings): string {
	return [
		'Worker of the local audio editing service',
		`  Process   ${process.pid}`,
		`  Edits     ${settings.concurrency} at once`,
		`  Storage   ${settings.storageFolder}`,
		...sharedLines(settings),
	].join('\n');
}

/** Names the servers that this process shares with others. */
function sharedLines({ queue, database, concurrency }: Settings): string[] {
	if (queue === undefined) return [];
	const who = concurrency === 0 ? ', by workers only' : '';
	const lines = [`  Queue     ${serverAddress(queue.url)}${who}`];
	return database === undefined ? lines : [...lines, `  Database  ${serverAddress(database)}`];
}

/** Milliseconds between checks whether npm is still running. */
const PARENT_CHECK_MS = 1_000;

/**
 * Calls `close` when the npm that started this process is gone. npm does not always forward signals,
 * and an orphaned service would keep the port and the storage folder. A service started without npm
 * may outlive its parent.
 */
function onLostParent(close: () => void): void {
	if (process.env['npm_lifecycle_event'] === undefined) return;
	const parent = process.ppid;
	const npm = parentOfShell(parent);
	const timer = setInterval(() => {
		if (process.ppid === parent && parentOfShell(parent) === npm) return;
		clearInterval(timer);
		close();
	}, PARENT_CHECK_MS);
	timer.unref();
}

/**
 * Returns the parent of the shell that npm starts, which goes on when npm is killed; undefined for
 * another process, and where Linux's /proc does not say.
 */
function parentOfShell(pid: number): string | undefined {
	try {
		const status = readFileSync(`/proc/${pid}/status`, 'utf8');
		const isShell = /^Name:\t(?:ba|da|z)?sh$/m.test(status);
		return isShell ? /^PPid:\t(\d+)$/m.exec(status)?.[1] : undefined;
	} catch {
		return undefined;
	}
}

/** Real milliseconds to close in: Docker kills a process after ten seconds. */
const MAX_CLOSE_MS = 9_500;

/** Closes the service at the first SIGINT or SIGTERM and exits immediately at the second. */
function closeOnSignal(service: { close(): Promise<void> }, log: Log): void {
	let isClosing = false;
	const close = () => {
		if (isClosing) process.exit(1);
		isClosing = true;
		log('stopping: the next start repeats what is unfinished');
		// A server that does not answer must not hold up the end. Whatever is left begins again elsewhere.
		setTimeout(() => process.exit(1), MAX_CLOSE_MS).unref();
		service.close().then(
			() => process.exit(0),
			(error: unknown) => {
				process.stderr.write(`${String(error)}\n`);
				process.exit(1);
			},
		);
	};
	process.on('SIGINT', close);
	process.on('SIGTERM', close);
	onLostParent(close);
}

/** Real milliseconds to take attempts back in, when an error ends the process. */
const MAX_LAST_WRITE_MS = 3_000;

/**
 * Ends the process after an error that nobody caught, as Node would, but first takes back the attempts of
 * the running edits: they count toward the limit at which an edit is blamed for the end of its process.
 */
function endOnUncaughtError(service: { acquitEdits(): Promise<void> }, log: Log): void {
	process.once('uncaughtException', (error) => {
		log(`ends because of an error that nobody caught: ${stackOf(error)}`);
		const exit = () => process.exit(1);
		setTimeout(exit, MAX_LAST_WRITE_MS);
		service.acquitEdits().then(exit, (trouble: unknown) => {
			log(`cannot take back the attempts of the running edits: ${messageOf(trouble)}`);
			exit();
		});
	});
}

const args = process.argv.slice(2);
const isModelWanted = args.at(0) === 'get-model';

async function main(): Promise<void> {
	// Without a listener, the process would end with EPIPE when the reader of its log is gone.
	for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
	if (isModelWanted) {
		await getModel(args.slice(1));
		return;
	}
	const settings = readSettings(args);
	if (settings.help || settings.version) {
		process.stdout.write(settings.help ? helpText() : `${VERSION}\n`);
		return;
	}
	// Only the owner may read what this process and its ffmpeg write.
	process.umask(0o077);
	// Fails before anything starts when there is no ffmpeg.
	findFfmpeg();
	const log = createLog();
	if (settings.worker) {
		const worker = await startWorker(settings, log);
		closeOnSignal(worker, log);
		endOnUncaughtError(worker, log);
		const ready = `ready ${JSON.stringify({ worker: process.pid })}`;
		process.stdout.write(`${settings.jsonReady ? ready : workerGreeting(settings)}\n`);
		return;
	}
	const service = await startLocalService(settings, log);
	closeOnSignal(service, log);
	endOnUncaughtError(service, log);
	if (settings.jsonReady) {
		const ready = JSON.stringify({ url: service.url, apiKey: service.apiKeys[0] });
		process.stdout.write(`ready ${ready}\n`);
	} else {
		process.stdout.write(`${greeting(service, settings)}\n`);
	}
}

try {
	await main();
} catch (error) {
	const message = error instanceof Error ? error.message : String(error);
	if (error instanceof WrongUsage) process.stderr.write(`${message}\nSee --help.\n`);
	else createLog()(`${isModelWanted ? 'cannot get the model' : 'cannot start'}: ${message}`);
	process.exit(error instanceof WrongUsage ? 2 : 1);
}
