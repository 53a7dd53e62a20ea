import {
	type Case,
	READS,
	SHORT,
	SKIP,
	SUBMITS,
	WAITS,
	answering,
	edit,
	isPoll,
	naming,
	isStored,
	isUpload,
	notFoundOnGet,
	submission,
} from './fileFirst';

/** Failures of requests, of edits, and of n8n's memory. */
export const REQUEST_CASES: Record<string, Case> = {
	'FAILURE with a reason': {
		nodes: READS,
		fault: edit('FAILURE', { result: { message: 'the file is not an audio or video file' } }),
		reason: /^ could not be edited: the file is not an audio or video file \(edit edit-/,
	},
	'FAILURE with a reason that names the edit': {
		nodes: READS,
		fault: naming((id) => ({
			body: { task_id: id, status: 'FAILURE', result: { message: `task ${id} has no sound` } },
		})),
		reason: /^ could not be edited: task … has no sound \(edit edit-/,
	},
	'FAILURE with a long reason that names the edit': {
		nodes: READS,
		fault: naming((id) => ({
			body: {
				task_id: id,
				status: 'FAILURE',
				result: { message: `${'long '.repeat(40)}: task ${id}` },
			},
		})),
		reason: /^ could not be edited: long .* \(edit edit-/,
	},
	'an edit that the service names when it refuses it': {
		nodes: ['getResult', 'waitForEdit', 'audioEditing'],
		fault: naming((id) => ({ status: 403, body: { detail: `Edit ${id} is not yours: ${id}` } })),
		reason: /^: could not (read|wait for) the edit: the service does not allow this \(edit edit-/,
	},
	'FAILURE without a reason': {
		nodes: READS,
		fault: edit('FAILURE'),
		reason: /^ could not be edited: the service gives no reason \(edit edit-/,
	},
	'not finished in time': {
		nodes: WAITS,
		fault: edit('EDITING'),
		parameters: { ...SHORT, whenTimeIsUp: 'fail' },
		reason: /^: the edit did not finish in time: its status was still .* \(edit edit-/,
	},
	'not finished yet': {
		nodes: ['getResult'],
		fault: edit('EDITING'),
		reason: /^: the edit is not finished yet: its status is EDITING \(edit edit-9\)/,
	},
	'a refused key': {
		nodes: ['audioEditing', 'upload', 'createEdit', 'waitForEdit', 'getResult', 'delete'],
		fault: () => ({ status: 401 }),
		reason: /^: could not .*: the API key was not accepted/,
	},
	'a refused upload': {
		nodes: ['audioEditing', 'upload'],
		fault: answering(isUpload, { status: 422 }),
		reason: /^: could not upload the file: the service did not accept the request/,
	},
	'a refused transfer': {
		nodes: ['audioEditing', 'upload'],
		fault: answering(isStored, { status: 403 }),
		reason: /^: could not upload the file: the upload link has expired or is not valid/,
	},
	'no credit left': {
		nodes: SUBMITS,
		fault: submission({ status: 402 }),
		reason: /^: could not create the edit: the service asks for payment/,
	},
	'a submission that is refused': {
		nodes: SUBMITS,
		fault: submission({ status: 422 }),
		reason: /^: could not create the edit: the service did not accept the request/,
	},
	'a submission whose response is lost': {
		nodes: SUBMITS,
		fault: submission({ status: 502 }),
		reason: /^: could not create the edit: the service is temporarily unavailable/,
	},
	'an edit without a result': {
		nodes: ['audioEditing', 'getResult'],
		fault: edit('SUCCESS', { result: {} }),
		reason: /^: the edit has no edited file to download \(edit edit-/,
	},
	'a file that is gone': {
		nodes: ['audioEditing', 'getResult'],
		fault: notFoundOnGet(),
		reason: /^: could not download the edited file: there is no file at .* \(edit edit-/,
	},
	'an edit that cannot be read': {
		nodes: ['getResult', 'waitForEdit', 'audioEditing'],
		fault: answering(isPoll, { status: 403 }),
		reason: /^: could not (read|wait for) the edit: the service does not allow this \(edit edit-/,
	},
	'an edit that cannot be deleted': {
		nodes: ['delete'],
		fault: answering(({ method }) => method === 'DELETE', { status: 403 }),
		reason: /^: could not delete the edit: the service does not allow this \(edit edit-9\)/,
	},
	'an edit that has vanished': {
		nodes: WAITS,
		fault: (request, number) =>
			isPoll(request)
				? { body: { task_id: 'edit-9', status: number === 1 ? 'EDITING' : 'PENDING' } }
				: undefined,
		reason:
			/^: the edit may have been deleted or may have expired: it was EDITING, and has been PENDING again for \d+ s \(edit edit-/,
	},
	'a recording that may have been submitted': {
		nodes: SUBMITS,
		parameters: SKIP,
		before: submission({ cut: true }),
		reason: /^ was not submitted: an earlier submission of it may have been accepted/,
	},
	'a submission that is not sent again': {
		nodes: SUBMITS,
		fault: submission({ status: 502 }),
		settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		reason:
			/^: the edit was not sent again: an earlier attempt in this execution may have reached the service/,
		alwaysEnds: true,
	},
	'a memory of n8n that cannot be read': {
		nodes: SUBMITS,
		parameters: SKIP,
		isForgetful: true,
		reason: /^: could not look up whether the recording was submitted before/,
	},
	'a service that sends a web page': {
		nodes: ['audioEditing', 'upload', 'createEdit', 'getResult'],
		fault: () => ({ body: '<html></html>', headers: { 'Content-Type': 'text/html' } }),
		reason: /^: could not .*: this base URL leads to a web page/,
	},
};
