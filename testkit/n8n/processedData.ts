import { DataDeduplicationService } from 'n8n-core';

import { systemTime } from '../time/leapingTime';
import { ProcessedData } from './processedDataStore';

/** Longer than a node works on after its end, for the edits that were output and for the memory it holds. */
const NODE_GOES_ON_MS = 120_000;

/** What an entry of our nodes looks like: no name, no URL and no ID. */
export const HASHES_ONLY = /^[a-z]+(:[\da-f]*)*(\/[ab\d]+)*$/;

/** Gives n8n's engine a store, which is empty before each test. */
export function useProcessedData(): ProcessedData {
	const store = new ProcessedData();
	beforeAll(async () => {
		await DataDeduplicationService.init(store);
	});
	// n8n's engine is shared with later test files, and it takes one store only.
	afterAll(() => Object.assign(DataDeduplicationService, { instance: undefined }));
	// A node that still writes would write into the store of the next test, or of the next test file.
	afterEach(async () => await systemTime.sleep(NODE_GOES_ON_MS));
	beforeEach(() => {
		store.rows.clear();
		store.passed.length = 0;
		store.beforeWrite = () => undefined;
		store.afterRead = () => undefined;
	});
	return store;
}
