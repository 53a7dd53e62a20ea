const { PassThrough, Transform } = require('node:stream');
const { dest, parallel, src } = require('gulp');

const { repository } = require('./package.json');

// tsc emits the code; n8n also reads these files, beside the compiled classes.
const copy = (files, name, change = () => new PassThrough({ objectMode: true })) =>
	Object.assign(
		() => src(files, { base: '.', encoding: false }).pipe(change()).pipe(dest('dist')),
		{ displayName: name },
	);

// Links to pages of this repository, whose address only package.json names.
const PAGES = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/`;
const absoluteLinks = () =>
	new Transform({
		objectMode: true,
		transform(file, _encoding, done) {
			const text = file.contents.toString().replaceAll('"url": "docs/', `"url": "${PAGES}docs/`);
			file.contents = Buffer.from(text);
			done(null, file);
		},
	});

const icons = copy('icons/*.svg', 'icons');
const codex = copy('nodes/**/*.node.json', 'codex', absoluteLinks);
const schemas = copy('nodes/**/__schema__/**/*.json', 'schemas');

exports.default = parallel(icons, codex, schemas);
