import { Command, CommanderError } from '@commander-js/extra-typings';

import { DEFAULT_STORAGE } from '../shared/flags.mts';
import { modelFolderIn, WrongUsage } from '../shared/settings.mts';
import { isModelName, MODEL_ADDRESS, MODEL_NAMES } from '../text/speech/models/publishedModels.mts';
import { fetchModel } from '../text/speech/models/fetchModel.mts';

/** Characters of the progress bar. */
const BAR_LENGTH = 30;

/**
 * `audio-editing-service get-model <name> [--storage <folder>]`: fetches a speech model into the storage
 * folder, where the service finds it at its next start. Run again, it continues where it stopped.
 *
 * @throws WrongUsage for another model or flag; Error that says why it cannot be fetched, and what to do.
 */
export async function getModel(args: readonly string[]): Promise<void> {
	const { name, storage } = readArguments(args);
	if (!isModelName(name)) {
		throw new WrongUsage(
			`get-model takes one of ${MODEL_NAMES.join(', ')}, and --storage <folder>`,
		);
	}
	const folder = modelFolderIn(storage);
	const { path, isPublished } = await fetchModel(name, folder, {
		address: MODEL_ADDRESS,
		onProgress: progressBar(),
	});
	if (!isPublished) {
		process.stderr.write(
			`Warning: ${path} does not have the published checksum. If you did not make it yourself, delete it ` +
				'and run this again.\n',
		);
	}
	process.stdout.write(`${path} is ready. Restart the service to use it.\n`);
}

function readArguments(args: readonly string[]): { name: string; storage: string } {
	const command = new Command('get-model')
		.argument('<name>')
		.option('--storage <folder>', '', process.env['LOCAL_SERVICE_STORAGE'] || DEFAULT_STORAGE)
		.helpOption(false)
		.exitOverride()
		.configureOutput({ writeErr: () => undefined });
	try {
		const { args: names } = command.parse([...args], { from: 'user' });
		return { name: names[0], ...command.opts() };
	} catch (error) {
		if (!(error instanceof CommanderError)) throw error;
		throw new WrongUsage(`get-model: ${error.message.replace(/^error: /, '')}`);
	}
}

/** Returns what shows progress: a bar that grows on a terminal, or else a line for each tenth. */
function progressBar(): (share: number, totalBytes: number) => void {
	let shown = -1;
	return (share, totalBytes) => {
		const percent = Math.floor(100 * share);
		const { isTTY } = process.stderr;
		if (percent === shown || (!isTTY && percent % 10 !== 0)) return;
		shown = percent;
		const filled = Math.round(share * BAR_LENGTH);
		const bar = '#'.repeat(filled).padEnd(BAR_LENGTH, '.');
		const line = `[${bar}] ${percent} % of ${Math.round(totalBytes / 1e6)} MB`;
		// On a terminal, the bar stays above the cursor, so that an error has its own line.
		process.stderr.write(isTTY ? `\r${line}\n\x1b[1A` : `${line}\n`);
	};
}
