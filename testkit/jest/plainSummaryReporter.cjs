/** Ends a run with one plain line that other tools can read. */
module.exports = class PlainSummaryReporter {
	onRunComplete(_contexts, { numPassedTests, numFailedTests, numPendingTests }) {
		const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
		process.stdout.write(`${numPassedTests} passed, ${numFailedTests} failed${skipped}\n`);
	}
};
