/** The texts of the nodes' and the credential's forms, as n8n gets them. */
import { OUR_CREDENTIALS, OUR_NODES } from '../../test/support/ourNodes.ts';

/** The keys of a description whose text a person or an agent's model reads. */
const SHOWN = new Set(['displayName', 'description', 'hint', 'placeholder', 'action', 'message']);

function textsIn(value: unknown, key: string, isOption: boolean): string[] {
	if (typeof value === 'string') {
		const isShown = SHOWN.has(key) || (key === 'name' && isOption);
		return isShown && !value.startsWith('=') ? [value] : [];
	}
	if (Array.isArray(value)) return value.flatMap((entry) => textsIn(entry, key, key === 'options'));
	if (typeof value !== 'object' || value === null) return [];
	// What can be chosen has a name to show; a field's name is for the saved workflow.
	const isChoice = isOption && 'value' in value;
	return Object.entries(value).flatMap(([inner, entry]) => textsIn(entry, inner, isChoice));
}

/** Returns each text of each form once, with the form that has it. */
export function formTexts() {
	const nodes = Object.values(OUR_NODES).map(({ description }) => description);
	const forms = [...nodes, ...Object.values(OUR_CREDENTIALS)];
	return forms.flatMap((form) =>
		[...new Set(textsIn(form, '', false))].map((text) => ({
			where: `form of ${form.displayName}`,
			text,
		})),
	);
}
