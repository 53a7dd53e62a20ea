import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createTransport } from 'nodemailer';
import { z } from 'zod';

import { EditFailure, messageOf, TransientTrouble } from '../shared/failures.mts';
import type { StoredEdit } from '../store/edit.mts';
import type { MailSettings } from '../shared/settings.mts';

/** A finished edit to tell about. */
export interface MailOrder {
	job: Pick<StoredEdit, 'id' | 'request'>;
	/** The edited file first. */
	fileNames: readonly string[];
	/** Where `signed_url` put the edited file, without its query; null when it did not. */
	deliveredUrl: string | null;
}

/** Sends the finished files to the account. */
export interface Mailer {
	/** For the greeting: where mail goes. */
	readonly name: string;
	/** @throws EditFailure, or TransientTrouble when a later try may succeed. */
	send(order: MailOrder, signal: AbortSignal): Promise<void>;
}

/** Makes a link to a result file that works as long as the file is kept. */
export type LinkMaker = (jobId: string, fileName: string) => string;

/** Real milliseconds a mail server gets for each step. */
const SMTP_TIMEOUT_MS = 30_000;

/** A mailer for SMTP when a server is named, else one that writes `<edit>.eml` into a folder. */
export function createMailer(
	settings: MailSettings,
	outboxFolder: string,
	linkOf: LinkMaker,
): Mailer {
	const { smtpUrl } = settings;
	const messageFor = (order: MailOrder) => messageAbout(order, settings, linkOf);
	if (smtpUrl === undefined) {
		return {
			name: `${outboxFolder} (outbox)`,
			send: (order) => writeToOutbox(messageFor(order), order.job.id, outboxFolder),
		};
	}
	return {
		name: new URL(smtpUrl).host,
		send: (order, signal) => sendBySmtp(messageFor(order), smtpUrl, signal),
	};
}

/** A mail with a link to each file. */
function messageAbout(order: MailOrder, { from, to }: MailSettings, linkOf: LinkMaker) {
	const { job, fileNames, deliveredUrl } = order;
	const [editedName = 'the file'] = fileNames;
	const sources = job.request.sources.map(({ name }) => name).join(', ');
	const links = fileNames.map((name, index) => {
		const link = index === 0 && deliveredUrl !== null ? deliveredUrl : linkOf(job.id, name);
		return `${name}\n${link}`;
	});
	const text = [
		`${sources} is edited. The links work until the files are deleted.`,
		...links,
		`Edit ${job.id}`,
	].join('\n\n');
	return { from, to, subject: `Edited: ${editedName}`, text: `${text}\n` };
}

type Message = ReturnType<typeof messageAbout>;

/** The same mail as a file, complete when it is there under its name. */
async function writeToOutbox(message: Message, jobId: string, folder: string): Promise<void> {
	const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
	const { message: bytes } = await composer.sendMail(message);
	if (!(bytes instanceof Buffer)) throw new Error('The mail was not composed');
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const path = join(folder, `${jobId}.eml`);
	await writeFile(`${path}.unfinished`, bytes, { mode: 0o600 });
	await rename(`${path}.unfinished`, path);
}

/** What nodemailer puts on its errors. */
const smtpErrorSchema = z
	.object({ responseCode: z.number().catch(0), code: z.string().catch('') })
	.catch({ responseCode: 0, code: '' });

/** Statuses of SMTP from 500 on are final, and so is a refused password. */
function isFinal(error: unknown): boolean {
	const { responseCode, code } = smtpErrorSchema.parse(error);
	return responseCode >= 500 || code === 'EAUTH' || code === 'EENVELOPE';
}

async function sendBySmtp(message: Message, smtpUrl: string, signal: AbortSignal): Promise<void> {
	const transport = createTransport({
		url: smtpUrl,
		connectionTimeout: SMTP_TIMEOUT_MS,
		greetingTimeout: SMTP_TIMEOUT_MS,
		socketTimeout: SMTP_TIMEOUT_MS,
		disableFileAccess: true,
		disableUrlAccess: true,
	});
	const close = () => {
		transport.close();
	};
	signal.addEventListener('abort', close, { once: true });
	try {
		await transport.sendMail(message);
	} catch (error) {
		signal.throwIfAborted();
		const reason = `Mail through ${new URL(smtpUrl).host}: ${messageOf(error)}`;
		throw isFinal(error) ? new EditFailure(reason) : new TransientTrouble(reason);
	} finally {
		signal.removeEventListener('abort', close);
		close();
	}
}
