import { DataDeduplicationService } from 'n8n-core';

import { ProcessedData } from './processedDataStore';

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
	beforeEach(() => {
		store.rows.clear();
		store.passed.length = 0;
		store.beforeWrite = () => undefined;
		store.afterRead = () => undefined;
	});
	return store;
}
