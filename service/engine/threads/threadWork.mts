import { type PcmFile, pcmSourceOf } from '../../media/pcmFile.mts';
import { type BurstTask, searchBursts } from '../denoise/burstSearch.mts';
import { denoiseSegment, type DenoiseTask } from '../denoise/denoiseSegment.mts';
import { humIn } from '../denoise/mainsHum.mts';
import { type FeatureTask, measureFeatures } from '../detection/featureMaker.mts';
import { measureProfile, type LevelProfile } from '../level/levelProfile.mts';
import { listen, type ListenTask } from '../music/listen.mts';
import { listenToPauses, type PauseTask } from '../music/pauseMusic.mts';
import { describe, type DescribeTask } from '../voice/describeVoices.mts';
import { hearVoice, type VoiceTask } from '../voice/hearVoice.mts';

/** Work on a stretch of a recording that several threads can do side by side. */
export type ThreadTask =
	| ({ kind: 'denoise' } & DenoiseTask)
	| ({ kind: 'bursts' } & BurstTask)
	| ({ kind: 'features' } & FeatureTask)
	| { kind: 'hum'; input: PcmFile; tones: Float64Array }
	| { kind: 'profile'; input: PcmFile; profile: LevelProfile }
	| ({ kind: 'listen' } & ListenTask)
	| ({ kind: 'pauses' } & PauseTask)
	| ({ kind: 'voice' } & VoiceTask)
	| ({ kind: 'describe' } & DescribeTask);

/** Does one piece of work in this thread. Piscina calls it, and ends its thread to stop it. */
export default async function work(task: ThreadTask, signal?: AbortSignal): Promise<void> {
	if (task.kind === 'denoise') await denoiseSegment(task, signal);
	else if (task.kind === 'bursts') await searchBursts(task, signal);
	else if (task.kind === 'listen') await listen(task, signal);
	else if (task.kind === 'pauses') await listenToPauses(task, signal);
	else if (task.kind === 'voice') await hearVoice(task, signal);
	else if (task.kind === 'hum') task.tones.set(await humIn(task.input, signal));
	else if (task.kind === 'profile') {
		await measureProfile(pcmSourceOf(task.input), task.profile, signal);
	} else if (task.kind === 'describe') await describe(task, signal);
	else await measureFeatures(task, signal);
}
