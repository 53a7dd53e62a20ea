import { ReviewPage } from './reviewPage.mts';
import { Refusal } from './refusal.mts';
import { read } from './service.mts';
import { showEnd } from './standing.mts';

/** How long the page waits before it asks again whether the cuts are found. */
const AGAIN_MS = 3_000;

/** Shows the review; before the cuts are found, or without an answer, it says so and tries again. */
async function start(): Promise<void> {
	const review = await read('state');
	if (!(review instanceof Refusal)) {
		await new ReviewPage(review).start();
		return;
	}
	const { message, status, isEnd } = review;
	showEnd(status === 409 ? `${message}. The page looks again in a few seconds.` : message);
	if (!isEnd) setTimeout(() => void start(), AGAIN_MS);
}

await start();
