const { default: tsJest } = require('ts-jest');

const { file, find, replace } = JSON.parse(process.env.NAMED_MUTANT);

// Only what the tests say may kill a mutant, not a complaint about its types.
const compiler = tsJest.createTransformer({ tsconfig: 'tsconfig.json', diagnostics: false });

/** Compiles as the tests do, with one text of one file replaced; no file is touched. */
module.exports = {
	process(text, path, options) {
		const isMutated = file !== undefined && path.endsWith(`/${file}`);
		return compiler.process(isMutated ? text.replace(find, () => replace) : text, path, options);
	},
};
