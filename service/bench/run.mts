/**
 * `npm run bench -w service -- <name>`: measures one thing and prints its bars; without a name, it lists them.
 * `npm run bench -w service -- page [names]` writes the figures into measured/benchmarks.md.
 */
import { type Menu, runChosen } from '../../.ci/menu.mts';
import { BENCHMARKS } from '../../testkit/measure/page/page.mts';
import { writePage } from '../../testkit/measure/page/writePage.mts';

const NODE = 'node --import tsx';

const BENCHES: Menu = {
	engine: {
		about: 'what an edit takes of time and memory; -- engine 180 only of the short clip',
		command: `.ci/packages engine && ${NODE} service/bench/engine.mts`,
	},
	metrics: {
		about: 'names, keys and URLs of hostile edits in /metrics',
		command: `${NODE} service/bench/metrics.mts`,
	},
	openapi: {
		about: 'what Schemathesis finds between docs/openapi.json and the answers',
		command: `.ci/packages openapi && ${NODE} service/bench/openapi/openapi.mts`,
	},
	review: {
		about: 'what a review of cuts loses, and how long people wait; -- review 600 of ten minutes',
		command: `${NODE} service/bench/review/review.mts`,
	},
	speech: {
		about: 'the recognizer in the service: seams, memory, size, other edits',
		command: `${NODE} service/bench/speech/recognizer.mts`,
	},
};

const [name, ...names] = process.argv.slice(2);
if (name === 'page') {
	await writePage(BENCHMARKS, BENCHES, names);
} else {
	const page = { about: 'all, or those named after it, into measured/benchmarks.md', command: '' };
	runChosen('npm run bench -w service', { ...BENCHES, page });
}
