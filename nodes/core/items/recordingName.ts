import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { isWebUrl } from '../../../api/contract';
import { sanitizeText } from '../../../api/sanitizeText';
import { isNotMediaType, nameInUrl } from '../files/mediaTypes';
import { MAX_NAMED, listed, readText } from '../texts';
import type { NodeRun } from '../run/nodeRun';

const MAX_NAME_CHARACTERS = 120;

/** What our messages end with; a name with it would end them early. */
const ITEM_NUMBER = / \[item (\d+)\]/g;

/** A text without what our messages end with. */
export const withoutItemNumber = (text: string) => text.replace(ITEM_NUMBER, ' (item $1)');

/**
 * The name of an item's recording, for the start of its error; the names of its tracks if there are several.
 * Empty if the item has none.
 *
 * @param known what the node knows of the item beside its input, such as its `sourceFileName`
 */
export function recordingNameOf(run: NodeRun, itemIndex: number, known: IDataObject = {}): string {
	const { json } = run.items[itemIndex];
	// An item that has its edit may carry any file.
	const files = (json.editId ?? undefined) === undefined ? filesOfItem(run, itemIndex) : [];
	const given = readText(known.sourceFileName) || readText(json.sourceFileName);
	const name =
		given ||
		namesOfFiles(files.filter(({ mimeType }) => !isNotMediaType(mimeType))) ||
		namesInUrls(run, itemIndex, json) ||
		namesOfFiles(files);
	const plain = withoutItemNumber(sanitizeText(name)).trim();
	const isLong = plain.length > MAX_NAME_CHARACTERS;
	return isLong ? `${plain.slice(0, MAX_NAME_CHARACTERS)}…` : plain;
}

function filesOfItem(run: NodeRun, itemIndex: number): IBinaryData[] {
	return Object.values(run.items[itemIndex]?.binary ?? {});
}

function namesOfFiles(files: readonly IBinaryData[]): string {
	return listed(
		files.flatMap(({ fileName }) => fileName ?? []),
		MAX_NAMED,
	);
}

/** The names in the URLs of the item, or of the form. */
function namesInUrls(run: NodeRun, itemIndex: number, json: IDataObject): string {
	const own = [json.fileUrls ?? json.fileUrl ?? []].flat();
	const urls = own.length > 0 ? own : [urlsInForm(run, itemIndex)].flat();
	const texts = urls.flatMap((url) => readText(url).split(/[\s,]+/)).filter(isWebUrl);
	return listed(
		texts.map((url) => nameInUrl(url) || new URL(url).hostname),
		MAX_NAMED,
	);
}

/** The URLs in the form, also in one that could not be read. */
function urlsInForm(run: NodeRun, itemIndex: number): unknown {
	const read = run.fileUrls.get(itemIndex);
	if (read !== undefined || run.hasService) return read ?? '';
	try {
		return run.context.getNodeParameter('fileUrls', itemIndex, '');
	} catch {
		// Often the expression is what failed.
		return '';
	}
}
