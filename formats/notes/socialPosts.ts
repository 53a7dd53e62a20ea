import type { EditResult } from '../../api/contract';

/**
 * The social content of a result: a newsletter in Markdown, a text for LinkedIn, and the posts of a
 * thread in order. What the service did not write is missing; undefined where it wrote nothing.
 */
export function socialPosts(result: EditResult | undefined) {
	const content = result?.social_content;
	const newsletter = content?.newsletter?.trim();
	const linkedIn = content?.linkedin?.trim();
	const thread = postsOf(content?.twitter_thread ?? '');
	const posts = {
		...(newsletter && { newsletter }),
		...(linkedIn && { linkedIn }),
		...(thread.length > 0 && { thread }),
	};
	return Object.keys(posts).length > 0 ? posts : undefined;
}

/**
 * The posts of a thread, each in tweet tags (api.md#social-content). A tag that is
 * not closed ends with the next one. A thread without tags is one post.
 */
function postsOf(thread: string): string[] {
	const [before, ...parts] = thread.split(/<(\/?)tweet[^<>]{0,100}>/i);
	// Each tag leaves two parts: its slash if it closes, and the text up to the next tag.
	const inTags = parts.filter((_part, index) => index % 2 === 1 && parts[index - 1] === '');
	const texts = parts.length === 0 ? [before] : inTags;
	return texts.map((text) => text.trim()).filter((text) => text !== '');
}
