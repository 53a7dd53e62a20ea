import { DataDeduplicationService } from 'n8n-core';

import { ProcessedData } from './processedDataStore';

/** Gives n8n's engine a store, which is empty before each test. */
export function useProcessedData(): ProcessedData {
	const store = new ProcessedData();
	beforeAll(async () => {
		await DataDeduplicationService.init(store);
	});
	beforeEach(() => {
		store.rows.clear();
		store.passed.length = 0;
		store.beforeWrite = () => undefined;
	});
	return store;
}
