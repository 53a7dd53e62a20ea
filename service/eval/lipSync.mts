import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { resolveEditConfig } from '../shared/contract.mts';
import { editRecording } from '../engine/editRecording.mts';
import { makeCodedVideo, type CodedVideoPlan } from '../../testkit/media/codedVideo.mts';
import { readCodedVideo, type CodedReading } from '../../testkit/media/readCodedVideo.mts';
import type { TimeRange } from '../shared/timeRanges.mts';
import { table } from '../../demo/report.mts';
import type { Bar } from '../../testkit/measure/bars.mts';
import { mean } from '../../testkit/measure/median.mts';

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-c:a', 'aac'];
const VP8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '500k'];
const MPEG4 = ['-c:v', 'mpeg4', '-q:v', '4', '-c:a', 'libmp3lame'];

/** Containers, frame rates and offsets that the sync of picture and sound is measured on. */
const LIP_SYNC_PLANS = [
	{ fileName: '25.mp4', frameRate: '25' },
	{ fileName: '29.97.mov', frameRate: '30000/1001' },
	{ fileName: '30.webm', frameRate: '30', codecArguments: [...VP8, '-c:a', 'libopus'] },
	{ fileName: '25.avi', frameRate: '25', codecArguments: MPEG4 },
	{ fileName: '23.976.mkv', frameRate: '24000/1001' },
	{
		fileName: 'variable.mp4',
		frameRate: '30',
		pictureFilter: "select='not(eq(mod(n,3),1))*not(between(mod(n,90),30,44))'",
	},
	{ fileName: 'late-sound.mp4', frameRate: '30', soundDelaySeconds: 0.7 },
	{ fileName: 'early-sound.mkv', frameRate: '25', soundDelaySeconds: -0.53 },
].map((plan): CodedVideoPlan => ({ codecArguments: H264, ...plan, phrases: 20 }));

/** Edits a generated video and measures how far its picture and sound are apart afterwards, in milliseconds. */
export async function measureLipSyncOf(plan: CodedVideoPlan, folder: string) {
	const base = join(folder, plan.fileName.replaceAll('.', '-'));
	const [workFolder, resultFolder] = [join(base, 'work'), join(base, 'result')];
	for (const path of [workFolder, resultFolder]) await mkdir(path, { recursive: true });
	const sourcePath = await makeCodedVideo(plan, base);
	const result = await editRecording(
		{
			sources: [{ path: sourcePath, name: plan.fileName }],
			config: resolveEditConfig({ video: true, long_silences: true, remove_noise: false }),
			maxSourceSeconds: 36_000,
			workFolder,
			resultFolder,
		},
		() => undefined,
	);
	const before = await readCodedVideo(sourcePath);
	const after = await readCodedVideo(join(resultFolder, result.fileName));
	return {
		fileName: plan.fileName,
		cuts: result.edits.length,
		removedSeconds: result.durationBeforeSeconds - result.durationAfterSeconds,
		...compare(before, after),
	};
}

type LipSyncReport = Awaited<ReturnType<typeof measureLipSyncOf>>;

const HEAD = ['video', 'cuts', 'removed s', 'frame ms', 'mean ms', 'worst ms', 'drift ms'];

/** Measures lip-sync after cuts on every plan, in an empty folder, and prints a table, a row for each. */
export async function measureLipSync(folder: string): Promise<LipSyncReport[]> {
	const reports: LipSyncReport[] = [];
	for (const plan of LIP_SYNC_PLANS) reports.push(await measureLipSyncOf(plan, folder));
	const rows = reports.map(({ fileName, cuts, ...figures }) => {
		return [fileName, String(cuts), ...Object.values(figures).map((figure) => figure.toFixed(1))];
	});
	console.log(table([HEAD, ...rows]));
	return reports;
}

/** How far picture and sound of the worst video are apart, in pictures of that video. */
export function lipSyncBar(reports: readonly LipSyncReport[]): Bar {
	const figure = Math.max(...reports.map(({ worstErrorMs, frameMs }) => worstErrorMs / frameMs));
	return { name: 'lip-sync off, frames', figure, limit: 1 };
}

/**
 * Compares what is shown when a phrase begins with the picture at the same place of the source: late is above 0, early
 * below, the same picture 0. What adds up is the drift: the mean of the last tenth less that of the first.
 */
function compare(before: CodedReading, after: CodedReading) {
	const { onsetsSeconds } = after;
	if (onsetsSeconds.length !== before.onsetsSeconds.length) {
		throw new Error(`${onsetsSeconds.length} of ${before.onsetsSeconds.length} phrases are left`);
	}
	const shownInSource = displayTimes(before);
	const errorsMs = onsetsSeconds.map((onset, index) => {
		const shown = after.pictures.findLast(({ seconds }) => seconds <= onset) ?? after.pictures[0];
		const display = shownInSource.get(shown.number);
		if (!display) throw new Error(`The picture shown at ${onset} s was never in the source`);
		const sourceOnset = before.onsetsSeconds[index];
		// A picture that the source showed longer ago than the sound is late.
		const late = Math.max(0, sourceOnset - display.endSeconds);
		return 1_000 * (late - Math.max(0, display.startSeconds - sourceOnset));
	});
	const tenth = Math.ceil(errorsMs.length / 10);
	return {
		frameMs: meanFrameMs(after),
		meanErrorMs: mean(errorsMs),
		worstErrorMs: Math.max(...errorsMs.map(Math.abs)),
		driftMs: mean(errorsMs.slice(-tenth)) - mean(errorsMs.slice(0, tenth)),
	};
}

function meanFrameMs({ pictures }: CodedReading): number {
	const seconds = (pictures.at(-1)?.seconds ?? 0) - pictures[0].seconds;
	return (1_000 * seconds) / (pictures.length - 1);
}

/** From when to when each picture is shown, by its number. */
function displayTimes({ pictures }: CodedReading): Map<number, TimeRange> {
	const behindLast = (pictures.at(-1)?.seconds ?? 0) + 1;
	return new Map(
		pictures.map(({ number, seconds }, index) => {
			const endSeconds = pictures[index + 1]?.seconds ?? behindLast;
			return [number, { startSeconds: index === 0 ? 0 : seconds, endSeconds }];
		}),
	);
}
