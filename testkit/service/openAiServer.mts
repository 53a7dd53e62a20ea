import { z } from 'zod';

import { reply, startOutsideServer, type Visit } from './servers.mts';

/** The response of a scripted model: a status and a body, sent as JSON unless it is a string. */
export interface ScriptedAnswer {
	status?: number;
	body: unknown;
}

const chatSchema = z.object({
	model: z.string(),
	messages: z.array(z.object({ role: z.string(), content: z.string() })),
	response_format: z.object({ type: z.string() }),
});

export function chatRequestOf(visit: Visit) {
	return chatSchema.parse(JSON.parse(visit.body.toString('utf8')));
}

/** Parses the multipart transcription request in a visit: its fields, and the received file. */
export function transcriptionRequestOf({ headers, body }: Visit) {
	const boundary = /boundary=(\S+)/.exec(headers['content-type'] ?? '')?.[1] ?? '';
	const fields: Record<string, string[]> = {};
	let wav: Buffer = Buffer.alloc(0);
	for (const part of body.toString('latin1').split(`--${boundary}`).slice(1, -1)) {
		const gap = part.indexOf('\r\n\r\n');
		const [head, content] = [part.slice(0, gap), part.slice(gap + 4, -2)];
		const name = /name="([^"]+)"/.exec(head)?.[1] ?? '';
		if (head.includes('filename=')) wav = Buffer.from(content, 'latin1');
		else (fields[name] ??= []).push(content);
	}
	return { fields, wav, seconds: (wav.length - 44) / 32_000 };
}

export function said(content: unknown): ScriptedAnswer {
	const text = typeof content === 'string' ? content : JSON.stringify(content);
	return { body: { choices: [{ message: { role: 'assistant', content: text } }] } };
}

/** A server that hears one word in every recording, and the flags for a service that asks it. */
export async function startRecognizer() {
	const body = { text: 'Hello.', words: [{ word: 'hello', start: 0, end: 0.4 }] };
	const server = await startOpenAiServer(() => ({ body }));
	return Object.assign(server, { flags: ['--transcription-url', `${server.url}/v1`] });
}

/** Starts a scripted OpenAI-compatible server; `before` counts earlier visits. */
export async function startOpenAiServer(answer: (visit: Visit, before: number) => ScriptedAnswer) {
	return await startOutsideServer((visit, response, before) => {
		const { status = 200, body } = answer(visit, before);
		response.setHeader('Content-Type', 'application/json');
		reply(response, status, typeof body === 'string' ? body : JSON.stringify(body));
	});
}
