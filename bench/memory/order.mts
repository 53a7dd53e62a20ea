import type { IBinaryData, INodeParameters } from 'n8n-workflow';

/** Direction of the transfer, seen from n8n; an edit is an upload and a download. */
export type Direction = 'upload' | 'download' | 'edit';

/** A file to upload or download. */
export interface BenchFile {
	readonly sizeBytes: number;
	/** The stored file, for an upload. */
	readonly binary: IBinaryData;
	/** The edit to download, if not one with a file of this size. */
	readonly editId?: string;
}

/** What one process measures: all files in a single run of one node. */
export interface Trial {
	readonly direction: Direction;
	/** A small file to transfer before measuring. */
	readonly warmUp: BenchFile;
	readonly files: readonly BenchFile[];
	readonly serviceUrl: string;
	/** The service for the small file, where that is another one. */
	readonly warmUpUrl?: string;
	/** The parameters of our node, if they are not the defaults. */
	readonly parameters?: INodeParameters;
}

/** The figures, or why the files could not be moved, and the memory that this took. */
export type Measured =
	| { readonly peakOverBaselineBytes: number; readonly seconds: number }
	| { readonly refusal: string; readonly peakOverBaselineBytes?: number };
