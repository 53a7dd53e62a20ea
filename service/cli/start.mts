#!/usr/bin/env node
/** The entry point of `npx audio-editing-service`. It imports nothing before it has checked Node's version. */

const MIN_NODE = 24;

const [major] = process.versions.node.split('.').map(Number);
if (major < MIN_NODE) {
	process.stderr.write(
		`audio-editing-service needs Node ${MIN_NODE} or later; this is ${process.versions.node}. ` +
			'Install it from https://nodejs.org, or use the container image.\n',
	);
	process.exit(1);
}
await import('./main.mts');
