const { default: tsJest } = require('ts-jest');

const { file, find, replace } = JSON.parse(process.env.NAMED_MUTANT);

// Only a failing test may kill a mutant, not a type error.
const compiler = tsJest.createTransformer({ tsconfig: 'tsconfig.json', diagnostics: false });

/** Compiles as the tests do, with one text of one file replaced. Changes no file. */
module.exports = {
	process(text, path, options) {
		const isMutated = file !== undefined && path.endsWith(`/${file}`);
		return compiler.process(isMutated ? text.replace(find, () => replace) : text, path, options);
	},
};
