import { readFileSync } from 'node:fs';

import { DOMParser, type Element } from '@xmldom/xmldom';
import { Ajv } from 'ajv';
import { parseText, tokenizeVTTCue, type VTTNode } from 'media-captions';

/*
 * Other people's readers of the outputs. Each throws if an output is not well-formed.
 */

/** An element of an XML document, in document order. */
export interface ReadElement {
	/** `{namespace}name`. */
	readonly name: string;
	readonly attributes: Readonly<Record<string, string>>;
	/** The text before the first element inside. */
	readonly text: string;
}

/** Reads a document with xmldom. */
export function readXml(document: string): ReadElement[] {
	const onError = (level: string, message: string) => {
		// Half a surrogate pair becomes this character on purpose.
		if (message.startsWith('Unicode replacement character')) return;
		throw new Error(`xmldom ${level}: ${message}`);
	};
	const root = new DOMParser({ onError }).parseFromString(document, 'text/xml').documentElement;
	return root === null ? [] : [root, ...root.getElementsByTagName('*')].map(elementOf);
}

function elementOf(element: Element): ReadElement {
	const attributes = [...element.attributes].filter(({ name }) => !name.startsWith('xmlns'));
	let text = '';
	for (let node = element.firstChild; node?.nodeValue; node = node.nextSibling)
		text += node.nodeValue;
	return {
		name: expandedName(element),
		attributes: Object.fromEntries(attributes.map(({ name, value }) => [name, value])),
		text,
	};
}

function expandedName({ namespaceURI, localName }: Element): string {
	return namespaceURI ? `{${namespaceURI}}${localName}` : String(localName);
}

/** A cue as media-captions reads it. Times in milliseconds. */
export interface ReadCue {
	readonly startMs: number;
	readonly endMs: number;
	readonly text: string;
	readonly speakers: readonly string[];
}

export async function readCaptions(text: string, type: 'srt' | 'vtt'): Promise<ReadCue[]> {
	const { cues, errors } = await parseText(text, { type, strict: true });
	if (errors.length > 0) throw new Error(`media-captions: ${errors[0].message}`);
	return cues.map((cue) => {
		const nodes = type === 'vtt' ? tokenizeVTTCue(cue) : [];
		return {
			startMs: Math.round(cue.startTime * 1_000),
			endMs: Math.round(cue.endTime * 1_000),
			text: type === 'vtt' ? nodes.map(textOf).join('') : cue.text,
			speakers: nodes.flatMap((node) => (node.type === 'v' ? [node.voice] : [])),
		};
	});
}

function textOf(node: VTTNode): string {
	return node.type === 'text' ? node.data : node.children.map(textOf).join('');
}

const ajv = new Ajv({ strict: true });
const validators = {
	chapters: ajv.compile(schema('chapters')),
	transcript: ajv.compile(schema('transcript')),
};

function schema(name: string): object {
	const path = new URL(`${name}.schema.json`, import.meta.url);
	return JSON.parse(readFileSync(path, 'utf8')) as object;
}

/** Reads JSON and checks it against the schema of its format. */
export function readJson(text: string, format: keyof typeof validators): unknown {
	const value: unknown = JSON.parse(text);
	const validate = validators[format];
	if (!validate(value)) throw new Error(`ajv: ${ajv.errorsText(validate.errors)}`);
	return value;
}
