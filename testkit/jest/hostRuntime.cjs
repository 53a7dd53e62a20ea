const { default: Runtime } = require('jest-runtime');

require('../process/environment.ts');

const OF_N8N = /^(?:n8n-core|n8n-workflow|@n8n\/.+|reflect-metadata)$/;

/** ES modules, which jest cannot load and Node can. */
const ES_MODULES = ['media-captions', 'music-metadata'];

/**
 * Loads n8n's packages once for a worker of jest instead of once for a test file: they are some 1,700
 * modules, and take longer to load than most files take to run.
 */
module.exports = class HostRuntime extends Runtime {
	requireModuleOrMock(from, name) {
		const isOwn = OF_N8N.test(name) || ES_MODULES.includes(name);
		return isOwn ? require(name) : super.requireModuleOrMock(from, name);
	}
};
