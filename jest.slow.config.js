process.env.LOCAL_SERVICE_FFMPEG ??= 'PATH';

const config = require('./jest.config.js');

/** The tests that are slow, or need more of Debian than ffmpeg: `npm test -- slow`. */
/** @type {import('jest').Config} */
module.exports = { ...config, roots: ['<rootDir>/test/slow'], testPathIgnorePatterns: [] };
