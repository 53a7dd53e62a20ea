import { talk } from '../../../test/service/support/recordings.mts';
import { H264, codedVideo } from '../../../test/service/support/video.mts';
import { publishRecording } from '../audio.mts';
import { type BuzzsproutWays, startBuzzsprout } from '../standIns/buzzsprout.mts';
import { startDropbox } from '../standIns/dropbox.mts';
import { type StoredObject, startS3 } from '../standIns/s3.mts';
import { startTransistor } from '../standIns/transistor.mts';
import { startWordPress } from '../standIns/wordPress.mts';
import { startYouTube } from '../standIns/youTube.mts';
import { settingsOf } from '../workflowFiles.mts';
import { type Publisher, headerAuth, inNodes, loggedIn } from './publisher.mts';

/** Publishes on Buzzsprout, which may be down at first, or never fetch the file. */
export async function publishOnBuzzsprout(publisher: Publisher, ways: BuzzsproutWays = {}) {
	const host = await startBuzzsprout(publisher.sandbox, 'buzz', ways);
	const mostLooks = ways.takesFiles === false ? 2 : 9;
	const auth = await headerAuth(publisher, 'Authorization', 'Token token=buzz');
	const settings = settingsOf({ apiUrl: `${host.url}/api/1`, private: true, mostLooks });
	const others = inNodes(['Create the episode', 'Get the episode'], auth);
	return { host, execution: await publisher.publish('publish-buzzsprout.json', settings, others) };
}

/** Publishes on Transistor. */
export async function publishOnTransistor(publisher: Publisher) {
	const host = await startTransistor(publisher.sandbox, 'transistor');
	const auth = await headerAuth(publisher, 'x-api-key', 'transistor');
	const apiUrl = `${host.url}/v1`;
	const settings = settingsOf({ apiUrl, showId: '132543', status: 'published', mostLooks: 9 });
	const others = inNodes(['Create the episode', 'Get the episode', 'Publish'], auth);
	return { host, execution: await publisher.publish('publish-transistor.json', settings, others) };
}

/** The account of the bucket. */
export const S3 = {
	accessKeyId: 'OWN',
	secretAccessKey: 'secret',
	region: 'eu-test-1',
	bucket: 'show',
};

/** The feed before the episode. */
export const FEED =
	'<?xml version="1.0"?><rss version="2.0"><channel><title>Show</title><item><guid>1</guid></item></channel></rss>';

/** Publishes in an own feed, with a link that is signed with this key. */
export async function publishInOwnFeed(publisher: Publisher, secretAccessKey: string) {
	const { sandbox, editor } = publisher;
	const feed = { content: Buffer.from(FEED), type: 'application/rss+xml' };
	const objects = new Map<string, StoredObject>([['feed.xml', feed]]);
	const { url: endpoint } = await startS3(sandbox, S3, objects);
	const { accessKeyId, region, bucket } = S3;
	const publicUrl = `${endpoint}/public`;
	const stamp = "={{ $now.toUTC().toFormat(\"yyyyMMdd'T'HHmmss'Z'\") }}";
	const settings = settingsOf({ endpoint, region, bucket, accessKeyId, publicUrl, stamp });
	const hmacSecret = `AWS4${secretAccessKey}`;
	const data = { ...S3, endpoint, forcePathStyle: true };
	const s3 = { s3: await editor.createCredential('S3', data, 's3') };
	const others = {
		'Signing key for today': {
			crypto: await editor.createCredential('Day', { hmacSecret }, 'crypto'),
		},
		...inNodes(['Get the feed', 'Upload the files'], s3),
	};
	const execution = await publisher.publish('publish-own-feed.json', settings, others);
	return { objects, execution };
}

/** Publishes on WordPress, where a part of the file may get lost. */
export async function publishOnWordPress(publisher: Publisher, lostBytes: number) {
	const { sandbox, editor } = publisher;
	const host = await startWordPress(sandbox, 'anna', lostBytes);
	const data = { username: 'anna', password: 'application password', url: host.url };
	const site = { wordpressApi: await editor.createCredential('Site', data, 'wordpressApi') };
	const settings = settingsOf({ siteUrl: host.url, status: 'draft' });
	const others = inNodes(['Upload the file', 'Create the post'], site);
	return { host, execution: await publisher.publish('publish-wordpress.json', settings, others) };
}

/** Publishes a video on YouTube, which may reject it. */
export async function publishOnYouTube(publisher: Publisher, finalStatus: string) {
	const { sandbox } = publisher;
	const plan = { fileName: 'v.mp4', phrases: 4, frameRate: '25', codecArguments: H264 };
	const url = await publishRecording(sandbox, await codedVideo(plan), 'episode-12.mp4');
	const host = await startYouTube(sandbox, 'token', finalStatus);
	const settings = settingsOf({ apiUrl: host.url, privacyStatus: 'unlisted', mostLooks: 9 });
	const auth = await loggedIn(publisher, 'youTubeOAuth2Api');
	const others = inNodes(['Start the upload', 'Send the video', 'Get the video'], auth);
	const file = 'publish-youtube.json';
	return { host, execution: await publisher.publish(file, settings, others, url) };
}

/** A Dropbox with these recordings and two other files, and a function that runs the workflow. */
export async function dropboxWith(
	publisher: Publisher,
	names: readonly string[],
	lostBytes: number,
) {
	const { sandbox, editor } = publisher;
	const files = new Map(names.map((name) => [`/inbox/${name}`, talk]));
	files.set('/inbox/notes.txt', Buffer.from('no recording'));
	files.set('/inbox/broken.wav', Buffer.from('no recording either'));
	const host = await startDropbox(sandbox, 'token', files, lostBytes);
	const urls = { apiUrl: `${host.url}/2`, contentUrl: `${host.url}/2` };
	const settings = settingsOf({ ...urls, inbox: '/inbox', outbox: '/edited' });
	const auth = await loggedIn(publisher, 'dropboxOAuth2Api');
	const others = inNodes(['List the inbox', 'Get a link', 'Save to the outbox'], auth);
	const workflow = await publisher.importedWith('dropbox-folder.json', settings, others);
	const id = await editor.createWorkflow(workflow);
	const run = async () => await editor.reached(await editor.run(id, 'Every 15 minutes'));
	return { files, run };
}
