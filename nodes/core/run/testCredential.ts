import type {
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { type UsableBaseUrl, isLoopback, parseBaseUrl } from '../../../api/credential';
import { askForAccount } from '../../../api/credentialTest';
import type { RequestFailure } from '../../../api/failure';
import { isTransient } from '../../../api/retry';
import { saidText, textForFailure } from '../errors/failureTexts';

/** The port that n8n itself listens on, unless it is told another. */
const N8N_PORT = '5678';

const NEW_KEY =
	'Create a key in your account, under API keys. The local service prints its key when it starts.';

const OTHER_KEY: Readonly<Record<number, string>> = {
	401: `The service does not know this API key. Copy it again, or use another one. ${NEW_KEY}`,
	403: 'The service refuses this API key. Check in your account whether it is still valid.',
};

/** A character that no header may have, and so no key. */
const NOT_IN_HEADER = /[^\t\x20-\x7e\x80-\xff]/;

/** What the test needs of n8n. */
interface CredentialTest {
	readonly helpers: Pick<ICredentialTestFunctions['helpers'], 'request'>;
}

/**
 * Tests a credential: n8n shows the message, so it says what to do. n8n's own test of a request shows no more than
 * a code such as ECONNREFUSED.
 */
export async function testCredential(
	this: CredentialTest,
	{ data }: Pick<ICredentialsDecrypted, 'data'>,
): Promise<INodeCredentialTestResult> {
	const { baseUrl, apiKey: entered } = data ?? {};
	const base = parseBaseUrl(baseUrl);
	if (!base.ok) return refused(`The 'Base URL' ${base.reason}.`);
	const apiKey = String(entered ?? '').trim();
	if (apiKey === '') return refused(`The 'API Key' is empty. ${NEW_KEY}`);
	if (NOT_IN_HEADER.test(apiKey)) {
		return refused("The 'API Key' has a character that no key has. Copy it again, in one line.");
	}
	const { helpers } = this;
	const account = await askForAccount(helpers.request, base, apiKey);
	if (!account.ok) return refused(textOf(account.failure, base, apiKey));
	return { status: 'OK', message: 'Connection tested successfully' };
}

function refused(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}

/** Why a credential does not work, and what to do, in sentences. */
function textOf(failure: RequestFailure, base: UsableBaseUrl, apiKey: string): string {
	const { kind, status = 0, said = '' } = failure;
	const isRefusedKey = kind === 'status' && status in OTHER_KEY;
	if (isRefusedKey && /\s/.test(apiKey)) {
		return 'The service does not know this API key, which has a blank in it. Copy it again, without one.';
	}
	if (isRefusedKey) return OTHER_KEY[status];
	if (kind === 'unreachable') {
		return `The service could not be reached at ${base.origin}: ${said}. ${adviceToReach(base, said)}`;
	}
	const [reason, advice] = textForFailure(failure);
	const isPassing = isTransient(failure);
	if (!isPassing && kind !== 'redirect') {
		const notFound = `There is no audio editing service at ${base.root}.`;
		const words = status === 404 ? '' : saidText(failure);
		return inSentences(notFound, words, adviceToFind(base));
	}
	const sentence = `${reason[0].toUpperCase()}${reason.slice(1)}.`;
	return inSentences(sentence, saidText(failure), isPassing ? 'Try again in a minute.' : advice);
}

const inSentences = (...sentences: string[]) => sentences.filter(Boolean).join(' ');

function adviceToReach({ origin }: UsableBaseUrl, said: string): string {
	if (/certificate/i.test(said)) {
		return 'Whoever runs the service has to install a valid certificate. If your own authority signed it, name that authority to n8n in NODE_EXTRA_CA_CERTS.';
	}
	if (/does not speak https/.test(said)) return "Change https:// to http:// in the 'Base URL'.";
	const check = "Check the host and the port in the 'Base URL', and that the service runs.";
	if (!isLoopback(origin)) return `${check} n8n's machine must be allowed to connect to it.`;
	return `${check} If n8n runs in Docker, ${new URL(origin).hostname} is n8n's own container: enter the name of the service's container or machine, such as host.docker.internal.`;
}

function adviceToFind({ origin, root }: UsableBaseUrl): string {
	const { port } = new URL(origin);
	if (port === N8N_PORT) {
		return `${N8N_PORT} is the port of n8n itself. Enter the URL of the service; the local one prints it when it starts.`;
	}
	if (root !== origin) return `Enter only ${origin} as 'Base URL', without a path.`;
	return "Enter the root URL of the service's API as 'Base URL', not that of its website or of n8n.";
}
