import { onlyOne } from '../outputs.mts';
import { startMailServer } from '../mailServer.mts';
import type { Outside } from './outside.mts';

/** Starts a mail server for an n8n. @returns the credential for it, and what reads the mails */
export async function startMails({ sandbox, editor }: Outside) {
	const { port, mails } = await startMailServer(sandbox);
	const login = { host: '127.0.0.1', port, secure: false, disableStartTls: true };
	return {
		smtp: await editor.createCredential('Mail', login, 'smtp'),
		/** Returns the mail with this subject, in one line. */
		mailAbout: (subject: string) => {
			const found = mails.filter((mail) => mail.includes(`Subject: ${subject}`));
			return onlyOne(found).replaceAll('=\n', '').replaceAll('\n', ' ');
		},
	};
}
