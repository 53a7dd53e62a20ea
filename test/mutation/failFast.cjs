const HostEnvironment = require('../../testkit/jest/hostEnvironment.cjs');

/** Skips the rest of a test file after its first failure: one is enough to kill a mutant. */
module.exports = class FailFast extends HostEnvironment {
	handleTestEvent(event) {
		if (event.name === 'test_done' && event.test.errors.length > 0) this.hasFailed = true;
		if (event.name === 'test_start' && this.hasFailed) event.test.mode = 'skip';
	}
};
