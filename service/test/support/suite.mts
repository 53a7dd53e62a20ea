import { test } from 'node:test';

/** Tests by title, which all kinds of a thing must pass. */
export type Suite<T> = Readonly<Record<string, (subject: T) => Promise<void>>>;

export async function runSuite<T>(kind: string, make: () => Promise<T> | T, suite: Suite<T>) {
	for (const [title, run] of Object.entries(suite)) {
		await test(`${kind}: ${title}`, async () => run(await make()));
	}
}
