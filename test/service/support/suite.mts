import { test } from 'node:test';

/** Tests by title, which all kinds of a thing must pass. */
export type Suite<T> = Readonly<Record<string, (subject: T) => Promise<void>>>;

/** Runs all tests of a suite, one after the other. */
export async function runSuite<T>(kind: string, subject: T, suite: Suite<T>): Promise<void> {
	for (const [title, run] of Object.entries(suite)) {
		await test(`${kind}: ${title}`, () => run(subject));
	}
}
