import { byId } from './dom.mts';
import { ReviewPage } from './reviewPage.mts';
import { readReview, Refusal } from './service.mts';

/** How long the page waits before it asks again whether the cuts are found. */
const AGAIN_MS = 3_000;

/** Shows the review; before the cuts are found, or without an answer, it says so and tries again. */
async function start(): Promise<void> {
	try {
		await new ReviewPage(await readReview()).start();
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		byId('standing', HTMLElement).textContent = error.message;
		if (error.status === 409 || error.status === 0 || error.status >= 500)
			setTimeout(() => void start(), AGAIN_MS);
	}
}

await start();
