import { isWebUrl } from '../../api/contract/config.ts';
import { parseBaseUrl } from '../../api/credential.ts';
import { parseRetryAfterMs } from '../../api/retry.ts';
import { jsonFault, parsed } from '../../api/jsonText.ts';
import {
	pathId,
	isWebPage,
	sanitizeText,
	withoutQueries,
	withoutSecrets,
} from '../../api/sanitizeText.ts';
import { hiderOf, secretsInLink } from '../../api/secrets.ts';
import { joinWords, measureWords, wordPieces } from '../../formats/transcript/cueLines.ts';
import { languageCode } from '../../formats/tags/languageCode.ts';
import { escapeMarkdown, markdownToHtml } from '../../formats/notes/markdown.ts';
import { linksIn } from '../../formats/notes/markdownInline.ts';
import { markdownToText } from '../../formats/notes/markdownText.ts';
import { beginsPhrase, breakCost, endsSentence } from '../../formats/transcript/phrases.ts';
import { cutText, escapeHtml, onOneLine } from '../../formats/values.ts';
import { element } from '../../formats/feed/xml.ts';
import { nameInDisposition } from '../../nodes/core/fetch/fetchFile.ts';
import {
	decodedName,
	extensionOf,
	isNotMediaExtension,
	isNotMediaType,
	nameInUrl,
	safeFileName,
} from '../../nodes/core/files/mediaTypes.ts';
import { unsigned } from '../../nodes/core/ledger/identity.ts';
import { messageOf, reasonOf } from '../../service/shared/failures.mts';
import * as serviceNames from '../../service/shared/fileNames.mts';
import { isId } from '../../service/shared/ids.mts';
import * as sentenceEnd from '../../service/shared/sentenceEnd.mts';
import { urlWithoutSecrets, withoutUrlSecrets } from '../../service/shared/log.mts';
import { frameRateOf } from '../../service/media/picture.mts';
import { editedBaseName } from '../../service/media/outputName.mts';
import { deliveryHeaders } from '../../service/outbound/signedHeaders.mts';
import { expiryOf } from '../../service/outbound/signedUrlExpiry.mts';
import { languageCodeOf } from '../../service/text/languages.mts';
import * as punctuation from '../../service/text/speech/punctuation.mts';
import { markdownList, shortened, threadOf } from '../../service/text/texts.mts';

/** Functions that meet texts from outside, each with a text as its argument. */
export const OUTSIDE_TEXT_FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
	isWebUrl,
	parseBaseUrl: (text) => parseBaseUrl(`https://a.example/${text}`),
	pathId,
	parseRetryAfterMs: (text) => parseRetryAfterMs(text, 0),
	jsonFault,
	parsed,
	'parsed, a string after a foreign number': (text) => parsed(`[NaN,"${text}`),
	isWebPage,
	sanitizeText,
	withoutQueries,
	withoutSecrets,
	'hiderOf, a text that hides a key': (text) => hiderOf(['key-of-somebody']).text(text),
	'hiderOf, the text as a key': (text) => hiderOf([text]).text(text),
	secretsInLink: (text) => secretsInLink(`https://a.example/?${text}`),
	joinWords: (text) => joinWords(text.split(' ')),
	measureWords: (text) => measureWords([text]),
	wordPieces,
	languageCode,
	escapeMarkdown,
	markdownToHtml,
	markdownToText,
	linksIn,
	beginsPhrase,
	breakCost: (text) => breakCost(text, text),
	endsSentence,
	cutText: (text) => cutText(text, text.length / 2),
	escapeHtml,
	onOneLine,
	element: (text) => element('a', { b: text }, text),
	nameInDisposition: (text) => nameInDisposition(`attachment; filename=${text}`),
	decodedName,
	extensionOf,
	nameInUrl: (text) => nameInUrl(`https://a.example/${text}`),
	'safeFileName of the nodes': (text) => safeFileName(text, 'a'),
	unsigned: (text) => unsigned(`https://a.example/?${text}`),
	isNotMediaExtension,
	isNotMediaType,
	messageOf: (text) => messageOf(new Error(text)),
	reasonOf: (text) => reasonOf(new Error(text)),
	'safeFileName of the service': serviceNames.safeFileName,
	fileNameOfUrl: (text) => serviceNames.fileNameOfUrl(`https://a.example/${text}`),
	attachmentHeader: (text) => serviceNames.attachmentHeader(serviceNames.safeFileName(text)),
	'extensionOf of the service': serviceNames.dottedExtensionOf,
	isId,
	urlWithoutSecrets: (text) => urlWithoutSecrets(`https://a.example/${text}`),
	withoutUrlSecrets,
	frameRateOf: (text) => frameRateOf(text, text),
	editedBaseName,
	deliveryHeaders: (text) => deliveryHeaders(`https://a.example/?${text}`, 'audio/wav', 1),
	expiryOf: (text) => expiryOf(`https://a.example/?${text}`),
	languageCodeOf,
	'endsSentence of the service': sentenceEnd.endsSentence,
	punctuated: (text) => {
		const words = text.split(' ').map((word) => ({ text: word, startSeconds: 0, endSeconds: 1 }));
		return punctuation.punctuated(words, text);
	},
	markdownList: (text) => markdownList([text]),
	shortened: (text) => shortened(text, text.length / 2),
	threadOf: (text) => threadOf([text]),
};

/** Pieces that are slow, repeated, for code that looks from each of their places to the end. */
export const REPEATED: readonly string[] = [
	...Array.from('a \n./#*_`[(<&=?%"\'-0\t\\\u0000\ud800🎧话'),
	'\r\n',
	'\n\n',
	'a ',
	' .',
	'. ',
	'**a',
	'_a ',
	'[a](',
	'](',
	'# ',
	'a.',
	'- a\n',
	'1. a\n',
	'http://',
	'https://a.b/?c=d ',
	'http://a:b@',
	'a:',
	'<tweet',
	'<a href="',
	'%20',
	'&amp;',
	'ab cd. ',
	'{"a":',
	'key-of-somebod',
	'X-Amz-Signature=',
	'filename=',
];
