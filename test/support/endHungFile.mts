/**
 * Ends a test file that stays open, so that one connection that nobody closed cannot hold up the whole
 * run. The runner's own timeout ends tests, but waits for their file. Loaded with `--import`.
 */

/** The slowest file takes about two minutes on two quiet cores. */
const LIMIT_MINUTES = 20;

// The runner loads this, too, and lives longer.
if (process.env.NODE_TEST_CONTEXT !== undefined) {
	const end = () => {
		console.error(`${process.argv[1]} did not end within ${LIMIT_MINUTES} minutes`);
		process.exit(1);
	};
	setTimeout(end, LIMIT_MINUTES * 60_000).unref();
}
