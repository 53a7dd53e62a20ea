import type { IBinaryData, INodeParameters } from 'n8n-workflow';

/** A file to upload or download. */
export interface BenchFile {
	readonly sizeBytes: number;
	/** The stored file, for an upload. */
	readonly binary: IBinaryData;
}

/** What one process measures: all files in a single run of one node. */
export interface Transfer {
	/** Seen from n8n; an edit is an upload and a download. */
	readonly direction: 'upload' | 'download' | 'edit';
	/** A small file to transfer before measuring. */
	readonly warmUp: BenchFile;
	readonly files: readonly BenchFile[];
	/** The service for the small file, where that is another one. */
	readonly warmUpUrl?: string;
	/** The parameters of our node, if they are not the defaults. */
	readonly parameters?: INodeParameters;
}

export interface Trial extends Transfer {
	readonly serviceUrl: string;
}

/** How far the memory rose over the baseline, and how long the transfer took. */
export interface Peak {
	readonly peakMb: number;
	readonly seconds: number;
}
