import { helpText } from './flags.mts';
import { startLocalService, type LocalService } from './localService.mts';
import { createLog } from './log.mts';
import { findFfmpeg } from './media/ffmpeg.mts';
import { readSettings, WrongUsage, type Settings } from './settings.mts';

/** What a person wants to see at the start. */
function greeting(service: LocalService, settings: Settings): string {
	const { ffmpegPath, source } = findFfmpeg();
	return [
		'Local audio editing service',
		`  URL       ${service.url}`,
		...service.apiKeys.map((apiKey) => `  API key   ${apiKey}`),
		`  Limits    ${settings.submissionsPerMinute} submissions and ${settings.statusCallsPerMinute} status calls a minute per key`,
		`  Edits     ${settings.concurrency} at once, kept ${settings.retentionDays} days, clock × ${settings.clockSpeed}`,
		`  Storage   ${settings.storageFolder}`,
		`  ffmpeg    ${ffmpegPath} (${source})`,
	].join('\n');
}

/** Closes the service at the first SIGINT or SIGTERM, and leaves at once at the second. */
function closeOnSignal(service: LocalService): void {
	let isClosing = false;
	const close = () => {
		if (isClosing) process.exit(1);
		isClosing = true;
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
}

async function main(): Promise<void> {
	const settings = readSettings(process.argv.slice(2));
	if (settings.help) {
		process.stdout.write(`${helpText()}\n`);
		return;
	}
	// Whatever this process and its ffmpeg write is for its owner only.
	process.umask(0o077);
	// Before anything starts: without ffmpeg nothing could be edited.
	findFfmpeg();
	const service = await startLocalService(settings, createLog());
	closeOnSignal(service);
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
	const hint = error instanceof WrongUsage ? '\nSee --help.' : '';
	process.stderr.write(`${message}${hint}\n`);
	process.exit(error instanceof WrongUsage ? 2 : 1);
}
