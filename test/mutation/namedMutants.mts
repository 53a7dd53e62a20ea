/** A change that must not go unnoticed: applied alone, it makes its test file fail. */
export interface NamedMutant {
	readonly name: string;
	readonly file: string;
	/** Occurs exactly once in the file. */
	readonly find: string;
	readonly replace: string;
}

/** The mutants by the test file that kills them. */
export const NAMED_MUTANTS: Readonly<Record<string, readonly NamedMutant[]>> = {
	'test/nodes/run/rateLimits.test.ts': [
		{
			name: 'status calls 300 → 3000 a minute',
			file: 'api/contract/limits.ts',
			find: 'STATUS_CALLS_PER_MINUTE = 300',
			replace: 'STATUS_CALLS_PER_MINUTE = 3_000',
		},
		{
			name: "a wait does not share the key's limit of status calls",
			file: 'nodes/core/wait/editWait.ts',
			find: 'rateLimit: rateLimits.statusCalls,',
			replace:
				"rateLimit: new (require('../../waiting/rateLimit').RateLimit)({ callsPerMinute: 300, burst: 60 }),",
		},
		{
			name: 'submissions are not paced',
			file: 'nodes/core/run/service.ts',
			find: 'submissionPace: paceOf(',
			replace: 'unpaced: paceOf(',
		},
		{
			name: 'an enterprise plan counts as 30 a minute',
			file: 'nodes/core/run/service.ts',
			find: 'return SUBMISSIONS_PER_MINUTE_ENTERPRISE;',
			replace: 'return SUBMISSIONS_PER_MINUTE_STANDARD;',
		},
		{
			name: 'a 429 is not reported to the limit',
			file: 'waiting/rateLimit.ts',
			find: 'if (failure.status === 429) rateLimit.refused(time.now(), retryAtMs, begunAtMs);',
			replace: '',
		},
	],
	'test/nodes/waitForEdit/waitedItems.test.ts': [
		{
			name: 'the items of Wait For Edit come in another order',
			file: 'nodes/core/items/outcomes.ts',
			find: 'sort(([one], [other]) => one - other)',
			replace: 'sort(([one], [other]) => other - one)',
		},
	],
	'test/nodes/errors/failedItems.test.ts': [
		{
			name: "a failed item's known ids are removed",
			file: 'nodes/core/items/failedItems.ts',
			find: 'withFirst(known, { ...names })',
			replace: '{ ...names }',
		},
	],
	'test/formats/retagMp4.test.ts': [
		{
			name: 'the first place of 64 bits in an MP4 file is not moved',
			file: 'formats/tags/mp4/tracks.ts',
			find: 'let at = bodyStart + 8; at + bytes <= end',
			replace: 'let at = bodyStart + (isLong ? 16 : 8); at + bytes <= end',
		},
	],
	'test/formats/retagMp4Elsewhere.test.ts': [
		{
			name: 'the rest of a tag in an MP4 file stays where a chunk ends in it',
			file: 'formats/tags/mp4/tagBlanker.ts',
			find: 'if (this.isInTag) bytes.fill(0, 0, at);',
			replace: '',
		},
	],
	'test/nodes/audioEditing/deleteWhenFetched.test.ts': [
		{
			name: 'an edit is deleted although a listed file was not fetched',
			file: 'nodes/AudioEditing/editRecording.ts',
			find: 'return isFetched(run, finished, { items, kinds, missing });',
			replace: 'isFetched(run, finished, { items, kinds, missing }); return true;',
		},
		{
			name: 'fetched edits are deleted while the node runs',
			file: 'nodes/core/output/deleteFetched.ts',
			find: 'void isOutput',
			replace: 'await isOutput',
		},
	],
	'test/nodes/createEdit/ledger.test.ts': [
		{
			name: "run 1 names run 10's edits",
			file: 'nodes/core/ledger/submissionLedger.ts',
			find: 'TOOL : `${this.runIndex}:`',
			replace: 'TOOL : this.runIndex',
		},
	],
	'test/nodes/createEdit/retries.test.ts': [
		{
			name: 'another file under the same place is the same recording',
			file: 'nodes/core/submit/prepareEdit.ts',
			find: 'OPTIONS), files]',
			replace: 'OPTIONS)]',
		},
		{
			name: "another file is uploaded as the first one's upload",
			file: 'nodes/AudioEditing/request.ts',
			find: 'hashOf([files, given, ',
			replace: 'hashOf([given, ',
		},
		{
			name: 'two retries of one failed execution do not know of each other',
			file: 'nodes/core/submit/submitEdit.ts',
			find: "=== 'retry'",
			replace: "=== 'manual'",
		},
	],
	'test/nodes/skip/identity.test.ts': [
		{
			name: 'every token in a link is a signature',
			file: 'nodes/core/ledger/identity.ts',
			find: '/^(firebasestorage\\.googleapis|raw\\.githubusercontent)\\.com$/',
			replace: '/^/',
		},
	],
	'test/nodes/audioEditing/skip.test.ts': [
		{
			name: 'a recording is forgotten after a timeout, and charged by the next execution',
			file: 'nodes/AudioEditing/unedited.ts',
			find: "if (end === 'failed') {",
			replace: 'if (end !== undefined) {',
		},
		{
			name: 'an upload is recognized by its URL where an item kept nothing else',
			file: 'nodes/core/skip/skipIdentity.ts',
			find: 'urls.some((url) => isUpload(run, url))',
			replace: 'false',
		},
	],
	'test/nodes/audioEditing/editRecording.test.ts': [
		{
			name: 'Delete Edit When Fetched is allowed when only markers are fetched',
			file: 'nodes/AudioEditing/request.ts',
			find: "downloads.includes('edited')",
			replace: 'downloads.length > 0',
		},
		{
			name: "the first item's own options are read for the whole wait",
			file: 'nodes/core/form/readForm.ts',
			find: "=== (of === 'allItems')",
			replace: '!== undefined',
		},
	],
	'test/waiting/serviceShapes.test.ts': [
		{
			name: "a service's poll_after_seconds is ignored while an edit is PENDING",
			file: 'waiting/schedule.ts',
			find: 'const askedMs = Math.min(',
			replace: "const askedMs = status === 'PENDING' ? 0 : Math.min(",
		},
	],
	'test/waiting/waitLoopFailures.test.ts': [
		{
			name: "a 500 of one edit pauses the key's limit",
			file: 'waiting/waitForEdits.ts',
			find: 'if (failure.status !== 429) return nowMs + backoffMs(failure, failuresInARow, random);',
			replace: '',
		},
	],
	'test/api/unreachable.test.ts': [
		{
			name: 'a request whose TLS handshake failed counts as sent',
			file: 'api/networkFailure.ts',
			find: 'isRecord(socket) && socket.secureConnecting === true',
			replace: 'false',
		},
	],
	'test/formats/retagMp3.test.ts': [
		{
			name: "only the last tag at an MP3 file's end is removed",
			file: 'formats/tags/id3/endTags.ts',
			find: 'count < MAX_TAGS && !isCut',
			replace: 'count < 1 && !isCut',
		},
	],
};
