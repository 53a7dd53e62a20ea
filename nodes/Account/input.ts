import type { NodeRun } from '../core/run/nodeRun';
import type { Form } from '../core/form/values';
import type { ReviewInput } from './reviewInput';

/** What an item asks for; several items together in some operations. */
export interface Input {
	readonly run: NodeRun;
	readonly itemIndex: number;
	readonly itemIndices: readonly number[];
	readonly form: Form;
	readonly name: string;
	/** For the operations of a review. */
	readonly review?: ReviewInput;
}
