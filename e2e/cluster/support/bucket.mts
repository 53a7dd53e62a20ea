import { type S3Server, startS3Server } from '../../../test/service/support/s3Server.mts';
import type { Sandbox } from '../../support/sandbox.mts';

/** Begins the keys of all objects of the service. */
const PREFIX = 'service/';

/** A bucket on its own S3 server. */
export interface Bucket {
	/** The value of `--files`. */
	readonly files: string;
	/** Returns the paths of all results, as in their URLs: bucket, prefix, `edits`, edit, run, name. */
	results(): Promise<string[]>;
}

/** Starts an S3 server; the sandbox stops it. Its credentials are then in the environment. */
export async function startBucket(sandbox: Sandbox): Promise<Bucket> {
	const server = await startS3Server();
	sandbox.onEnd(async () => {
		await server[Symbol.asyncDispose]();
	});
	const files = `${server.filesFlag(PREFIX)}&region=us-east-1`;
	return { files, results: async () => await pathsIn(server, new URL(files).host) };
}

async function pathsIn({ origin }: S3Server, bucket: string): Promise<string[]> {
	const keys: string[] = [];
	for (;;) {
		const query = new URLSearchParams({ prefix: `${PREFIX}edits/`, marker: keys.at(-1) ?? '' });
		const answer = await fetch(`${origin}/${bucket}?${query.toString()}`);
		if (!answer.ok) throw new Error(`Listing the bucket: ${answer.status}`);
		const page = [...(await answer.text()).matchAll(/<Key>([^<]+)<\/Key>/g)];
		if (page.length === 0) return keys.map((key) => `/${bucket}/${key}`);
		keys.push(...page.map(([, key]) => key));
	}
}
