import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import {
	DeleteObjectCommand,
	GetObjectCommand,
	paginateListObjectsV2,
	PutObjectCommand,
	type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

import { attachmentHeader } from '../../shared/fileNames.mts';
import { mediaTypeOf } from '../../shared/mediaTypes.mts';
import type { S3Place } from '../../shared/settings.mts';
import type {
	CopyLimits,
	FilePlace,
	FileStore,
	Owners,
	RunName,
	UploadName,
} from './fileStore.mts';
import { createS3Client, s3Trouble } from './s3Client.mts';
import { download, readText, upload, type S3Object } from './s3Transfer.mts';
import { BEGINNING, type RunFolders, type Scratch } from './scratch.mts';

/** The longest lifetime of a URL with Signature Version 4: seven days. */
const MAX_LINK_SECONDS = 604_800;

/** Real milliseconds in which another service that found no owner either may store its name, too. */
const OWNERS_MS = 1_000;

/** Files removed in parallel. */
const REMOVALS_AT_ONCE = 16;

/**
 * Keeps uploads and results in an S3 bucket, under its prefix:
 *
 * - `uploads/<id>/<name>`       uploads, which clients PUT there themselves
 * - `edits/<id>/<run>/<name>`   the results of each run; the edit's outcome names the one that counts
 * - `service`                   the name of the service that owns the place
 *
 * Nothing of an edit stays on this disk.
 */
export class S3FileStore implements FileStore {
	readonly isOnThisDisk = false;
	readonly name: string;

	private constructor(
		private readonly scratch: Scratch,
		private readonly place: S3Place,
		private readonly client: S3Client,
		/** Milliseconds since 1970; processes on several machines go by the database's clock. */
		private readonly nowMs: () => number,
		readonly remoteOrigin: string,
	) {
		this.name = `s3://${[place.bucket, place.prefix].join('/').replace(/\/$/, '')}`;
	}

	/** @throws Error when the SDK knows no region or finds no credentials. */
	static async open(scratch: Scratch, place: S3Place, nowMs: () => number): Promise<S3FileStore> {
		const client = createS3Client(place);
		const get = new GetObjectCommand({ Bucket: place.bucket, Key: 'any' });
		const { origin } = new URL(await getSignedUrl(client, get));
		return new S3FileStore(scratch, place, client, nowMs, origin);
	}

	async uploadUrl(name: UploadName, lifetimeMs: number): Promise<string> {
		const { bucket: Bucket, key: Key } = this.uploadObject(name);
		const put = new PutObjectCommand({ Bucket, Key });
		return await getSignedUrl(this.client, put, this.signing(lifetimeMs));
	}

	/** For links that an earlier start without `--files` signed. */
	async keepUpload(incomingPath: string, name: UploadName): Promise<void> {
		await upload(this.uploadObject(name), incomingPath);
		await rm(incomingPath, { force: true });
	}

	async copyUpload(name: UploadName, path: string, limits: CopyLimits) {
		return await download(this.uploadObject(name), path, limits);
	}

	async uploadPlace(name: UploadName, lifetimeMs: number): Promise<FilePlace> {
		return await this.signedGet(this.uploadObject(name), name.fileName, lifetimeMs);
	}

	async removeUpload(uploadId: string): Promise<void> {
		await this.removeAll(`uploads/${uploadId}/`);
		await this.unbury('uploads', uploadId);
	}

	async uploadIds(): Promise<string[]> {
		return await this.idsIn('uploads/');
	}

	/** The files of each run have their own prefix, so two runs never mix. */
	async keepResult(
		editId: string,
		{ run, unfinishedResult }: RunFolders,
		signal: AbortSignal,
	): Promise<string> {
		return await this.publish(unfinishedResult, { editId, run }, signal);
	}

	async keepReview(
		editId: string,
		{ run, unfinishedReview }: RunFolders,
		signal: AbortSignal,
	): Promise<string> {
		return await this.publish(unfinishedReview, { editId, run: `${run}-review` }, signal);
	}

	async keepBeginning(
		editId: string,
		folder: string,
		fileNames: readonly string[],
		signal: AbortSignal,
	): Promise<void> {
		for (const fileName of fileNames) {
			const object = this.resultObject({ editId, run: BEGINNING }, fileName);
			await upload(object, join(folder, fileName), signal);
		}
	}

	async copyResult(run: RunName, fileName: string, path: string, limits: CopyLimits) {
		return await download(this.resultObject(run, fileName), path, limits);
	}

	async writeResult(run: RunName, fileName: string, text: string): Promise<void> {
		const { client, bucket: Bucket, key: Key } = this.resultObject(run, fileName);
		try {
			await client.send(new PutObjectCommand({ Bucket, Key, Body: text }));
		} catch (error) {
			throw s3Trouble(error, 'Storing a file');
		}
	}

	async readResult(run: RunName, fileName: string): Promise<string | undefined> {
		return await readText(this.resultObject(run, fileName));
	}

	async resultPlace(run: RunName, fileName: string, lifetimeMs: number): Promise<FilePlace> {
		return await this.signedGet(this.resultObject(run, fileName), fileName, lifetimeMs);
	}

	async endRun(editId: string): Promise<void> {
		await this.scratch.removeEdit(editId);
	}

	async removeRun({ editId, run }: RunName): Promise<void> {
		await this.removeAll(`edits/${editId}/${run}/`);
	}

	async removeEdit(editId: string): Promise<void> {
		await this.scratch.removeEdit(editId);
		await this.removeAll(`edits/${editId}/`);
		await this.unbury('edits', editId);
	}

	async editIds(): Promise<string[]> {
		return await this.idsIn('edits/');
	}

	/** The mark is an object of its own: any name beside the files may be that of a client's file. */
	async bury(kind: Owners, id: string): Promise<void> {
		const { client, bucket: Bucket, key: Key } = this.object(tombstoneKey(kind, id));
		try {
			await client.send(new PutObjectCommand({ Bucket, Key, Body: '' }));
		} catch (error) {
			throw s3Trouble(error, 'Marking files as deleted');
		}
	}

	async unbury(kind: Owners, id: string): Promise<void> {
		await this.removeAll(tombstoneKey(kind, id));
	}

	async buriedAmong(kind: Owners, ids: readonly string[]): Promise<Set<string>> {
		const buried = new Set(ids.length > 0 ? await this.idsIn(`deleted/${kind}/`) : []);
		return new Set(ids.filter((id) => buried.has(id)));
	}

	async isOwnPlace(serviceName: string): Promise<boolean> {
		const { client, bucket: Bucket, key: Key } = this.object('service');
		const owner = await readText({ client, bucket: Bucket, key: Key });
		if (owner !== undefined) return owner === serviceName;
		try {
			await client.send(new PutObjectCommand({ Bucket, Key, Body: serviceName }));
		} catch (error) {
			throw s3Trouble(error, 'Storing the name of the service');
		}
		await wait(OWNERS_MS);
		return (await readText({ client, bucket: Bucket, key: Key })) === serviceName;
	}

	close(): void {
		this.client.destroy();
	}

	/** Stores the files of a folder. Returns the name of the run. */
	private async publish(folder: string, name: RunName, signal: AbortSignal): Promise<string> {
		for (const fileName of await readdir(folder)) {
			await upload(this.resultObject(name, fileName), join(folder, fileName), signal);
		}
		return name.run;
	}

	/** Returns when a signed URL begins and how long it lives. */
	private signing(lifetimeMs: number) {
		return { signingDate: new Date(this.nowMs()), ...expiryOf(lifetimeMs) };
	}

	private object(key: string): S3Object {
		return { client: this.client, bucket: this.place.bucket, key: this.place.prefix + key };
	}

	private uploadObject({ id, fileName }: UploadName): S3Object {
		return this.object(`uploads/${id}/${fileName}`);
	}

	private resultObject({ editId, run }: RunName, fileName: string): S3Object {
		return this.object(`edits/${editId}/${run}/${fileName}`);
	}

	/** Returns a signed GET. A browser that opens it saves the file. */
	private async signedGet({ bucket, key }: S3Object, fileName: string, lifetimeMs: number) {
		const get = new GetObjectCommand({
			Bucket: bucket,
			Key: key,
			ResponseContentDisposition: attachmentHeader(fileName),
			ResponseContentType: mediaTypeOf(fileName),
		});
		return { url: await getSignedUrl(this.client, get, this.signing(lifetimeMs)) };
	}

	/**
	 * Returns the ids that follow `folder` in the keys. Reads all keys: not every server groups nested
	 * keys by a delimiter.
	 */
	private async idsIn(folder: string): Promise<string[]> {
		const { bucket: Bucket, key: Prefix } = this.object(folder);
		const ids = new Set<string>();
		try {
			for await (const page of paginateListObjectsV2({ client: this.client }, { Bucket, Prefix })) {
				for (const { Key = '' } of page.Contents ?? []) {
					const [id] = Key.slice(Prefix.length).split('/', 1);
					if (id) ids.add(id);
				}
			}
		} catch (error) {
			throw s3Trouble(error, 'Listing files');
		}
		return [...ids];
	}

	/**
	 * Removes all objects whose keys begin with `folder`, with a request for each: a request for many
	 * needs a checksum, and servers differ in which kind.
	 */
	private async removeAll(folder: string): Promise<void> {
		const { bucket: Bucket, key: Prefix } = this.object(folder);
		try {
			for await (const page of paginateListObjectsV2({ client: this.client }, { Bucket, Prefix })) {
				const keys = page.Contents?.map(({ Key }) => Key ?? '') ?? [];
				while (keys.length > 0) {
					const removals = keys
						.splice(0, REMOVALS_AT_ONCE)
						.map((Key) => this.client.send(new DeleteObjectCommand({ Bucket, Key })));
					await Promise.all(removals);
				}
			}
		} catch (error) {
			throw s3Trouble(error, 'Deleting files');
		}
	}
}

function tombstoneKey(kind: Owners, id: string): string {
	return `deleted/${kind}/${id}/mark`;
}

/** Returns the lifetime of a signed URL in whole real seconds, within what the signature allows. */
function expiryOf(lifetimeMs: number): { expiresIn: number } {
	const seconds = Math.floor(lifetimeMs / 1000);
	return { expiresIn: Math.min(MAX_LINK_SECONDS, Math.max(1, seconds)) };
}
