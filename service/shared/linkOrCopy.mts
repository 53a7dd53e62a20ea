import { constants, copyFile, link } from 'node:fs/promises';

/** Links a file, which takes no room, or copies it where hard links are not supported. */
export async function linkOrCopy(path: string, newPath: string): Promise<void> {
	await link(path, newPath).catch(async () => {
		await copyFile(path, newPath, constants.COPYFILE_FICLONE);
	});
}
