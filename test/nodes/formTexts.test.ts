import { OUR_NODES } from '../support/ourNodes';

const FIELDS = Object.values(OUR_NODES).flatMap(({ description }) =>
	description.properties.map((field) => ({ node: description.displayName, ...field })),
);

describe('the texts of the forms', () => {
	// n8n's editor shows the result of an expression in place of the hint.
	it('repeat a hint in the description if the field can hold an expression', () => {
		const lost = FIELDS.filter(
			({ hint, noDataExpression, description = '' }) =>
				hint !== undefined &&
				noDataExpression !== true &&
				!description.includes(hint.replace(/\.$/, '')),
		);
		expect(lost.map(({ node, displayName }) => `${node}: ${displayName}`)).toEqual([]);
	});

	it('call a template a template', () => {
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
		// A configuration is the settings of one edit; a template is stored in the account.
		expect([...new Set(other)]).toEqual([
			'Configuration (JSON)',
			"The edit's configuration with the service's own key names",
		]);
	});
});
