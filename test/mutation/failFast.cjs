const { TestEnvironment } = require('jest-environment-node');

/** Skips what is left of a test file after its first failure: a mutant needs to be killed once. */
module.exports = class FailFast extends TestEnvironment {
	handleTestEvent(event) {
		if (event.name === 'test_done' && event.test.errors.length > 0) this.hasFailed = true;
		if (event.name === 'test_start' && this.hasFailed) event.test.mode = 'skip';
	}
};
