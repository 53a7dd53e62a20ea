import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import type { NamedMutant } from './namedMutants.mts';

/** Not copied: what is large, and what no test of the local service reads. */
const LEFT_OUT = new Set(['.git', 'dist', 'e2e', 'images', 'node_modules']);

/** The packages of the project and of the local service. */
const PACKAGES = ['node_modules', 'service/node_modules'];

/** A copy of the project in which a file can be changed while something else reads the original. */
export class MutatedCopy implements AsyncDisposable {
	private constructor(
		private readonly root: string,
		readonly folder: string,
	) {}

	static async make(root: string): Promise<MutatedCopy> {
		const folder = await mkdtemp(join(tmpdir(), 'audio-editing-mutant-'));
		const filter = (path: string) => !LEFT_OUT.has(basename(path));
		await cp(root, folder, { recursive: true, filter });
		for (const packages of PACKAGES) await symlink(join(root, packages), join(folder, packages));
		return new MutatedCopy(root, folder);
	}

	/** Does something while the copy has the mutant, if there is one. */
	async with<T>({ file, find, replace }: Partial<NamedMutant>, work: () => Promise<T>): Promise<T> {
		if (file === undefined || find === undefined) return await work();
		const text = await readFile(join(this.root, file), 'utf8');
		await writeFile(
			join(this.folder, file),
			text.replace(find, () => replace ?? ''),
		);
		try {
			return await work();
		} finally {
			await writeFile(join(this.folder, file), text);
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await rm(this.folder, { recursive: true, force: true });
	}
}
