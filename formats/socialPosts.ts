import type { EditResult } from '../api/contract';

/** What the service wrote for social media; what it did not write is missing. */
export interface SocialPosts {
	/** Markdown. */
	readonly newsletter?: string;
	/** Plain text. */
	readonly linkedIn?: string;
	/** The thread, one text a post, in order. */
	readonly thread?: readonly string[];
}

const TWEET_TAG = /<(\/?)tweet[^<>]{0,100}>/i;

/** The social content of a result; undefined where there is none. */
export function socialPosts(result: EditResult | undefined): SocialPosts | undefined {
	const content = result?.social_content;
	const newsletter = content?.newsletter?.trim();
	const linkedIn = content?.linkedin?.trim();
	const thread = postsOf(content?.twitter_thread ?? '');
	const posts: SocialPosts = {
		...(newsletter && { newsletter }),
		...(linkedIn && { linkedIn }),
		...(thread.length > 0 && { thread }),
	};
	return Object.keys(posts).length > 0 ? posts : undefined;
}

/**
 * The posts of a thread whose posts stand in tweet tags (spec "result.summarization", text formats). A
 * tag that is not closed ends with the next one; a thread without tags is one post.
 */
function postsOf(thread: string): string[] {
	const [before, ...parts] = thread.split(new RegExp(TWEET_TAG, 'gi'));
	// Each tag leaves two parts: whether it closes, and the text up to the next tag.
	const inTags = parts.filter((_part, index) => index % 2 === 1 && parts[index - 1] === '');
	const texts = parts.length === 0 ? [before] : inTags;
	return texts.map((text) => text.trim()).filter((text) => text !== '');
}
