import type { IBinaryData } from 'n8n-workflow';

/** Which way the file goes, seen from n8n. */
export type Direction = 'upload' | 'download';

/** Our nodes; a node that holds the file in a buffer; a node that streams and follows redirects. */
export type Client = 'ours' | 'buffer' | 'redirects';

/** A file to upload, or to download. */
export interface BenchFile {
	readonly sizeBytes: number;
	/** The file as n8n stored it, for an upload. */
	readonly binary: IBinaryData;
}

/** What one process measures: all files in one run of one node. */
export interface Order {
	readonly direction: Direction;
	readonly client: Client;
	/** A small file that takes the same way before the measuring begins. */
	readonly warmUp: BenchFile;
	readonly files: readonly BenchFile[];
	readonly serviceUrl: string;
}

/** What the process measured, or why the files could not be moved at all. */
export type Measured =
	| {
			readonly peakOverBaselineBytes: number;
			readonly seconds: number;
			readonly method: 'VmHWM' | 'sampled';
	  }
	| { readonly refusal: string };
