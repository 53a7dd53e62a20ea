import { encoderArguments, outputFormatFor } from '../../service/media/outputFormat.mts';
import { probe } from '../../service/media/probe.mts';
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
	return await timeCommand('ffmpeg', [
		'-nostdin',
		'-v',
		'error',
		'-y',
		'-i',
		source,
		...encoder,
		output,
	]);
}

/** The usual way to normalize: loudnorm once to measure, then again, linear where possible. */
export async function loudnormOf(source: string, output: string) {
	const input = ['-nostdin', '-hide_banner', '-y', '-i', source];
	const measure = [...input, '-af', `${LOUDNORM}:print_format=json`, '-f', 'null', '-'];
	const first = await timeCommand('ffmpeg', measure);
	const report = first.said.slice(first.said.lastIndexOf('{'), first.said.lastIndexOf('}') + 1);
	const read = (key: string) => new RegExp(`"${key}" : "([^"]+)"`).exec(report)?.[1] ?? '0';
	const known = [
		...[`measured_I=${read('input_i')}`, `measured_TP=${read('input_tp')}`],
		...[`measured_LRA=${read('input_lra')}`, `measured_thresh=${read('input_thresh')}`],
		`offset=${read('target_offset')}`,
	].join(':');
	const filter = ['-af', `${LOUDNORM}:${known}:linear=true`, '-ar', '48000'];
	const second = await timeCommand('ffmpeg', [
		...input,
		...filter,
		...(await encoderFor(source)),
		output,
	]);
	return {
		wallSeconds: first.wallSeconds + second.wallSeconds,
		cpuSeconds: first.cpuSeconds + second.cpuSeconds,
		peakMegabytes: Math.max(first.peakMegabytes, second.peakMegabytes),
	};
}
