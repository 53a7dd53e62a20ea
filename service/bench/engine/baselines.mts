import { encoderArguments, outputFormatFor } from '../../media/outputFormat.mts';
import { probe } from '../../media/probe.mts';
import { timeCommand } from './measure.mts';

/** The Enhance preset's target. */
const LOUDNORM = 'loudnorm=I=-16:TP=-2:LRA=11';

async function encoderFor(source: string): Promise<string[]> {
	const info = await probe(source);
	return encoderArguments(outputFormatFor('auto', info), info);
}

/** Decodes and encodes with one ffmpeg, using the service's encoder settings. */
export async function floorOf(source: string, output: string) {
	const encoder = await encoderFor(source);
	const quietly = ['-nostdin', '-v', 'error', '-y'];
	return await timeCommand('ffmpeg', [...quietly, '-i', source, ...encoder, output]);
}

/** Cuts pauses with auto-editor, by its usual settings. */
export async function autoEditorOf(source: string, output: string) {
	return await timeCommand('auto-editor', [source, '--no-open', '--output', output]);
}

/** What a user would put together of ffmpeg's filters for what Full Edit does: loudnorm needs two passes. */
export async function chainOf(source: string, output: string) {
	const pauses = 'stop_periods=-1:stop_duration=1:stop_threshold=-40dB';
	const filters = ['afftdn=tn=1', `silenceremove=${pauses}`];
	const input = ['-nostdin', '-hide_banner', '-y', '-i', source];
	const measuring = [...filters, `${LOUDNORM}:print_format=json`].join();
	const first = await timeCommand('ffmpeg', [...input, '-af', measuring, '-f', 'null', '-']);
	const report = first.said.slice(first.said.lastIndexOf('{'), first.said.lastIndexOf('}') + 1);
	const read = (key: string) => new RegExp(`"${key}" : "([^"]+)"`).exec(report)?.[1] ?? '0';
	const known = [
		`measured_I=${read('input_i')}`,
		`measured_TP=${read('input_tp')}`,
		`measured_LRA=${read('input_lra')}`,
		`measured_thresh=${read('input_thresh')}`,
		`offset=${read('target_offset')}`,
	].join(':');
	const applying = [...filters, `${LOUDNORM}:${known}:linear=true`].join();
	const second = await timeCommand('ffmpeg', [
		...input,
		'-af',
		applying,
		'-ar',
		'48000',
		...(await encoderFor(source)),
		output,
	]);
	return {
		wallSeconds: first.wallSeconds + second.wallSeconds,
		cpuSeconds: first.cpuSeconds + second.cpuSeconds,
		peakMegabytes: Math.max(first.peakMegabytes, second.peakMegabytes),
	};
}
