import { OUR_NODES } from '../support/ourNodes';

const FIELDS = Object.values(OUR_NODES).flatMap(({ description }) =>
	description.properties.map((field) => ({ node: description.displayName, ...field })),
);

describe('the texts of the forms', () => {
	// n8n's editor shows the result of an expression in place of the hint.
	it('have no hint where the field can hold an expression: the description says it', () => {
		const lost = FIELDS.filter(({ hint, noDataExpression }) => hint && noDataExpression !== true);
		expect(lost.map(({ node, displayName }) => `${node}: ${displayName}`)).toEqual([]);
	});

	it('put units in brackets', () => {
		const loose = FIELDS.filter(({ displayName }) =>
			/(?<!\()\b(seconds|minutes|hours|LUFS|MB)\b/i.test(displayName),
		);
		expect(loose.filter(({ type }) => type !== 'notice')).toEqual([]);
	});

	it('name a needed option in single quotes', () => {
		const texts = JSON.stringify(FIELDS).match(/Needs .[^."]*/g) ?? [];
		expect(texts.length).toBeGreaterThan(10);
		expect(texts.filter((text) => !/^Needs '[^']+'/.test(text))).toEqual([]);
	});

	it('name each operation with its resource and without articles', () => {
		const operations = FIELDS.filter(({ name }) => name === 'operation');
		const actions = operations.flatMap(({ options = [] }) =>
			options.map((option) => ('action' in option ? (option.action ?? '') : '')),
		);
		expect(actions).toHaveLength(5);
		expect(actions.filter((action) => !/^[A-Z]/.test(action))).toEqual([]);
		expect(actions.filter((action) => /\b(an?|the)\b/i.test(action))).toEqual([]);
	});

	it('call a template a template, and never say configuration', () => {
		const shown = FIELDS.flatMap(({ displayName, description, hint, options = [] }) => [
			displayName,
			description,
			hint,
			...options.flatMap((option) => [
				'displayName' in option ? option.displayName : option.name,
				'description' in option ? option.description : '',
				'action' in option ? option.action : '',
			]),
		]);
		const titles = Object.values(OUR_NODES).map(({ description }) => description.description);
		const other = [...shown, ...titles].filter((text) => /configuration/i.test(text ?? ''));
		expect([...new Set(other)]).toEqual([]);
	});
});
