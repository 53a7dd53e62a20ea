import { takeHead } from '../../../nodes/core/files/takeHead';
import { streamOf } from '../../../testkit/service/fake/scriptedService';

async function* inChunks(...texts: string[]) {
	for (const text of texts) yield Buffer.from(text);
}

it.each([
	[1, 'ab'],
	[2, 'ab'],
	[3, 'abcd'],
	[9, 'abcde'],
])('at least %d bytes are taken off: %s', async (minBytes, head) => {
	const content = streamOf(inChunks('ab', 'cd', 'e'));
	expect((await takeHead(content, minBytes)).toString()).toBe(head);
	expect((await takeHead(content, 99, Buffer.from(head))).toString()).toBe('abcde');
});

it('a stream that fails while nobody reads it does not end n8n', async () => {
	const content = streamOf(inChunks('ab', 'cd'));
	await takeHead(content, 1);
	// Without a listener, the error would end this process, too.
	expect(content.listenerCount('error')).toBe(1);
	const closed = new Promise((resolve) => content.on('close', resolve));
	content.destroy(new Error('the disk is gone'));
	await closed;
	await expect(takeHead(content, 1)).rejects.toThrow('the disk is gone');
});
