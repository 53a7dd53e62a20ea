/* eslint-disable @n8n/community-nodes/no-restricted-globals -- tests are not a community node: they watch what the process does */
import { requestsUnderWay, workElsewhere } from '../service/requestsUnderWay';
import { VirtualTime } from './virtualTime';

/** Node.js's names of what works on files: an operation, and the closing of a file. */
const FILE_WORK = /^FS|^CloseReq$/;

const isWorking = () =>
	requestsUnderWay() + workElsewhere.size > 0 ||
	process.getActiveResourcesInfo().some((name) => FILE_WORK.test(name));

/**
 * Replaces `api/time` in tests that run nodes through n8n's engine over real HTTP (eachTestFile.ts). Time
 * stops while a request is under way or the engine works, and jumps when all code is asleep. The test's
 * service reads the same clock, so that it knows when a request arrived.
 */
export const systemTime = new VirtualTime({ startMs: Date.UTC(2026, 0, 1), isWorking });
