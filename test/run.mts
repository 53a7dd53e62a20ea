/** `npm test`: runs all that a change must pass. `npm test -- service` runs a part, `npm test -- list` lists them. */
import { type Menu, run, runChosen } from '../.ci/menu.mts';

const NODE = 'node --import tsx';
const FILES = 'testkit/process/runFiles.mts';

/** Tests of the service with cases that only `npm test -- slow` runs (service/test/support/casesOf.mts). */
const LONG = 'service/test/{exports,media,metadata,sourceLength,studio,tracks,video}.test.mts';

const PARTS: Menu = {
	static: {
		about: 'linters, types, pages, and the rules of n8n for verified nodes',
		command: [
			'concurrently --group --max-processes 2 --kill-others-on-fail',
			'npm:lint npm:typecheck "npm test -- scan" "npm test -- pages"',
		].join(' '),
	},
	scan: {
		about: 'the rules of n8n for verified nodes, on the packed package and its sources',
		command: `${NODE} .ci/scan.mts`,
	},
	pages: {
		about: 'what pages say of the code, rules about imports, and the packages for a release',
		command: `${NODE} --test bench/*.test.mts test/*.test.mts test/{mutation,package,pages}/*.test.mts`,
	},
	service: {
		about: 'tests of the local service',
		command: `${NODE} --import ./testkit/process/npmFfmpeg.mts ${FILES} 3 service/test/*.test.mts`,
	},
	nodes: { about: 'tests of the nodes, in jest', command: 'jest' },
	slow: {
		about: 'tests that are slow or need PostgreSQL, Redis, S3, mutagen; not part of npm test',
		command: `.ci/packages slow && ALL_CASES=true ${NODE} ${FILES} 2 service/test/slow/*.test.mts test/slow/*.test.mts ${LONG} && jest --config jest.slow.config.js`,
	},
	corpus: {
		about:
			'edits every container and codec with what is special about real files; not part of npm test',
		command: `LOCAL_SERVICE_FFMPEG=PATH ${NODE} service/test/corpus/corpus.mts`,
	},
	mutants: {
		about: 'named mistakes, each of which a test must notice; not part of npm test',
		command: `${NODE} test/mutation/named.mts`,
	},
	hosted: {
		about: 'compares a hosted service with the contract, for money; not part of npm test',
		command: `${NODE} test/hosted/main.mts`,
	},
};

if (process.argv.length > 2) {
	runChosen('npm test', PARTS);
} else {
	const parts = [PARTS.static, PARTS.service, PARTS.nodes].map(({ command }) => command);
	run(['.ci/packages', ...parts].join(' && '), []);
}
