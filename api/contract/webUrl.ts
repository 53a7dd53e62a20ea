import { z } from 'zod';

/** Whether the text is an absolute http or https URL. */
export function isWebUrl(text: string): boolean {
	try {
		const { protocol, hostname } = new URL(text);
		return (protocol === 'http:' || protocol === 'https:') && hostname !== '';
	} catch {
		return false;
	}
}

/** An absolute http or https URL, as the spec asks for in `files` and `signed_url`. */
export const webUrlSchema = z
	.string()
	.refine(isWebUrl, { message: 'Input should be an http or https URL' });
