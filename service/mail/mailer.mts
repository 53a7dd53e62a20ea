import { mkdir, rename, writeFile } from 'node:fs/promises';

import { createTransport } from 'nodemailer';
import { z } from 'zod';

import { EditFailure, messageOf, TransientTrouble } from '../shared/failures.mts';
import { offeredFileNames, type EditOutcome, type StoredEdit } from '../store/edit.mts';
import type { RunName } from '../store/files/fileStore.mts';
import type { Scratch } from '../store/files/scratch.mts';
import type { MailSettings } from '../shared/settings.mts';

/** E-mails the account links to finished files. */
export interface Mailer {
	/** For the greeting: where e-mails go. */
	readonly name: string;
	/** @throws EditFailure, or TransientTrouble when a later try may succeed. */
	send(edit: StoredEdit, outcome: EditOutcome, signal: AbortSignal): Promise<void>;
}

/**
 * Returns a link to a result file that works until the retention ends; in object storage, for seven
 * days at most.
 */
export type LinkMaker = (run: RunName, fileName: string) => Promise<string>;

/** Real milliseconds in which a mail server may be silent, and in which it must have taken an e-mail. */
const SMTP_TIMEOUT_MS = 30_000;
const MAX_SMTP_MS = 180_000;

/** Returns a mailer: over SMTP when `smtpUrl` is set, otherwise into a folder as `<edit>.eml`. */
export function createMailer(
	settings: MailSettings,
	scratch: Scratch,
	linkOf: LinkMaker,
	maxSmtpMs = MAX_SMTP_MS,
): Mailer {
	const { smtpUrl } = settings;
	if (smtpUrl === undefined) {
		return {
			name: `${scratch.outboxFolder} (outbox)`,
			send: async (edit, outcome) => {
				const message = await messageAbout(edit, outcome, settings, linkOf);
				await writeToOutbox(message, edit.id, scratch);
			},
		};
	}
	return {
		name: new URL(smtpUrl).host,
		send: async (edit, outcome, signal) => {
			const message = await messageAbout(edit, outcome, settings, linkOf);
			await sendBySmtp(message, smtpUrl, maxSmtpMs, signal);
		},
	};
}

/** Composes an e-mail with a link to each file. */
async function messageAbout(
	{ id, request }: StoredEdit,
	outcome: EditOutcome,
	{ from, to }: MailSettings,
	linkOf: LinkMaker,
) {
	const { run, fileName, deliveredUrl, notes } = outcome;
	const sources = request.sources.map(({ name }) => name).join(', ');
	const linked = [...new Set(offeredFileNames(outcome))].map(async (name) => {
		const url = name === fileName ? deliveredUrl : null;
		return `${name}\n${url ?? (await linkOf({ editId: id, run }, name))}`;
	});
	const text = [
		`${sources} is edited. The links work until the files are deleted.`,
		...(await Promise.all(linked)),
		...notes.map((note) => `Note: ${note}`),
		`Edit ${id}`,
	].join('\n\n');
	// If two processes send the mail, mail clients show it once.
	const messageId = `<${id}@audio-editing-service>`;
	return { from, to, messageId, subject: `Edited: ${fileName}`, text: `${text}\n` };
}

type Message = Awaited<ReturnType<typeof messageAbout>>;

/** Writes an e-mail to the outbox, under a temporary name until it is complete. */
async function writeToOutbox(message: Message, editId: string, scratch: Scratch): Promise<void> {
	const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
	const { message: bytes } = await composer.sendMail(message);
	if (!(bytes instanceof Buffer)) throw new Error('The mail was not composed');
	await mkdir(scratch.outboxFolder, { recursive: true, mode: 0o700 });
	const unfinished = scratch.unfinishedMailPath(editId);
	await writeFile(unfinished, bytes, { mode: 0o600 });
	await rename(unfinished, scratch.mailPath(editId));
}

/** The fields that nodemailer adds to its errors. */
const smtpErrorSchema = z
	.object({ responseCode: z.number().catch(0), code: z.string().catch('') })
	.catch({ responseCode: 0, code: '' });

/** Whether a retry is pointless: SMTP statuses from 500, a refused password or address. */
function isFinal(error: unknown): boolean {
	const { responseCode, code } = smtpErrorSchema.parse(error);
	return responseCode >= 500 || code === 'EAUTH' || code === 'EENVELOPE';
}

/** The library itself limits how much of an answer it keeps. */
async function sendBySmtp(
	message: Message,
	smtpUrl: string,
	maxMs: number,
	signal: AbortSignal,
): Promise<void> {
	const transport = createTransport({
		url: smtpUrl,
		connectionTimeout: SMTP_TIMEOUT_MS,
		greetingTimeout: SMTP_TIMEOUT_MS,
		socketTimeout: SMTP_TIMEOUT_MS,
		disableFileAccess: true,
		disableUrlAccess: true,
	});
	const timeLimit = AbortSignal.timeout(maxMs);
	try {
		await transport.sendMail({ ...message, signal: AbortSignal.any([signal, timeLimit]) });
	} catch (error) {
		signal.throwIfAborted();
		const why = timeLimit.aborted ? `not finished within ${maxMs / 1_000} s` : messageOf(error);
		const reason = `Mail through ${new URL(smtpUrl).host}: ${why}`;
		throw isFinal(error) ? new EditFailure(reason) : new TransientTrouble(reason);
	} finally {
		transport.close();
	}
}
