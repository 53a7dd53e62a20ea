import type { IDataObject } from 'n8n-workflow';

import { sanitizeText, withoutSecrets } from '../../../api/sanitizeText';
import { readText } from '../texts';
import { uploadedFiles } from '../skip/skipIdentity';
import type { FailedEditFacts } from '../errors/failureTexts';

/** What an item says of its edit if that ends in FAILURE. */
export function failedEditFacts({ json = {} }: { json?: IDataObject }): FailedEditFacts {
	return { more: signedUrlAdvice(json), wasUploaded: uploadedFiles(json).length > 0 };
}

/** What to do if an edit ends in FAILURE whose file goes to a signed URL; undefined for any other edit. */
function signedUrlAdvice({ config }: IDataObject): string | undefined {
	const signedUrl = readText((config as IDataObject | undefined)?.signed_url);
	if (signedUrl === '') return undefined;
	// The item may come from another node, with the signature still in the URL.
	const target = sanitizeText(withoutSecrets(signedUrl));
	return `The service was asked to deliver the file to ${target}. That signed URL may have expired, or may not accept a PUT. Create a new edit with a fresh signed URL, or without one to let Audio Editing Get Result download the file.`;
}
