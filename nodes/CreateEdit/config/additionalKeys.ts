import { type EditConfig, editConfigSchema } from '../../../api/contract';
import { hiderOf, secretsInLinksOf } from '../../../api/secrets';
import { sanitizeText } from '../../../api/sanitizeText';
import { fieldError, readJson } from '../../shared/form/parameters';
import { listed } from '../../shared/form/texts';
import { SPECIAL } from './specialFields';
import type { NodeRun } from '../../shared/run/nodeRun';

/** Keys of the configuration that the contract does not know, or does not know with this value. */
export interface AdditionalKeys {
	/** As they are sent. */
	readonly sent: Readonly<Record<string, unknown>>;
	/** The same without the signatures of links, for the output. */
	readonly shown: Readonly<Record<string, unknown>>;
	readonly hints: ReadonlyArray<{ readonly message: string }>;
}

const LABEL = 'Additional Keys (JSON)';

const KEYS_NAMED_AT_MOST = 10;

const NONE: AdditionalKeys = { sent: {}, shown: {}, hints: [] };

/**
 * Reads 'Additional Keys (JSON)'.
 *
 * @param config what the other fields have set
 * @throws NodeOperationError if it is no JSON object, sets a key again, or has what a field can set
 */
export function readAdditionalKeys(
	run: NodeRun,
	itemIndex: number,
	config: EditConfig,
): AdditionalKeys {
	const refuse = (what: string, advice: string) =>
		fieldError(run, itemIndex, `'${LABEL}' ${what}`, advice);
	const value: unknown = run.parameter(`${SPECIAL}.additionalKeys`, itemIndex, '');
	const isEmpty = typeof value === 'string' && value.trim() === '';
	const parsed = isEmpty ? {} : readJson(run, itemIndex, LABEL, value);
	if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
		throw refuse('is not a JSON object', 'Enter keys and values in curly brackets.');
	}
	const sent = Object.fromEntries(Object.entries(parsed));
	const names = Object.keys(sent);
	if (names.length === 0) return NONE;
	for (const name of names) refuseKnown(name, sent[name], config, refuse);
	const hider = hiderOf(secretsInLinksOf(sent));
	const shown = Object.fromEntries(names.map((name) => [name, hider.value(sent[name])]));
	const list = sanitizeText(listed(names, KEYS_NAMED_AT_MOST));
	return { sent, shown, hints: [{ message: `Additional keys were sent unchecked: ${list}.` }] };
}

type Refuse = (what: string, advice: string) => Error;

/** A known key may only have a value that no field offers, and only if nothing else sets the key. */
function refuseKnown(name: string, value: unknown, config: EditConfig, refuse: Refuse): void {
	if (!Object.hasOwn(editConfigSchema.shape, name)) return;
	if (Object.hasOwn(config, name)) {
		throw refuse(
			`sets '${name}', which is already set`,
			'Remove it here, or where the preset, an option or the JSON sets it.',
		);
	}
	if (editConfigSchema.safeParse({ [name]: value }).success) {
		throw refuse(
			`sets '${name}', for which the form has a field`,
			"Set it in its own field, or in 'Options (JSON)', where it is checked.",
		);
	}
}
