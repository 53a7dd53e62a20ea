import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import ts from 'typescript';

import { OPTION_COLLECTIONS } from '../../../nodes/core/form/optionGroups';
import { OUR_NODES } from '../../../testkit/n8n/ourNodes';

const FILE = 'nodes/core/form/values.ts';

/** The interface for the fields in each group. */
const INTERFACES: Readonly<Record<string, string>> = {
	'': 'Fields',
	feedItem: 'FeedItemFields',
	feedExtras: 'FeedExtraFields',
	file: 'AlternateFileRow',
	writeTags: 'TagFields',
	speaker: 'SpeakerRow',
	chapter: 'ChapterRow',
	insert: 'InsertRow',
};

const interfaceOf = (group: string) =>
	OPTION_COLLECTIONS.has(group) ? 'Options' : INTERFACES[group];

/** The fields of all forms, with the group that they are in. */
function* fieldsIn(
	properties: readonly INodeProperties[],
	group = '',
): Generator<readonly [group: string, field: INodeProperties]> {
	for (const field of properties) {
		yield [group, field];
		for (const part of field.options ?? []) {
			if ('values' in part) yield* fieldsIn(part.values, part.name);
			else if (field.type === 'collection') yield* fieldsIn([part as INodeProperties], field.name);
		}
	}
}

/** What `readForm` returns for a field, in the words of TypeScript. */
function typeOf({ type, options = [] }: INodeProperties): string[] {
	if (type === 'boolean') return ['boolean'];
	if (type === 'multiOptions') return ['readonly string[]'];
	if (type !== 'options') return ['unknown'];
	return (options as INodePropertyOptions[]).map(({ value }) => `'${String(value)}'`);
}

const ALL = Object.values(OUR_NODES).flatMap(({ description }) => [
	...fieldsIn(description.properties),
]);

const MEMBERS = ts
	.createSourceFile(FILE, ts.sys.readFile(FILE) ?? '', ts.ScriptTarget.Latest, true)
	.statements.filter(ts.isInterfaceDeclaration)
	.flatMap(({ name, members }) =>
		members
			.filter(ts.isPropertySignature)
			.map((member) => [name.text, member.name.getText(), member.type!.getText()] as const),
	)
	.filter(([name]) => name !== 'Form');

it('knows the fields of all forms', () => {
	expect(MEMBERS.length).toBeGreaterThan(80);
});

it.each(MEMBERS)('%s.%s is a field with such values', (name, member, written) => {
	const same = ALL.filter(([group, field]) => interfaceOf(group) === name && field.name === member);
	const types = new Set(same.flatMap(([, field]) => typeOf(field)));
	const isGroup = same.some(([, { type }]) => /ollection$/.test(type));
	const isText = written === 'string' && [...types].every((type) => type.startsWith("'"));
	expect(types.size).toBeGreaterThan(0);
	if (isGroup || isText) return;
	expect([...types].sort()).toEqual(written.split(' | ').sort());
});
