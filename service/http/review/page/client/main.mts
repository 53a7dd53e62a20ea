import { byId } from './dom.mts';
import { ReviewPage } from './reviewPage.mts';
import { readReview, Refusal } from './service.mts';

try {
	await new ReviewPage(await readReview()).start();
} catch (error) {
	if (!(error instanceof Refusal)) throw error;
	byId('standing', HTMLElement).textContent = error.message;
}
