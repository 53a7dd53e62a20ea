import type { Bar } from '../../../testkit/measure/bars.mts';
import { Chance } from '../../../testkit/measure/chance.mts';
import { childrenCpuSeconds } from '../../../testkit/measure/peak.mts';
import { addAt, framesOf } from '../../../testkit/media/signals.mts';
import { THREADS } from '../../text/speech/whisper/recognizer.mts';
import type { Transcriber } from '../../text/speech/transcriber.mts';
import { roomTone } from '../conditions.mts';
import { heardWords } from './heardTalk.mts';
import { fluentTalks, ROOM_DB } from './knownTalks.mts';

const SHORT_SECONDS = 26;
const LONG_SECONDS = 720;

/** Measures what processor a recognizer takes, whatever else the machine does. */
export async function speedBars(recognizer: Transcriber, folder: string): Promise<Bar[]> {
	const short = await secondsFor(SHORT_SECONDS, recognizer, folder);
	const long = await secondsFor(LONG_SECONDS, recognizer, folder);
	console.log(`the recognizer has ${THREADS} of the machine's threads`);
	const share = long / LONG_SECONDS;
	return [
		{
			name: `processor's time of ${SHORT_SECONDS} s of speech`,
			figure: short,
			limit: 8,
			unit: 's',
		},
		{
			name: `processor's time of ${LONG_SECONDS / 60} min, of its length`,
			figure: share,
			limit: 0.4,
		},
	];
}

async function secondsFor(seconds: number, recognizer: Transcriber, folder: string) {
	const samples = await speechFor(seconds);
	const before = processorSeconds();
	await heardWords(samples, recognizer, folder);
	return processorSeconds() - before;
}

/** Speech of one person without long pauses; what there is of it comes again until it is long enough. */
async function speechFor(seconds: number): Promise<Float32Array> {
	const [talk] = await fluentTalks('figures', seconds);
	const samples = roomTone(framesOf(seconds), ROOM_DB, new Chance(8));
	for (let frame = 0; frame < samples.length; frame += talk.samples.length) {
		addAt(samples, talk.samples.subarray(0, samples.length - frame), frame);
	}
	return samples;
}

/** The processor's time of this process, and of the programs that it has waited for, seconds. */
function processorSeconds(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1e6 + childrenCpuSeconds('self');
}
