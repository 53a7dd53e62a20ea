const { dest, parallel, src } = require('gulp');

// tsc emits the code; n8n also reads these files, beside the compiled classes.
const copy = (files, name) =>
	Object.assign(() => src(files, { base: '.', encoding: false }).pipe(dest('dist')), {
		displayName: name,
	});

const icons = copy('icons/*.svg', 'icons');
const codex = copy('nodes/**/*.node.json', 'codex');
const schemas = copy('nodes/**/__schema__/**/*.json', 'schemas');

exports.default = parallel(icons, codex, schemas);
