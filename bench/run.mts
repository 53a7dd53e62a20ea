/**
 * `npm run bench -- <name>`: measures one thing and prints its bars. `npm run bench` lists the names.
 * `npm run bench -- page [names]` measures all, or those, and writes measured/benchmarks.md.
 */
import { type Menu, runChosen } from '../.ci/menu.mts';
import { BENCHMARKS } from '../testkit/measure/page/page.mts';
import { writePage } from '../testkit/measure/page/writePage.mts';

const NODE = 'node --import tsx';
const BUILD = 'npm run --silent build';
const E2E = `${NODE} e2e/run.mts`;

const BENCHES: Menu = {
	forms: {
		about: "people's words that find the right option of Audio Editing",
		command: `${NODE} bench/forms.mts`,
	},
	install: {
		about: 'what a fresh clone downloads and stores',
		command: `${NODE} bench/install.mts`,
	},
	memory: {
		about: 'memory of files of up to 2 GB, and of 1,000 long edits; -- memory waits only these',
		command: `${BUILD} && ${NODE} bench/memory.mts`,
	},
	n8n: {
		about: 'what a real n8n pays: its event loop, its database, its editor',
		command: `${E2E} e2e/bench/n8n.test.mts`,
	},
	night: {
		about:
			'kills, Stop and overlapping executions at random, with recordings already edited skipped',
		command: `${BUILD} && ${NODE} bench/night.mts`,
	},
	overhead: {
		about: "CPU of the nodes beside n8n's helpers, and what loading them takes",
		command: `${BUILD} && ${NODE} bench/overhead.mts`,
	},
	pipeline: {
		about: 'one node beside an ideal client, and faults; -- pipeline trials only these',
		command: `${BUILD} && ${NODE} bench/pipeline.mts`,
	},
	proof: {
		about: 'minutes and failures of npm test; -- proof busy beside busy processes, -- proof ci',
		command: `${NODE} bench/proof.mts`,
	},
	reading: {
		about: "how long an edit of ten hours blocks n8n's event loop while it is read",
		command: `${BUILD} && ${NODE} bench/reading.mts`,
	},
	remembered: {
		about: "n8n's memory with 10,000 recordings and 300 edits that were not output",
		command: `${E2E} e2e/bench/remembered.test.mts`,
	},
	search: {
		about: "producers' words that find the right node in n8n's panel",
		command: `${NODE} bench/search.mts`,
	},
	tagging: {
		about: 'memory of tagging 2 GB, and the sound of tagged files',
		command: `.ci/packages && ${BUILD} && ${NODE} bench/tagging.mts`,
	},
	tasks: {
		about:
			"a producer's first five tasks in n8n's editor: right at the first run, and charged once",
		command: `${E2E} e2e/producer.test.mts`,
	},
	trace: {
		about: 'the way of one recording through the files of the nodes, function by function',
		command: `${BUILD} && ${NODE} bench/trace.mts`,
	},
	waiting: {
		about: 'waiting for edits beside an ideal client, on a virtual clock',
		command: `node --expose-gc --import tsx bench/waiting.mts`,
	},
};

const [name, ...names] = process.argv.slice(2);
if (name === 'page') {
	await writePage(BENCHMARKS, BENCHES, names);
} else {
	const page = { about: 'all, or those named after it, into measured/benchmarks.md', command: '' };
	runChosen('npm run bench', { ...BENCHES, page });
}
