import { status, useScriptedEdits } from '../support/scriptedEdits';
import { chain, runChain } from '../support/workflows';

jest.mock('../../api/time', () => jest.requireActual('../support/leapingTime'));

/* n8n looks for codes such as ECONNRESET in messages and replaces them with its own text. */

const edits = useScriptedEdits();

const REFUSED = { status: 500, body: { detail: 'connect ECONNREFUSED 10.0.0.1:6379' } };

it('a code in the text of the service does not remove the edit ID from the text on the regular output', async () => {
	edits.script = { '/v2/edits/a': [REFUSED] };
	const settings = { onError: 'continueRegularOutput' } as const;
	const { out } = await edits.run('getResult', ['a'], {}, settings);
	expect(out[0].json.error).toBe(
		"Could not read edit a: the service is temporarily unavailable (source file 'a.wav') [item 0]. The service says: connect ECONNREFUSED 10.0.0.1:6379. Try again in a minute.",
	);
});

it('a code in a status does not remove it either', async () => {
	edits.script = { '/v2/edits/a': [status('a', 'EPERM')] };
	const { error } = await edits.run('getResult', ['a']);
	expect(error?.message).toBe(
		"Edit a is not finished yet: its status is EPERM (source file 'a.wav') [item 0]",
	);
});

it('no message recommends a retry that may be charged', async () => {
	edits.script = { '/v2/edits': [{ status: 502, body: { detail: 'upstream: read ECONNRESET' } }] };
	const parameters = { fileUrls: 'https://files.example/RemoteAccess.wav' };
	const run = await runChain(edits.service, chain({ type: 'createEdit', parameters }));
	const { message, description } = run.data.resultData.error ?? {};
	expect(message).toMatch(
		/^Could not create the edit: .* \(source file 'RemoteAccess\.wav'\) \[item 0\]$/,
	);
	expect(`${message} ${description}`).not.toMatch(/retry the request/);
	expect(edits.service.seen).toHaveLength(1);
});
