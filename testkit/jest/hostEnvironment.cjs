const { TestEnvironment } = require('jest-environment-node');

const ERRORS = [Error, TypeError, RangeError, SyntaxError, AggregateError];

/** Gives the test files the error classes and the variables of the packages that HostRuntime loads. */
module.exports = class HostEnvironment extends TestEnvironment {
	constructor(...options) {
		super(...options);
		for (const error of ERRORS) this.global[error.name] = error;
		this.global.process.env = process.env;
	}
};
