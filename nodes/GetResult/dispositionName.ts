import { decodedName } from '../shared/fileNames';

/** A parameter of a header: its name, and its value as a quoted string or as it is. */
const PARAMETER = /(?:^|;)\s*([\w-]+\*?)\s*=\s*("(?:\\.|[^"\\])*"|[^;]*)/g;

/** RFC 8187: `charset'language'percent-encoded`. */
const EXTENDED_VALUE = /^([\w-]*)'[\w-]*'(.*)$/;

/** The file's name in a Content-Disposition header (RFC 6266); undefined where there is none. */
export function nameInDisposition(header: string): string | undefined {
	const parameters = new Map<string, string>();
	for (const [, name, value] of asUtf8(header).matchAll(PARAMETER)) {
		parameters.set(name.toLowerCase(), unquoted(value.trim()));
	}
	const extended = parameters.get('filename*');
	const plain = parameters.get('filename');
	return (extended && decodedExtended(extended)) || (plain && decodedName(plain)) || undefined;
}

/** Node.js reads headers as Latin-1; many servers write UTF-8 into them. */
function asUtf8(header: string): string {
	if (/[^\p{ASCII}\u0080-\u00ff]/u.test(header)) return header;
	const text = Buffer.from(header, 'latin1').toString('utf8');
	return text.includes('\ufffd') ? header : text;
}

function unquoted(value: string): string {
	return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}

function decodedExtended(value: string): string {
	const [, charset = '', encoded = value] = EXTENDED_VALUE.exec(value) ?? [];
	return charset.toLowerCase() === 'iso-8859-1'
		? encoded.replace(/%([0-9a-f]{2})/gi, (_code, hex: string) =>
				String.fromCharCode(parseInt(hex, 16)),
			)
		: decodedName(encoded);
}
