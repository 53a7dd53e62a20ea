const { Transform } = require('node:stream');
const { dest, parallel, src } = require('gulp');

const { homepage } = require('./package.json');

// tsc emits the code; n8n also reads these files, beside the compiled classes.
const copy = (files, name, change = (text) => text) =>
	Object.assign(
		() => src(files, { base: '.', encoding: false }).pipe(changed(change)).pipe(dest('dist')),
		{ displayName: name },
	);

const changed = (change) =>
	new Transform({
		objectMode: true,
		transform(file, _encoding, done) {
			file.contents = Buffer.from(change(file.contents.toString()));
			done(null, file);
		},
	});

// Links to pages of this repository, whose address only package.json names.
const absolute = (codex) =>
	codex.replaceAll('"url": "docs/', `"url": "${homepage.replace(/#.*/, '')}/blob/main/docs/`);

const icons = copy('icons/*.svg', 'icons');
const codex = copy('nodes/**/*.node.json', 'codex', absolute);
const schemas = copy('nodes/**/__schema__/**/*.json', 'schemas');

exports.default = parallel(icons, codex, schemas);
