import { test } from 'node:test';

/** Runs tests in parallel, for tests that mostly wait for the service's clock. */
export async function testTogether(
	what: string,
	cases: Readonly<Record<string, () => Promise<void>>>,
): Promise<void> {
	await test(what, { concurrency: true }, async (parent) => {
		await Promise.all(Object.entries(cases).map(([name, run]) => parent.test(name, run)));
	});
}
