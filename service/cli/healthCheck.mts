/**
 * The health check of the container: exits with 0 if the service answers. Docker ends it when it takes too
 * long. Reads the container's environment variables, not the flags of its command. A worker listens on no
 * port and counts as healthy: its container ends when the worker's process ends.
 */
const { LOCAL_SERVICE_PORT: port = '', LOCAL_SERVICE_WORKER: worker = '' } = process.env;

async function answers(): Promise<boolean> {
	try {
		return (await fetch(`http://127.0.0.1:${port}/health`)).ok;
	} catch {
		return false;
	}
}

process.exit(worker === 'true' || (await answers()) ? 0 : 1);
