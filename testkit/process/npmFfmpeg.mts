/**
 * Lets the services of npm test use the npm build of ffmpeg. Debian's loads 215 libraries at each start,
 * which took two thirds of the tests' time. `npm test -- slow`, the demo and e2e use the one on PATH.
 */
process.env['LOCAL_SERVICE_FFMPEG'] ??= 'npm';
