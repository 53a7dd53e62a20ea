/** The name of the credential type every call to the service is made with. */
export const CREDENTIAL_NAME = 'audioEditingApi';

/** A base URL that can be used, or the reason why it cannot. */
export type BaseUrl =
	| { readonly ok: true; readonly origin: string; readonly root: string }
	| { readonly ok: false; readonly reason: string };

/**
 * Reads the credential's base URL. A trailing slash and a version (`/v2`) are dropped, since every
 * path of the interface carries its own; a prefix path is kept, for services behind a proxy.
 */
export function parseBaseUrl(text: unknown): BaseUrl {
	const trimmed = typeof text === 'string' ? text.trim() : '';
	if (trimmed === '') return { ok: false, reason: 'it is empty' };
	let url: URL;
	try {
		url = new URL(trimmed);
	} catch {
		return { ok: false, reason: 'it is not a complete URL such as https://api.example.com' };
	}
	if (url.protocol !== 'http:' && url.protocol !== 'https:') {
		return { ok: false, reason: 'it must begin with https:// or http://' };
	}
	if (url.username || url.password) {
		return { ok: false, reason: 'it contains a user name or password, which do not belong there' };
	}
	if (url.search || url.hash) {
		return {
			ok: false,
			reason: 'it contains a query or fragment; only the host root belongs there',
		};
	}
	const prefix = url.pathname.replace(/\/+$/, '').replace(/\/v\d+$/, '');
	return { ok: true, origin: url.origin, root: url.origin + prefix };
}

/** Whether the address is one of this machine itself, by its name or number. */
export function isLoopback(url: string): boolean {
	return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

/** Whether the key would travel unencrypted over a network: http to anything but this machine. */
export function sendsKeyInTheClear(origin: string): boolean {
	return new URL(origin).protocol === 'http:' && !isLoopback(origin);
}
